#include "frontend/litmus/tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

bool starts_word(char c, bool marks) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (marks && (c == '%' || c == '$' || c == '@'));
}
bool goes_on_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '\''; }

std::size_t symbol_length(std::string_view rest) {
    static constexpr auto kLong = std::to_array<std::string_view>({"/\\", "\\/", "=>", "<>", "!=", "==", "&&",
                                                                   "||",  "->",  "<=", ">=", "<<", ">>", "++",
                                                                   "--",  "+=",  "-=", "*=", "&=", "|=", "^="});
    return std::ranges::any_of(kLong, [&](std::string_view s) { return rest.starts_with(s); }) ? 2 : 1;
}

} // namespace

std::uint64_t number_of(const Source& source, const Token& token) {
    std::string_view digits = token.text;
    int base = 10;
    if (digits.starts_with("0x") || digits.starts_with("0X")) {
        digits.remove_prefix(2);
        base = 16;
    }
    std::uint64_t value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    const std::string_view suffix(result.ptr, static_cast<std::size_t>(digits.data() + digits.size() - result.ptr));
    if (result.ec != std::errc{} || suffix.find_first_not_of("uUlL") != std::string_view::npos) {
        source.fail(token.offset, fmt::format("`{}` is not a number of 64 bits", token.text));
    }
    return value;
}

Tokens::Tokens(const Source& source, std::size_t begin, std::size_t end, bool marks) : source_(&source) {
    const std::string_view text = source.text();
    std::size_t k = begin;
    while (k < end) {
        const char c = text[k];
        std::size_t stop = k + 1;
        Token::Kind kind = Token::Kind::Symbol;
        if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++k;
            continue;
        }
        if (starts_word(c, marks)) {
            kind = Token::Kind::Word;
            while (stop < end && goes_on_word(text[stop])) {
                ++stop;
            }
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            kind = Token::Kind::Number;
            while (stop < end && std::isalnum(static_cast<unsigned char>(text[stop])) != 0) {
                ++stop;
            }
        } else {
            stop = k + symbol_length(text.substr(k, end - k));
        }
        tokens_.push_back({kind, text.substr(k, stop - k), k});
        k = stop;
    }
    tokens_.push_back({Token::Kind::End, {}, end});
}

const Token& Tokens::peek(std::size_t ahead) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

Token Tokens::next() {
    const Token token = peek();
    at_ = std::min(at_ + 1, tokens_.size() - 1);
    return token;
}

bool Tokens::accept(std::string_view text) {
    if (at_end() || !is(text)) {
        return false;
    }
    next();
    return true;
}

void Tokens::expect(std::string_view text, std::string_view where) {
    if (!accept(text)) {
        unexpected(fmt::format("`{}` {}", text, where));
    }
}

Token Tokens::expect_word(std::string_view what) {
    if (!is_word()) {
        unexpected(what);
    }
    return next();
}

std::uint64_t Tokens::expect_number(std::string_view what) {
    const bool negative = accept("-");
    if (!is_number()) {
        unexpected(what);
    }
    const std::uint64_t value = number_of(*source_, next());
    return negative ? 0 - value : value;
}

void Tokens::unexpected(std::string_view expected) const {
    source_->fail(peek().offset, at_end() ? fmt::format("the text ends where {} was expected", expected)
                                          : fmt::format("`{}` where {} was expected", peek().text, expected));
}

} // namespace heddle::litmus
