#include "machine/private_memory.hpp"

#include <algorithm>

namespace heddle {

PrivateBlock* PrivateMemory::find(Address address) {
    auto after = std::ranges::upper_bound(blocks, address >> kRegionBits, {},
                                          [](const PrivateBlock& b) { return (b.base - kGuard) >> kRegionBits; });
    if (after == blocks.begin()) {
        return nullptr;
    }
    PrivateBlock& b = *std::prev(after);
    return address < b.base + b.size + kRegionSize ? &b : nullptr;
}

} // namespace heddle
