// The words of a cat file.
#pragma once

#include "model/cat/syntax.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::cat {

enum class TokenKind : std::uint8_t {
    Name,
    Keyword,
    String,
    Tag,    ///< 'name; `text` without the quote
    Symbol, ///< operators and punctuation
    End,
};

struct Token {
    TokenKind kind = TokenKind::End;
    std::string text;
    Place place;

    [[nodiscard]] bool is(std::string_view symbol_or_keyword) const {
        return (kind == TokenKind::Symbol || kind == TokenKind::Keyword) && text == symbol_or_keyword;
    }
};

/// The last token is End. Throws Failure.
std::vector<Token> tokens_of(std::string_view text, std::shared_ptr<const std::string> file);

} // namespace heddle::cat
