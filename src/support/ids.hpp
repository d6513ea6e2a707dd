// Strong ids: an index that cannot be mistaken for an index into something else.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace heddle {

/// An index into one particular table; `Tag` says which. Absence is std::optional, never a magic value.
template <class Tag> struct Id {
    std::uint32_t index = 0;
    constexpr Id() = default;
    constexpr explicit Id(std::uint32_t i) : index(i) {}
    friend constexpr auto operator<=>(Id, Id) = default;
};

using FunctionId = Id<struct FunctionTag>; ///< into Program::functions
using PlaceId = Id<struct PlaceTag>;       ///< into Program::places; 0 is "no place known"
using ThreadId = Id<struct ThreadTag>;     ///< see machine/thread_names.hpp; 0 is the main thread

} // namespace heddle

template <class Tag> struct std::hash<heddle::Id<Tag>> {
    std::size_t operator()(heddle::Id<Tag> id) const noexcept { return id.index; }
};
