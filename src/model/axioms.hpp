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
    /// The name of an axiom that the execution breaks; nothing when it is consistent.
    std::optional<std::string_view> (*broken)(const Execution& x);
    /// What comes before what, whatever coherence is: hb, or the part of the global order that is not co or fr. Null: there is no such order to be
    /// had, and no equivalence rf.
    Relation (*order)(const Execution& x, const Relations& r);
    /// Are co and fr part of that order (sc, tso, pso)? Otherwise it decides coherence, not the other way round.
    bool coherence_orders = false;
    bool races_are_errors = false;
    /// Whose instructions it speaks of. Of a processor: a program is compiled for it (program/compile_atomics.hpp), dependencies count, and an
    /// event does not need all that comes before it in its thread.
    Architecture architecture = Architecture::C;
    /// Of a processor: are updates single instructions, not loops around a conditional store?
    bool single_updates = false;
    /// Is there an order of seq_cst events that coherence is part of, although it is no part of `order` (rc11)?
    bool orders_seq_cst = false;
    /// Does whatever is read happen before, so that every access is a release and an acquire (ra)? Only where happens-before decides.
    bool all_synchronize = false;

    /// Does what follows an update of a C program depend on its write (depend_on_updates)?
    [[nodiscard]] constexpr bool depends_on_updates() const { return architecture == Architecture::Power; }
    [[nodiscard]] constexpr bool is_processor() const { return architecture != Architecture::C; }
};

/// sc, tso, pso, ra, rc11, power, armv8, armv8-lse.
std::span<const Axioms> all_axioms();
/// Those in which an event needs all that comes before it in its thread: sc, tso, pso, ra, rc11.
std::span<const Axioms> program_order_axioms();
const Axioms* find_axioms(std::string_view name);

/// rc11's happens-before: (po | sw | thread creation and joining)+.
Relation rc11_happens_before(const Execution& x, const Relations& r);

} // namespace heddle
