// What the events of a witness are about, in source terms: the same names in every search.
#pragma once

#include "machine/objects.hpp"
#include "search/check_result.hpp"

namespace heddle {

/// Of an access (its location, size and value are there): the name of its bytes, whose they are, and what a value that is an address points to.
void name_access(WitnessEvent& e, const Objects& objects);

/// A thread that waits for a wake-up does so on a word of its own. Which condition variable that is about is only seen from the witness: in the
/// same call the thread has put itself on its list.
void name_conditions(Violation& violation);

} // namespace heddle
