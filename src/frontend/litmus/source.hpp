// Source: the text of a litmus test with its comments blanked out, and how an error names a place in it.
//
// Blanking keeps every offset, so whatever a parser holds (an offset into the text) still says its line and column.
#pragma once

#include "support/diagnostic.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus {

/// Thrown inside this folder when a test cannot be read; `parse` turns it into its result. Never leaves the folder.
struct Rejected {
    Diagnostic diagnostic;
};

struct Position {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
};

class Source {
  public:
    /// `text` starts with the word of the architecture: in C, (* is a comment only outside functions, and // and /* are ones inside.
    Source(std::string file, std::string_view text);

    [[nodiscard]] const std::string& file() const { return file_; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] Position position(std::size_t offset) const;

    /// Bad input: "file:line:column: message".
    [[noreturn]] void fail(std::size_t offset, const std::string& message) const;
    /// Something that is not modelled.
    [[noreturn]] void unsupported(std::size_t offset, const std::string& what) const;

  private:
    void blank_comments(bool is_c);
    void blank(std::size_t from, std::size_t to);
    [[nodiscard]] std::size_t end_of_nested_comment(std::size_t from) const;
    [[nodiscard]] std::string prefix(std::size_t offset) const;

    std::string file_;
    std::string text_;
    std::vector<std::size_t> lines_; ///< offset at which each line starts
};

} // namespace heddle::litmus
