// The program of an assembly test: columns separated by | and rows ended by ;, one column a thread.
#pragma once

#include "frontend/litmus/source.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus {

struct Operand {
    std::string_view text; ///< without blanks around it
    std::size_t offset = 0;
};

/// One instruction, or the label before one.
struct Instruction {
    std::string label;             ///< of an Instruction that is only a label
    std::string mnemonic;          ///< in lower case, up to the first blank
    std::string_view rest;         ///< all that stands behind the mnemonic
    std::vector<Operand> operands; ///< of `rest`, separated by the commas that are not inside brackets
    std::size_t offset = 0;
};

/// The threads' code, in order of their columns. The header row `P0 | P1 ;` must count from 0.
std::vector<std::vector<Instruction>> parse_columns(const Source& source, std::size_t begin, std::size_t end);

/// One instruction without labels; `offset` is that of its text.
Instruction parse_instruction(std::string_view text, std::size_t offset);

std::string lower_case(std::string_view text);
std::string_view trimmed(std::string_view text);

} // namespace heddle::litmus
