#include "model/cat/lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace heddle::cat {

std::string text_of(const Place& place) {
    return fmt::format("{}:{}:{}", place.file ? *place.file : "", place.line, place.column);
}

void fail(const Place& place, const std::string& message) {
    throw Failure{{Diagnostic::Kind::BadInput, text_of(place) + ": " + message}};
}

void fail_unsupported(const Place& place, const std::string& what) {
    throw Failure{{Diagnostic::Kind::Unsupported, fmt::format("{}: {} is not supported", text_of(place), what)}};
}

namespace {

constexpr std::array<std::string_view, 35> kKeywords{
    "let",          "rec",     "and",       "in",      "fun",     "if",     "then",        "else",
    "begin",        "end",     "try",       "with",    "match",   "forall", "do",          "from",
    "as",           "include", "procedure", "call",    "enum",    "debug",  "show",        "flag",
    "instructions", "assert",  "unshow",    "showall", "acyclic", "empty",  "irreflexive", "undefined_unless",
    "default",      "not",     "subset"};

// Longer ones first.
constexpr std::array<std::string_view, 26> kSymbols{"^-1", "->", "||", "&&", "++", "^+", "^*", "^?", "|", ";", "\\", "&", "*",
                                                    "+",   "?",  "~",  "(",  ")",  "[",  "]",  "{",  "}", ",", "=",  ":", "/"};

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-'; }

class Lexer {
  public:
    Lexer(std::string_view text, std::shared_ptr<const std::string> file) : text_(text) { here_.file = std::move(file); }

    std::vector<Token> run() {
        std::vector<Token> tokens;
        do {
            skip_blanks();
            tokens.push_back(next());
        } while (tokens.back().kind != TokenKind::End);
        return tokens;
    }

  private:
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] bool looks_at(std::string_view s) const { return text_.substr(at_).starts_with(s); }
    char take() {
        const char c = text_[at_++];
        if (c == '\n') {
            ++here_.line;
            here_.column = 1;
        } else {
            ++here_.column;
        }
        return c;
    }

    void skip_blanks() {
        while (!at_end()) {
            if (looks_at("(*")) {
                skip_comment();
            } else if (looks_at("//")) {
                while (!at_end() && text_[at_] != '\n') {
                    take();
                }
            } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
                take();
            } else {
                return;
            }
        }
    }

    /// Comments nest, as in OCaml.
    void skip_comment() {
        const Place start = here_;
        int depth = 0;
        do {
            if (at_end()) {
                fail(start, "this comment does not end; expected \"*)\"");
            }
            if (looks_at("(*")) {
                ++depth;
                take();
            } else if (looks_at("*)")) {
                --depth;
                take();
            }
            take();
        } while (depth > 0);
    }

    Token next() {
        Token token{TokenKind::End, "", here_};
        if (at_end()) {
            return token;
        }
        const char c = text_[at_];
        if (c == '"') {
            token.kind = TokenKind::String;
            token.text = string_literal();
        } else if (c == '\'') {
            take();
            token.kind = TokenKind::Tag;
            if (at_end() || !starts_name(text_[at_])) {
                fail(here_, "expected the name of a tag after \"'\"");
            }
            token.text = name();
        } else if (starts_name(c)) {
            token.text = name();
            token.kind = std::ranges::find(kKeywords, token.text) != kKeywords.end() ? TokenKind::Keyword : TokenKind::Name;
        } else if (c == '0' && (at_ + 1 >= text_.size() || !continues_name(text_[at_ + 1]))) {
            take();
            token.kind = TokenKind::Symbol;
            token.text = "0";
        } else {
            token.kind = TokenKind::Symbol;
            token.text = symbol();
        }
        return token;
    }

    std::string name() {
        std::string text;
        while (!at_end() && continues_name(text_[at_])) {
            text += take();
        }
        if (!at_end() && text_[at_] == '\'') { // a prime may end a name
            text += take();
        }
        return text;
    }

    std::string string_literal() {
        const Place start = here_;
        take();
        std::string text;
        while (!at_end() && text_[at_] != '"') {
            if (text_[at_] == '\n') {
                break;
            }
            text += take();
        }
        if (at_end() || text_[at_] != '"') {
            fail(start, "this string does not end on its line; expected '\"'");
        }
        take();
        return text;
    }

    std::string symbol() {
        for (const std::string_view s : kSymbols) {
            if (looks_at(s)) {
                for (std::size_t k = 0; k < s.size(); ++k) {
                    take();
                }
                return std::string(s);
            }
        }
        fail(here_, fmt::format("found the character '{}'; expected a name or an operator", text_[at_]));
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Place here_;
};

} // namespace

std::vector<Token> tokens_of(std::string_view text, std::shared_ptr<const std::string> file) {
    return Lexer(text, std::move(file)).run();
}

} // namespace heddle::cat
