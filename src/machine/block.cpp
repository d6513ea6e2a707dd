#include "machine/block.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace heddle {

Block::Bytes Block::zeroed_bytes(std::uint64_t size) {
    // calloc: large blocks come as untouched zero pages, so a sparse giant costs what is used of it.
    auto* p = static_cast<std::uint8_t*>(std::calloc(std::max<std::uint64_t>(size, 1), 1));
    if (!p) {
        throw std::bad_alloc();
    }
    return Bytes(p);
}

Block::Block(std::uint64_t size) : size_(size), bytes_(zeroed_bytes(size)) {}

Block::Block(const Block& other) : RefCounted(other), size_(other.size_), bytes_(zeroed_bytes(other.size_)), deps_(other.deps_) {
    std::memcpy(bytes_.get(), other.bytes_.get(), size_);
    if (other.undef_) {
        undef_ = zeroed_bytes(size_);
        std::memcpy(undef_.get(), other.undef_.get(), size_);
    }
}

Ref<Block> Block::make(std::uint64_t size, Content content) {
    auto block = Ref<Block>::adopt(new Block(size));
    if (content == Content::Undefined) {
        std::memset(block->undef_for_writing(), 0xff, size);
    }
    return block;
}

Ref<Block> Block::make(std::uint64_t size, std::span<const std::uint8_t> image) {
    auto block = make(size, Content::Zero);
    std::ranges::copy(image, block->bytes());
    return block;
}

std::uint8_t* Block::undef_for_writing() {
    if (!undef_) {
        undef_ = zeroed_bytes(size_);
    }
    return undef_.get();
}

void Block::load_wide(std::uint64_t offset, unsigned size, Value& v) const {
    std::memcpy(&v.lo, bytes_.get() + offset, 8);
    std::memcpy(&v.hi, bytes_.get() + offset + 8, size - 8);
    if (undef_) {
        std::memcpy(&v.undef_lo, undef_.get() + offset, 8);
        std::memcpy(&v.undef_hi, undef_.get() + offset + 8, size - 8);
    }
}

void Block::store(std::uint64_t offset, unsigned size, const Value& v) {
    const unsigned low = std::min(size, 8u);
    std::memcpy(bytes_.get() + offset, &v.lo, low);
    std::memcpy(bytes_.get() + offset + low, &v.hi, size - low);
    if (undef_ || !v.defined()) {
        std::uint8_t* shadow = undef_for_writing() + offset;
        std::memcpy(shadow, &v.undef_lo, low);
        std::memcpy(shadow + low, &v.undef_hi, size - low);
    }
}

void Block::fill(std::uint64_t offset, std::uint64_t size, std::uint8_t byte, std::uint8_t undef) {
    std::memset(bytes_.get() + offset, byte, size);
    if (undef_ || undef != 0) {
        std::memset(undef_for_writing() + offset, undef, size);
    }
}

void Block::copy(std::uint64_t offset, const Block& from, std::uint64_t from_offset, std::uint64_t size) {
    std::memmove(bytes_.get() + offset, from.bytes_.get() + from_offset, size);
    if (from.undef_) {
        std::memmove(undef_for_writing() + offset, from.undef_.get() + from_offset, size);
    } else if (undef_) {
        std::memset(undef_.get() + offset, 0, size);
    }
}

bool Block::has_undef(std::uint64_t offset, std::uint64_t size) const {
    return undef_ && std::any_of(undef_.get() + offset, undef_.get() + offset + size, [](std::uint8_t b) { return b != 0; });
}

std::vector<DepSet>& Block::deps() {
    deps_.resize(size_);
    return deps_;
}

} // namespace heddle
