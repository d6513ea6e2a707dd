// The lines of a story before they are laid out: which steps of a witness are worth telling, and what there is to say of each.
#pragma once

#include "program/program.hpp"
#include "search/check_result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

struct StoryLine {
    ThreadId thread{};
    std::string place{};                ///< "file.c:12", or empty
    std::string text{};                 ///< "x = 1  (relaxed)"
    std::vector<std::string> notes{};   ///< "stale: ...": what is remarkable about it
    std::optional<std::size_t> event{}; ///< position in the witness; none: the violation itself
    std::optional<Address> location{};  ///< that it accesses
    std::size_t left_out = 0;           ///< not a step: so many lines are missing here
};

/// In the order of the witness's run, if it has one, with buffered writes and when they reach memory; else in that of `interleave`. The violation at the end. Without what says nothing to a person: where threads begin and end, and
/// objects come and go, unless the violation is about that.
std::vector<StoryLine> story_lines(const Program& program, const Violation& violation);

/// About `max_lines` of them: what is remarkable, the last steps of the violating thread, the end, the beginning, and what else
/// happens to the locations that the first two are about, the latest first. What is missing is counted in `left_out` lines.
std::vector<StoryLine> shortened(std::vector<StoryLine> lines, ThreadId violating, std::size_t max_lines);

} // namespace heddle
