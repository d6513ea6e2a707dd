// The parser of cat: text to syntax tree. Throws Failure, with what was found and what was expected.
#pragma once

#include "model/cat/syntax.hpp"

#include <string_view>

namespace heddle::cat {

File parse(std::string_view text, std::shared_ptr<const std::string> file);

} // namespace heddle::cat
