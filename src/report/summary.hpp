// The closing words of a check: the verdict first, then what it rests on.
#pragma once

#include "report/finished_check.hpp"
#include "report/paint.hpp"

#include <string>

namespace heddle {

/// The verdict in one line, ended by a newline: its word first, then what it means here, then model and equivalence.
std::string verdict_line(const FinishedCheck& check, const Paint& paint = Paint());

/// The verdict line and what belongs to it: executions, time, what a stopped search had covered, the assumptions with their places. `verbose`:
/// also the work done and the memory used.
std::string summary(const FinishedCheck& check, const Paint& paint = Paint(), bool verbose = false);

} // namespace heddle
