#include "search/stateful/contents.hpp"

#include <algorithm>

namespace heddle::stateful {

Interner::Id Contents::intern(const Block& block) {
    const std::uint64_t size = block.size();
    const bool undefined = block.has_undef(0, size);
    scratch_.assign(1 + words_for(size) * (undefined ? 2 : 1), 0);
    scratch_[0] = size << 1 | (undefined ? 1 : 0);
    std::memcpy(scratch_.data() + 1, block.bytes(), size);
    if (undefined) {
        std::memcpy(scratch_.data() + 1 + words_for(size), block.undef(), size);
    }
    return interner_.intern(scratch_);
}

Value Contents::load(Interner::Id id, std::uint64_t offset, unsigned size) const {
    const auto all = interner_.wide(id);
    const unsigned low = std::min(size, 8u);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(all.data() + 1) + offset;
    Value v;
    std::memcpy(&v.lo, bytes, low);
    std::memcpy(&v.hi, bytes + low, size - low);
    if ((all[0] & 1) != 0) {
        const auto* undef = reinterpret_cast<const std::uint8_t*>(all.data() + 1 + words_for(all[0] >> 1)) + offset;
        std::memcpy(&v.undef_lo, undef, low);
        std::memcpy(&v.undef_hi, undef + low, size - low);
    }
    return v;
}

Interner::Id Contents::store(Interner::Id id, std::uint64_t offset, unsigned size, const Value& v) {
    const auto all = interner_.wide(id);
    scratch_.assign(all.begin(), all.end());
    const std::size_t words = words_for(all[0] >> 1);
    const unsigned low = std::min(size, 8u);
    auto* bytes = reinterpret_cast<std::uint8_t*>(scratch_.data() + 1) + offset;
    std::memcpy(bytes, &v.lo, low);
    std::memcpy(bytes + low, &v.hi, size - low);
    if ((all[0] & 1) != 0 || !v.defined()) {
        scratch_.resize(1 + 2 * words, 0);
        auto* undef = reinterpret_cast<std::uint8_t*>(scratch_.data() + 1 + words) + offset;
        std::memcpy(undef, &v.undef_lo, low);
        std::memcpy(undef + low, &v.undef_hi, size - low);
        const bool undefined = std::any_of(scratch_.begin() + 1 + static_cast<std::ptrdiff_t>(words), scratch_.end(),
                                           [](std::uint64_t w) { return w != 0; });
        scratch_[0] = (scratch_[0] & ~std::uint64_t{1}) | (undefined ? 1 : 0);
        if (!undefined) {
            scratch_.resize(1 + words);
        }
    }
    return interner_.intern(scratch_);
}

} // namespace heddle::stateful
