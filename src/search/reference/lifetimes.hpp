// What is wrong with the lives of objects in an execution, by the definition: the oracle of the searches that notice it as they go.
#pragma once

#include "machine/objects.hpp"
#include "model/axioms.hpp"
#include "program/trap_kind.hpp"

#include <cstddef>
#include <vector>

namespace heddle {

struct LifetimeFault {
    TrapKind kind;
    std::size_t event; ///< the access, or a Free of what another frees too
};

/// An access is good if it comes before the Free of its object: in its own thread by program order, otherwise in the model's order. (A store that is
/// still in a buffer may reach memory when the object is gone; but a thread's own store into what it then frees is as good as gone.) An object is
/// freed once. Pre: the execution is consistent; `objects` are those it has, all alive; the model has an order.
std::vector<LifetimeFault> lifetime_faults(const Execution& x, const Axioms& axioms, const Objects& objects);

} // namespace heddle
