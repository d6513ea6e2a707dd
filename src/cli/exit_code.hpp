// The exit codes of the command line's contract (docs/cli.md).
#pragma once

#include "search/check_result.hpp"
#include "support/check.hpp"

namespace heddle::cli {

inline constexpr int kExitSafe = 0;
inline constexpr int kExitViolation = 1;
inline constexpr int kExitBadUsage = 2;
inline constexpr int kExitSafeWithinBound = 3;
inline constexpr int kExitOutOfBudget = 4;
inline constexpr int kExitUnsupported = 5;
inline constexpr int kExitInternalError = 70;

inline int exit_code_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::Safe:
        return kExitSafe;
    case Verdict::Violation:
        return kExitViolation;
    case Verdict::SafeWithinBound:
        return kExitSafeWithinBound;
    case Verdict::OutOfBudget:
        return kExitOutOfBudget;
    case Verdict::Unsupported:
        return kExitUnsupported;
    }
    HEDDLE_CHECK(false, "no such verdict");
    return kExitInternalError;
}

} // namespace heddle::cli
