// LocationChoices: all ways in which the reads of one location can get their values, and its writes be ordered.
//
// Locations do not constrain each other here, so the choices of an execution are the product of those of its locations, and equal sequences of
// accesses have equal choices wherever they come from.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace heddle {

/// An access to the location, in the order of its thread.
struct LocationAccess {
    bool is_write = false;
    std::uint32_t value = 0; ///< read or written; 0 is the initial one
    friend bool operator==(const LocationAccess&, const LocationAccess&) = default;
};
using LocationAccesses = std::vector<LocationAccess>;

/// Reads are numbered thread by thread from 0; writes likewise from 1, and write 0 is the initial one.
struct LocationChoices {
    bool complete = true; ///< false: given up on
    std::uint32_t reads = 0;
    std::uint32_t writes = 1;               ///< the initial one included
    std::vector<std::uint16_t> sources;     ///< `reads` numbers for each choice of sources: the write that each read reads
    std::vector<std::uint32_t> first_order; ///< for each choice of sources, its first in `orders`; and one more, the end
    std::vector<std::uint16_t> orders;      ///< `writes` numbers for each coherence: the writes in order, 0 first

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(first_order.size() - 1); }
    [[nodiscard]] const std::uint16_t* source(std::uint32_t choice) const { return sources.data() + std::size_t{choice} * reads; }
    [[nodiscard]] const std::uint16_t* order(std::uint32_t k) const { return orders.data() + std::size_t{k} * writes; }
};

/// `threads`: the accesses of each. `coherent`: only those with acyclic (po-loc | rf | co | fr); else every source that wrote the value, and
/// every order. `gives_up`, asked now and then, may end it early: the result is then not `complete`.
LocationChoices choices_of(std::span<const LocationAccesses* const> threads, bool coherent,
                           const std::function<bool()>& gives_up);

} // namespace heddle
