// Fingerprints stand for histories, and for states of a machine; FingerprintTable is a map from them that is cheap to empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle {

/// 128 bits that stand for a thing. That two things which differ have the same ones is taken not to happen.
struct Fingerprint {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
    /// Of a sequence that goes on.
    [[nodiscard]] Fingerprint with(std::uint64_t next) const {
        return {mixed(a ^ mixed(next + 0x9E3779B97F4A7C15u)), mixed(b + mixed(next ^ 0xD1B54A32D192ED03u) + 0x2545F4914F6CDD1Du)};
    }
    /// Of a set.
    Fingerprint& operator+=(const Fingerprint& o) {
        a += o.a;
        b += o.b;
        return *this;
    }
    Fingerprint& operator-=(const Fingerprint& o) {
        a -= o.a;
        b -= o.b;
        return *this;
    }

  private:
    static constexpr std::uint64_t mixed(std::uint64_t x) { // the finalizer of splitmix64
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }
};

/// Open addressing; a slot whose age is not the table's is free, so that emptying it is one step.
template <class T> class FingerprintTable {
  public:
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Null: it is not there. Until the next `insert`.
    [[nodiscard]] T* find(const Fingerprint& key) {
        if (size_ == 0) {
            return nullptr;
        }
        Slot& s = slot(key);
        return s.age == age_ ? &s.value : nullptr;
    }
    /// What is there already stays; says whether it is new.
    std::pair<T*, bool> insert(const Fingerprint& key, T value) {
        if (slots_.size() * 3 <= (size_ + 1) * 4) {
            grow();
        }
        Slot& s = slot(key);
        const bool fresh = s.age != age_;
        if (fresh) {
            s = {key, age_, std::move(value)};
            ++size_;
        }
        return {&s.value, fresh};
    }
    void clear() {
        size_ = 0;
        if (++age_ == 0) {
            slots_.clear();
            age_ = 1;
        }
    }

  private:
    struct Slot {
        Fingerprint key{};
        std::uint32_t age = 0;
        T value{};
    };
    /// The one with this key, or a free one. Pre: there is a free one.
    Slot& slot(const Fingerprint& key) {
        const std::size_t mask = slots_.size() - 1;
        std::size_t k = static_cast<std::size_t>(key.a ^ key.b) & mask;
        while (slots_[k].age == age_ && slots_[k].key != key) {
            k = (k + 1) & mask;
        }
        return slots_[k];
    }
    void grow() {
        constexpr std::size_t kFirst = 64;
        std::vector<Slot> old(slots_.empty() ? kFirst : slots_.size() * 2);
        old.swap(slots_);
        for (Slot& s : old) {
            if (s.age == age_) {
                slot(s.key) = std::move(s);
            }
        }
    }

    std::vector<Slot> slots_; ///< a power of two, at most three quarters full
    std::size_t size_ = 0;
    std::uint32_t age_ = 1;
};

} // namespace heddle
