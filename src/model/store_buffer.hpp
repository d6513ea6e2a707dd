// How C11 is mapped to machines with store buffers (sc, tso, pso): the one table for the models and for the search over states.
//
// An update and a seq_cst fence drain the buffer (as on x86, a compare-exchange that fails too); a seq_cst write has a fence behind it; on pso a
// release write and a release fence have a store fence (stbar) before them. Starting, ending, spawning and joining threads drain the
// buffer.
#pragma once

#include "program/memory_order.hpp"

#include <cstdint>

namespace heddle {

enum class Buffer : std::uint8_t {
    None,        ///< sc
    PerThread,   ///< tso
    PerLocation, ///< pso
};

/// Does a fence of this order drain the buffer?
[[nodiscard]] inline bool is_full_fence(Order order) { return order == Order::SeqCst; }
/// Does it keep earlier stores before later ones, where the buffers do not?
[[nodiscard]] inline bool is_store_fence(Buffer buffer, Order order, FenceKind fence) {
    return buffer == Buffer::PerLocation && !is_full_fence(order) &&
           (is_release(order) || fence == FenceKind::SFence || fence == FenceKind::DmbSt || fence == FenceKind::DsbSt);
}
/// Does a write of this order come after all earlier writes of its thread?
[[nodiscard]] inline bool comes_after_all(Buffer buffer, Order order) { return buffer == Buffer::PerThread || is_release(order); }
/// Is there a full fence behind a write of this order?
[[nodiscard]] inline bool drains_after(Order order) { return order == Order::SeqCst; }

} // namespace heddle
