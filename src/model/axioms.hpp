// The axioms of the memory models, written as plainly as the definitions read: relations computed from scratch, no cleverness.
//
// This is the judge of everything faster. Slow: a cubic closure or two for every question.
#pragma once

#include "graph/execution.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace heddle {

/// A memory model as its axioms.
struct Axioms {
    std::string_view name;
    std::string_view summary;
    /// The name of an axiom that the execution breaks; nothing when it is consistent.
    std::optional<std::string_view> (*broken)(const Execution& x);
};

/// sc, tso, pso, ra, rc11.
std::span<const Axioms> all_axioms();
const Axioms* find_axioms(std::string_view name);

/// rc11's happens-before: (po | sw | thread creation and joining)+.
Relation rc11_happens_before(const Execution& x, const Relations& r);

} // namespace heddle
