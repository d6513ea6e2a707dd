// The exit codes of the command line's contract (docs/cli.md).
#pragma once

namespace heddle::cli {

inline constexpr int kExitSafe = 0;
inline constexpr int kExitViolation = 1;
inline constexpr int kExitBadUsage = 2;
inline constexpr int kExitOutOfBudget = 4;
inline constexpr int kExitUnsupported = 5;
inline constexpr int kExitInternalError = 70;

} // namespace heddle::cli
