#include "frontend/clang/chunks.hpp"

#include <algorithm>

namespace heddle::clang_frontend {

std::vector<Chunk> chunks_of(const Shape& shape, const Slots& slots) {
    std::vector<Chunk> chunks;
    for (const Leaf& leaf : shape.leaves) {
        for (unsigned k = 0; k < leaf.slots(); ++k) {
            chunks.push_back({slots.empty() ? Slot{0} : slots[leaf.slot + k], leaf.bits_of_slot(k)});
        }
    }
    return chunks;
}

Slot gather(FunctionContext& to, const std::vector<Chunk>& value, unsigned first, unsigned bits) {
    Slot result = 0;
    bool any = false;
    unsigned position = 0; // of the chunk's lowest bit in the value
    for (const Chunk& chunk : value) {
        const unsigned begin = std::max(position, first);
        const unsigned end = std::min(position + chunk.bits, first + bits);
        if (begin < end) {
            Slot piece = chunk.slot;
            if (begin > position) {
                piece = to.compute(Op::LShr, piece, to.constant(begin - position), 64);
            }
            if (end < position + chunk.bits) {
                piece = to.compute(Op::Trunc, piece, 0, mask_of(end - begin));
            }
            if (begin > first) {
                piece = to.compute(Op::Shl, piece, to.constant(begin - first), 64);
            }
            result = any ? to.compute(Op::Or, result, piece) : piece;
            any = true;
        }
        position += chunk.bits;
    }
    return any ? result : to.constant(0);
}

} // namespace heddle::clang_frontend
