// Block: the bytes of one object, with a shadow that says which bits were never written. Shared by reference count, copied on write.
#pragma once

#include "machine/deps.hpp"
#include "machine/value.hpp"
#include "support/ref.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace heddle {

class Block : public RefCounted {
  public:
    enum class Content { Undefined, Zero };
    static Ref<Block> make(std::uint64_t size, Content content);
    static Ref<Block> make(std::uint64_t size, std::span<const std::uint8_t> image); ///< image: `size` bytes, or none for zero
    static void destroy(Block* b) { delete b; }

    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] Value load(std::uint64_t offset, unsigned size) const {
        Value v;
        if (size <= 8) {
            std::memcpy(&v.lo, bytes_.get() + offset, size);
            if (undef_) {
                std::memcpy(&v.undef_lo, undef_.get() + offset, size);
            }
        } else {
            load_wide(offset, size, v);
        }
        return v;
    }
    void store(std::uint64_t offset, unsigned size, const Value& v);
    void fill(std::uint64_t offset, std::uint64_t size, std::uint8_t byte, std::uint8_t undef);
    /// From `from` (which may be this block), as memmove does.
    void copy(std::uint64_t offset, const Block& from, std::uint64_t from_offset, std::uint64_t size);
    [[nodiscard]] const std::uint8_t* bytes() const { return bytes_.get(); }
    [[nodiscard]] std::uint8_t* bytes() { return bytes_.get(); }
    /// Null when every bit is defined.
    [[nodiscard]] const std::uint8_t* undef() const { return undef_.get(); }
    [[nodiscard]] bool has_undef(std::uint64_t offset, std::uint64_t size) const;
    /// The shadow, made if there was none.
    std::uint8_t* undef_for_writing();
    /// Dependencies by byte, made if there were none; only machines that track them ask.
    std::vector<DepSet>& deps();
    [[nodiscard]] const std::vector<DepSet>& deps() const { return deps_; }

    explicit Block(std::uint64_t size);
    Block(const Block& other);
    Block& operator=(const Block&) = delete;
    ~Block() = default;

  private:
    struct Release {
        void operator()(std::uint8_t* p) const { std::free(p); }
    };
    using Bytes = std::unique_ptr<std::uint8_t[], Release>;
    static Bytes zeroed_bytes(std::uint64_t size);
    void load_wide(std::uint64_t offset, unsigned size, Value& v) const;

    std::uint64_t size_;
    Bytes bytes_;
    Bytes undef_; ///< bit set: that bit of the byte is undefined
    std::vector<DepSet> deps_;
};

/// The block behind `ref`, owned by nobody else: copied first if need be.
inline Block& owned(Ref<Block>& ref) {
    if (ref->shared()) {
        ref = Ref<Block>::adopt(new Block(*ref));
    }
    return *ref;
}

} // namespace heddle
