// The name of a test: the shape of its threads, and what stands between the accesses of each.
#pragma once

#include "frontend/generate/relation.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle::generate {

/// A thread of a cycle as far as the name goes.
struct ThreadShape {
    /// First and last access; a thread may have one access only. The order decides which thread a name starts with: MP is WW RR.
    enum class Ends : std::uint8_t { W, WW, RR, RW, WR, R };
    Ends ends = Ends::W;
    std::string suffix; ///< "po", "lwsync", "rfi-addr"; empty for a single access
    std::string mark;   ///< of a single access: the name of its mark
};

/// Of the accesses that `inner`, the relations inside a thread, join; `outgoing` is the external communication that leaves the thread.
ThreadShape shape_of(const Vocabulary& vocabulary, std::span<const Relation> inner, const Relation& outgoing);

/// How far to turn the cycle of `threads` so that it starts as its name does: the first rotation that is least by ends, then by suffixes.
std::size_t first_of(const std::vector<ThreadShape>& threads);

/// The name; `threads` in their final order.
std::string name_of(const std::vector<ThreadShape>& threads, bool single_location, std::string_view unmarked);

} // namespace heddle::generate
