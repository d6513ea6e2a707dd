// A violation told to a person at a terminal: what is wrong and where, then the witness as one interleaving, a line for each step.
#pragma once

#include "program/program.hpp"
#include "report/paint.hpp"
#include "search/check_result.hpp"

#include <cstddef>
#include <string>

namespace heddle {

struct StoryOptions {
    std::size_t width = 100;    ///< of the terminal; a story that does not fit in columns becomes a list
    std::size_t max_lines = 60; ///< a longer witness is cut in the middle; 0: never
    Paint paint{};
};

/// Several lines, each ended by a newline.
std::string story(const Program& program, const Violation& violation, const StoryOptions& options = {});

} // namespace heddle
