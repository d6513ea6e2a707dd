// What C litmus tests need to know of a type (CType, frame.hpp): sizes, and what is at the other end of a pointer.
#pragma once

#include "frontend/litmus/frame.hpp"

#include <optional>
#include <string_view>

namespace heddle::litmus {

/// A type at the cursor, with its stars: "const volatile int *". Nothing, and the cursor not moved, if none starts here.
std::optional<CType> accept_c_type(Tokens& tokens);

inline bool is_pointer(const CType& type) { return type.pointers != 0; }
inline unsigned bytes_of(const CType& type) { return type.bits() / 8; }
/// Slots that a value takes: two when it is wider than 64 bits.
inline unsigned slots_of(const CType& type) { return type.bits() > 64 ? 2 : 1; }
/// Is a number of this type extended with its sign? Pointers are not.
inline bool reads_signed(const CType& type) { return type.is_signed && !is_pointer(type); }
bool is_bool(const CType& type);

CType int_type();
CType long_type();
CType pointer_to(const CType& type);
/// Herd lets numbers be dereferenced: what a number of the size of a pointer points at is taken to be a number like it.
CType pointee_of(const CType& type);

} // namespace heddle::litmus
