#include "frontend/litmus/frame.hpp"

#include "frontend/litmus/init.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace heddle::litmus {

namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The next part of the text without white space.
std::string take_header_word(std::string_view text, std::size_t& at) {
    while (at < text.size() && is_space(text[at])) {
        ++at;
    }
    const std::size_t begin = at;
    while (at < text.size() && !is_space(text[at])) {
        ++at;
    }
    return std::string(text.substr(begin, at - begin));
}

/// The first { after the header that is not inside a doc string.
std::size_t find_init(const Source& source, std::size_t at) {
    bool in_string = false;
    for (; at < source.text().size(); ++at) {
        const char c = source.text()[at];
        if (c == '"') {
            in_string = !in_string;
        } else if (c == '\n') {
            in_string = false;
        } else if (c == '{' && !in_string) {
            return at;
        }
    }
    source.fail(source.text().size(), "the text ends where the initial state, `{ ... }`, was expected");
}

std::size_t find_closing_brace(const Source& source, std::size_t open) {
    int depth = 0;
    for (std::size_t k = open; k < source.text().size(); ++k) {
        depth += source.text()[k] == '{' ? 1 : source.text()[k] == '}' ? -1 : 0;
        if (depth == 0) {
            return k;
        }
    }
    source.fail(open, "this `{` is not closed");
}

/// Does a word at `at` begin what follows the program?
bool starts_question(std::string_view text, std::size_t at) {
    static constexpr std::array<std::string_view, 7> kWords = {"exists", "forall",   "locations", "filter",
                                                               "final",  "Observed", "observed"};
    if (text[at] == '~' || text.substr(at).starts_with("<<")) {
        return true;
    }
    return std::ranges::any_of(kWords, [&](std::string_view word) {
        const std::size_t end = at + word.size();
        return text.substr(at).starts_with(word) && (end >= text.size() || !is_word_char(text[end]));
    });
}

std::size_t find_question(std::string_view text, std::size_t at) {
    int depth = 0; // of C's braces
    for (; at < text.size(); ++at) {
        depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
        if (depth == 0 && !is_word_char(text[at - 1]) && starts_question(text, at)) {
            return at;
        }
    }
    return at;
}

} // namespace

std::optional<unsigned> thread_number(const Token& token) {
    std::string_view digits = token.text;
    if (token.kind == Token::Kind::Word && digits.starts_with('P')) {
        digits.remove_prefix(1);
    }
    unsigned number = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return result.ec == std::errc{} && result.ptr == digits.data() + digits.size() && number < 1000 ? std::optional(number)
                                                                                                    : std::nullopt;
}

Frame parse_frame(const Source& source) {
    Frame frame;
    std::size_t at = 0;
    frame.architecture = take_header_word(source.text(), at);
    frame.name = take_header_word(source.text(), at);
    if (constexpr std::string_view kSuffix = ".litmus"; frame.name.ends_with(kSuffix)) { // a few tests are called as their files
        frame.name.resize(frame.name.size() - kSuffix.size());
    }
    if (frame.name.empty()) {
        source.fail(at, "a litmus test begins with its architecture and its name");
    }
    const std::size_t open = find_init(source, at);
    const std::size_t close = find_closing_brace(source, open);
    Tokens init(source, open + 1, close);
    parse_init(init, frame);
    frame.body_begin = close + 1;
    while (frame.body_begin < source.text().size() &&
           (is_space(source.text()[frame.body_begin]) || source.text()[frame.body_begin] == ';')) {
        ++frame.body_begin;
    }
    frame.body_end = find_question(source.text(), frame.body_begin);
    return frame;
}

} // namespace heddle::litmus
