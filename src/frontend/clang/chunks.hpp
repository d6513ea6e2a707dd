// Values as strings of bits, cut and put together again: for casts between shapes and for integers wider than the machine's.
#pragma once

#include "frontend/clang/function_context.hpp"

#include <vector>

namespace heddle::clang_frontend {

/// A slot that holds `bits` bits of a value (at most 64, the rest zero); a value is a list of them, low end first.
struct Chunk {
    Slot slot;
    unsigned bits;
};

/// Without slots: only the widths, the slots all 0.
std::vector<Chunk> chunks_of(const Shape& shape, const Slots& slots);

/// A slot with `bits` bits (at most 64) from bit `first` on.
Slot gather(FunctionContext& to, const std::vector<Chunk>& value, unsigned first, unsigned bits);

} // namespace heddle::clang_frontend
