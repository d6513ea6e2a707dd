// PartialOrder: which of a few things come before which, closed under transitivity. Things are known by their position, which moves when others are put in
// or taken out.
//
// For each thing there is a row of bits with those that come before it. Mostly there are no more than 64 of them, and a row is a word; where there are more,
// rows are longer and some operations slower.
#pragma once

#include "support/check.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::stateful {

class PartialOrder {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool is_before(std::size_t a, std::size_t b) const { return ((row(b)[a / 64] >> (a % 64)) & 1) != 0; }

    /// Something that is not ordered with anything.
    void insert(std::size_t at) {
        HEDDLE_CHECK(at <= size_, "a place that does not exist");
        if (size_ >= 64) {
            return copy_from([&](const PartialOrder& old) { resize(old.size_ + 1); },
                             [at](std::size_t k) { return k < at ? k : k + 1; });
        }
        for (std::uint64_t& r : rows_) {
            const std::uint64_t below = bit(at) - 1;
            r = (r & below) | (r & ~below) << 1;
        }
        rows_.insert(rows_.begin() + static_cast<std::ptrdiff_t>(at), 0);
        ++size_;
    }
    /// What came before it still comes before what came after it.
    void remove(std::size_t at) {
        if (size_ > 64) {
            return copy_from([&](const PartialOrder& old) { resize(old.size_ - 1); },
                             [at](std::size_t k) { return k == at  ? kGone
                                                          : k < at ? k
                                                                   : k - 1; });
        }
        rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(at));
        for (std::uint64_t& r : rows_) {
            const std::uint64_t below = bit(at) - 1;
            r = (r & below) | (r >> 1 & ~below);
        }
        --size_;
    }
    /// a comes before b, and all that follows from it. Pre: not b before a.
    void order(std::size_t a, std::size_t b) {
        put_after(b, [a](std::size_t k) { return k == a; });
    }
    /// All but b for which `is_earlier(k)` holds come before b, and all that follows from it. Pre: b is before none of them.
    template <class F> void put_after(std::size_t b, F&& is_earlier) {
        if (size_ > 64) {
            put_after_slowly(b, is_earlier);
            return;
        }
        std::uint64_t before = 0;
        for (std::size_t k = 0; k < size_; ++k) {
            if (k != b && is_earlier(k)) {
                before |= rows_[k] | bit(k);
            }
        }
        HEDDLE_CHECK((before & bit(b)) == 0, "two stores before each other");
        if ((before & ~rows_[b]) == 0) {
            return;
        }
        for (std::size_t k = 0; k < size_; ++k) {
            if (k == b || (rows_[k] & bit(b)) != 0) {
                rows_[k] |= before;
            }
        }
    }
    void clear() {
        rows_.clear();
        size_ = 0;
    }

    /// As words, size() * size() bits; and back.
    void encode(std::vector<std::uint64_t>& into) const {
        std::uint64_t word = 0;
        if (size_ <= 8) { // one word
            for (std::size_t b = 0; b < size_; ++b) {
                word |= rows_[b] << (b * size_);
            }
            if (size_ != 0) {
                into.push_back(word);
            }
            return;
        }
        std::size_t used = 0;
        for (std::size_t b = 0; b < size_; ++b) {
            for (std::size_t from = 0; from < size_; from += 64) {
                const std::size_t count = std::min<std::size_t>(64, size_ - from);
                const std::uint64_t bits = row(b)[from / 64];
                word |= bits << used;
                if (used + count >= 64) {
                    into.push_back(word);
                    word = used == 0 ? 0 : bits >> (64 - used);
                    used -= 64;
                }
                used += count;
            }
        }
        if (used != 0) {
            into.push_back(word);
        }
    }
    void decode(std::size_t size, std::span<const std::uint64_t> words) {
        resize(size);
        if (size <= 8) {
            for (std::size_t b = 0; b < size; ++b) {
                rows_[b] = words[0] >> (b * size) & (bit(size) - 1);
            }
            return;
        }
        std::size_t at = 0; // in bits
        for (std::size_t b = 0; b < size; ++b) {
            for (std::size_t from = 0; from < size; from += 64) {
                const std::size_t count = std::min<std::size_t>(64, size - from);
                std::uint64_t bits = words[at / 64] >> (at % 64);
                if (at % 64 + count > 64) {
                    bits |= words[at / 64 + 1] << (64 - at % 64);
                }
                row(b)[from / 64] = count == 64 ? bits : bits & (bit(count) - 1);
                at += count;
            }
        }
    }

  private:
    static constexpr std::size_t kGone = ~std::size_t{0};
    static std::uint64_t bit(std::size_t k) { return std::uint64_t{1} << k; }
    [[nodiscard]] std::size_t stride() const { return size_ <= 64 ? 1 : (size_ + 63) / 64; }
    [[nodiscard]] std::uint64_t* row(std::size_t b) { return rows_.data() + b * stride(); }
    [[nodiscard]] const std::uint64_t* row(std::size_t b) const { return rows_.data() + b * stride(); }
    /// So many, of which nothing is ordered.
    void resize(std::size_t size) {
        size_ = size;
        rows_.assign(size * stride(), 0);
    }
    /// With rows of any length: makes room anew, then puts each thing where `place` says.
    template <class Make, class Place> void copy_from(Make&& make, Place&& place) {
        const PartialOrder old = *this;
        make(old);
        for (std::size_t b = 0; b < old.size_; ++b) {
            for (std::size_t a = 0; a < old.size_; ++a) {
                if (old.is_before(a, b) && place(a) != kGone && place(b) != kGone) {
                    row(place(b))[place(a) / 64] |= bit(place(a) % 64);
                }
            }
        }
    }
    template <class F> void put_after_slowly(std::size_t b, F&& is_earlier) {
        const std::size_t n = stride();
        std::vector<std::uint64_t> before(n, 0);
        for (std::size_t k = 0; k < size_; ++k) {
            if (k != b && is_earlier(k)) {
                before[k / 64] |= bit(k % 64);
                for (std::size_t w = 0; w < n; ++w) {
                    before[w] |= row(k)[w];
                }
            }
        }
        HEDDLE_CHECK((before[b / 64] & bit(b % 64)) == 0, "two stores before each other");
        for (std::size_t k = 0; k < size_; ++k) {
            if (k == b || is_before(b, k)) {
                for (std::size_t w = 0; w < n; ++w) {
                    row(k)[w] |= before[w];
                }
            }
        }
    }

    std::vector<std::uint64_t> rows_; ///< stride() words for each: those that come before it
    std::size_t size_ = 0;
};

} // namespace heddle::stateful
