// The events of a witness in source terms: the words that the story and the JSON document share.
#pragma once

#include "program/program.hpp"
#include "search/check_result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

/// A number of `size` bytes: signed decimal, or hexadecimal when it is an address or too large to be a count of anything.
std::string value_text(const Value& value, unsigned size);
/// The value of an event: as above, or what it points to.
std::string value_text(const WitnessEvent& e);

/// "read", "write", "fence", ...
std::string_view word_of(EventKind kind);
/// "seq_cst", "mfence", "dmb", ...
std::string fence_text(const Event& fence);

/// The order that an update was written with, put together again from its two parts (machine/action.hpp shares it out).
Order order_of_update(Order read, Order write);

/// The write of the update whose read is at `read`; nothing when it is no update, or one that writes nothing.
std::optional<std::size_t> write_of_update(const Witness& witness, std::size_t read);

/// What the event at `position` does: "x = 1  (relaxed)", "reads x: 0", "spawns T1", ... Each part of an update speaks for both:
/// "x: 0 -> 1  (update)".
std::string event_text(const Witness& witness, std::size_t position);

/// "T0", "T1", ...
std::string thread_text(ThreadId thread);

} // namespace heddle
