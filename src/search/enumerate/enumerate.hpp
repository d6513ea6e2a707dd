// Enumerating executions: every consistent execution of a small program, under any model, also one with load buffering.
//
// The way of herd (Alglave, Maranget, Tautschnig, "Herding cats", TOPLAS 2014): first everything that each thread may do (paths.hpp), then one
// path for each thread in every combination, then for each location every way its reads get their values and its writes are ordered
// (location_choices.hpp), then the model judges. Nothing is grown event by event, so nothing is asked of the model but its verdict on whole
// executions: it need not be prefix-closed, and an event may depend on one that comes later in any order.
//
// What is the same for many executions is done once: paths that differ in values only have one Shape, and the judge sees the events of a
// combination of shapes once; all sources are chosen before the first coherence. Combinations in which somebody reads what nobody writes are not
// built. The price is exponential in the number of reads; small programs are what this is for.
#pragma once

#include "model/execution_judge.hpp"
#include "search/enumerate/paths.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// A part of memory whose final value is wanted.
struct Observed {
    Address address = 0;
    std::uint8_t size = 8; ///< in bytes
};

struct EnumerateOptions {
    PathOptions paths{};
    std::vector<Observed> observed{};
};

struct EnumeratedExecution {
    const Execution& execution;
    std::span<const std::uint64_t> observed; ///< the final values of EnumerateOptions::observed
    const ExecutionJudge& judge;             ///< whose flags are about this execution
    const Trap* trap = nullptr;              ///< what one of its threads did wrong, if one did; that thread's path ends there
};
using OnExecution = std::function<void(const EnumeratedExecution&)>;

struct EnumerateResult {
    std::uint64_t candidates = 0;           ///< choices of sources and coherence that were judged to the end
    std::uint64_t executions = 0;           ///< consistent ones
    bool cut = false;                       ///< some path of some thread was cut off; executions with it are not counted
    std::optional<std::string> unsupported; ///< what stopped it (kStopped: the caller); nothing is known then
};

/// Calls `on_execution` for each consistent execution in which every thread ends, or does something wrong, exactly once.
EnumerateResult enumerate(const Program& program, ThreadNames& names, ExecutionJudge& judge, const EnumerateOptions& options,
                          const OnExecution& on_execution);

} // namespace heddle
