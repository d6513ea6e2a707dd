// FinishedCheck: a check that has ended, as reports see it: what was asked, what came out, what it cost.
#pragma once

#include "program/program.hpp"
#include "search/check_options.hpp"
#include "search/check_result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Refers to what it is made of: it lives no longer than them.
struct FinishedCheck {
    const Program& program;
    const CheckResult& result;
    const CheckOptions& options;
    const std::vector<std::string>& files; ///< as the user named them
    std::string_view search;               ///< "dpor", "stateful", "reference", "enumeration"
    std::string_view version;              ///< of Heddle
    double seconds = 0;                    ///< of the search, without clang
    std::uint64_t peak_memory_kb = 0;
    unsigned jobs = 1;
};

/// "trace", "rf", "value".
constexpr std::string_view word_of(Equivalence equivalence) {
    return equivalence == Equivalence::Value ? "value" : equivalence == Equivalence::Rf ? "rf" : "trace";
}

} // namespace heddle
