// What the machine relies on, checked once: the machine itself trusts the code and checks none of this.
#pragma once

#include "program/program.hpp"

#include <string>
#include <vector>

namespace heddle {

/// Every broken rule as a sentence; empty when the program is well formed.
///
/// Checked: all slots (pairs and longer ranges included) lie in the frame; constants are never written; every target, switch, operand list,
/// local, thread-local variable, message and callee exists; direct calls agree with their callee in the number of arguments and results;
/// code ends in a terminator and has a place for each instruction; globals are sorted, apart, and have complete initial bytes.
std::vector<std::string> verify(const Program& program);

} // namespace heddle
