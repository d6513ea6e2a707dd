#include "frontend/litmus/source.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::litmus {

Source::Source(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {
    lines_.push_back(0);
    for (std::size_t k = 0; k < text_.size(); ++k) {
        if (text_[k] == '\n') {
            lines_.push_back(k + 1);
        } else if (text_[k] == '\r' || text_[k] == '\t') {
            text_[k] = ' ';
        }
    }
    const std::size_t start = text_.find_first_not_of(" \n");
    blank_comments(start != std::string::npos && text_[start] == 'C' && start + 1 < text_.size() &&
                   (text_[start + 1] == ' ' || text_[start + 1] == '\n'));
}

void Source::blank(std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) {
        if (text_[k] != '\n') {
            text_[k] = ' ';
        }
    }
}

std::size_t Source::end_of_nested_comment(std::size_t from) const {
    int depth = 0;
    for (std::size_t k = from; k + 1 < text_.size(); ++k) {
        if (text_.compare(k, 2, "(*") == 0) {
            ++depth;
            ++k;
        } else if (text_.compare(k, 2, "*)") == 0) {
            ++k;
            if (--depth == 0) {
                return k + 1;
            }
        }
    }
    fail(from, "this comment is not closed by *)");
}

void Source::blank_comments(bool is_c) {
    int depth = 0;       // of braces
    bool in_init = true; // the first block in braces is the initial state, whatever the language
    bool in_string = false;
    for (std::size_t k = 0; k < text_.size(); ++k) {
        const char c = text_[k];
        const char next = k + 1 < text_.size() ? text_[k + 1] : '\0';
        const bool in_code = is_c && depth > 0 && !in_init;
        if (c == '\n') {
            in_string = false; // an apostrophe or quote in a name does not swallow the file
        } else if (c == '"' && depth == 0) {
            in_string = !in_string;
        } else if (in_string) {
            continue;
        } else if (c == '(' && next == '*' && !in_code) {
            const std::size_t end = end_of_nested_comment(k);
            blank(k, end);
            k = end - 1;
        } else if (is_c && c == '/' && next == '/') {
            const std::size_t end = std::min(text_.find('\n', k), text_.size());
            blank(k, end);
            k = end - 1;
        } else if (is_c && c == '/' && next == '*') {
            const std::size_t close = text_.find("*/", k + 2);
            if (close == std::string::npos) {
                fail(k, "this comment is not closed by */");
            }
            blank(k, close + 2);
            k = close + 1;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}') {
            depth = std::max(depth - 1, 0);
            in_init = in_init && depth > 0;
        }
    }
}

Position Source::position(std::size_t offset) const {
    const auto after = std::ranges::upper_bound(lines_, offset);
    const auto line = static_cast<std::size_t>(after - lines_.begin());
    return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(offset - lines_[line - 1] + 1)};
}

std::string Source::prefix(std::size_t offset) const {
    const Position at = position(offset);
    return fmt::format("{}:{}:{}", file_, at.line, at.column);
}

void Source::fail(std::size_t offset, const std::string& message) const {
    throw Rejected{{.kind = Diagnostic::Kind::BadInput, .message = fmt::format("{}: {}", prefix(offset), message)}};
}

void Source::unsupported(std::size_t offset, const std::string& what) const {
    throw Rejected{
        {.kind = Diagnostic::Kind::Unsupported, .message = fmt::format("{}: {} is not supported", prefix(offset), what)}};
}

} // namespace heddle::litmus
