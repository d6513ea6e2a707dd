// Tokens: the words, numbers and symbols of a test's header, initial state and condition.
#pragma once

#include "frontend/litmus/source.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::litmus {

struct Token {
    enum class Kind : std::uint8_t { Word, Number, Symbol, End };
    Kind kind = Kind::End;
    std::string_view text; ///< into the Source
    std::size_t offset = 0;
};

/// A number of the source: decimal or 0x hexadecimal, as 64 bits.
std::uint64_t number_of(const Source& source, const Token& token);

/// A cursor over the tokens of a part of the source. Words may start with % or $ (symbolic registers); "/\", "\/", "=>", "<>", "->" and C's
/// operators of two characters are one symbol each.
class Tokens {
  public:
    /// Without `marks`, % is an operator, as in C.
    Tokens(const Source& source, std::size_t begin, std::size_t end, bool marks = true);

    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
    Token next();
    [[nodiscard]] bool at_end() const { return peek().kind == Token::Kind::End; }
    [[nodiscard]] bool is(std::string_view text, std::size_t ahead = 0) const { return peek(ahead).text == text; }
    [[nodiscard]] bool is_word(std::size_t ahead = 0) const { return peek(ahead).kind == Token::Kind::Word; }
    [[nodiscard]] bool is_number(std::size_t ahead = 0) const { return peek(ahead).kind == Token::Kind::Number; }
    bool accept(std::string_view text);
    /// Takes `text` or fails, saying what it is for.
    void expect(std::string_view text, std::string_view where);
    Token expect_word(std::string_view what);
    /// A number, with an optional sign.
    std::uint64_t expect_number(std::string_view what);
    [[noreturn]] void unexpected(std::string_view expected) const;
    [[nodiscard]] const Source& source() const { return *source_; }

  private:
    const Source* source_;
    std::vector<Token> tokens_; ///< the last is an End
    std::size_t at_ = 0;
};

} // namespace heddle::litmus
