// The reference search: every consistent execution of a small program by brute force. The oracle of all tests of the real searches.
//
// It grows executions one event at a time, taking every thread, every write to read from and every place in coherence, keeps what the plain
// axioms (model/axioms.hpp) allow, and never visits the same partial execution twice. Complete because in the models it knows
// (po | rf) is acyclic, so every execution can be grown in some order of its events with each read after the write it reads from, and because the
// models are prefix-closed, so what is grown on the way is consistent. Obviously right and hopelessly slow: it remembers all it has seen.
#pragma once

#include "machine/machine.hpp"
#include "model/axioms.hpp"
#include "search/check_result.hpp"
#include "search/session.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace heddle {

struct ReferenceResult {
    std::set<std::string> complete; ///< executions in which every thread ended, each in a canonical form (`canonical` below)
    std::set<std::string> blocked;  ///< in which some thread can never go on: it waits for good, or has failed
    std::set<std::string>
        traps; ///< "kind at file:line", in which a thread did something wrong, or an object was used wrongly, or lost
    std::vector<Violation> violations;      ///< one for each of `traps`, without witness
    std::optional<std::string> unsupported; ///< what stopped the search: its result says nothing then
};

/// What `unsupported` says when the caller gave up.
inline constexpr const char* kGaveUp = "stopped";

/// How an execution is written down: what it leaves out makes no difference between two. `values`: what each event reads or writes.
using Describe = std::function<std::string(const Execution& x, std::span<const Value> values)>;

/// Pre: the session's program is small. `limit` partial executions at most, else `unsupported` says so;
/// likewise when `gives_up`, asked now and then, says true.
ReferenceResult reference_search(
    Session& session, const Axioms& axioms, std::size_t limit = 2'000'000,
    const Describe& describe = [](const Execution& x, std::span<const Value>) { return canonical(x); },
    const std::function<bool()>& gives_up = {});

} // namespace heddle
