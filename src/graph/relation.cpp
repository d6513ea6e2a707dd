#include "graph/relation.hpp"

#include <algorithm>

namespace heddle {

Relation& Relation::operator|=(const Relation& o) {
    HEDDLE_CHECK(n_ == o.n_, "relations on different sets");
    std::ranges::transform(bits_, o.bits_, bits_.begin(), [](auto a, auto b) { return a | b; });
    return *this;
}

Relation& Relation::operator&=(const Relation& o) {
    HEDDLE_CHECK(n_ == o.n_, "relations on different sets");
    std::ranges::transform(bits_, o.bits_, bits_.begin(), [](auto a, auto b) { return a & b; });
    return *this;
}

Relation& Relation::operator-=(const Relation& o) {
    HEDDLE_CHECK(n_ == o.n_, "relations on different sets");
    std::ranges::transform(bits_, o.bits_, bits_.begin(), [](auto a, auto b) { return a & ~b; });
    return *this;
}

Relation Relation::then(const Relation& next) const {
    HEDDLE_CHECK(n_ == next.n_, "relations on different sets");
    Relation r(n_);
    std::uint64_t* const to = r.bits_.begin();
    const std::uint64_t* const from = next.bits_.begin();
    for_each([&](std::size_t a, std::size_t b) {
        for (std::size_t w = 0; w < words_; ++w) {
            to[a * words_ + w] |= from[b * words_ + w];
        }
    });
    return r;
}

Relation Relation::inverse() const {
    Relation r(n_);
    for_each([&](std::size_t a, std::size_t b) { r.add(b, a); });
    return r;
}

Relation Relation::closure() const {
    Relation r = *this;
    std::uint64_t* const rows = r.bits_.begin();
    for (std::size_t via = 0; via < n_; ++via) {
        for (std::size_t a = 0; a < n_; ++a) {
            // All ones when a comes before via: without a branch, which nobody could foresee.
            const std::uint64_t reaches = -(rows[a * words_ + via / 64] >> (via % 64) & 1);
            for (std::size_t w = 0; w < words_; ++w) {
                rows[a * words_ + w] |= rows[via * words_ + w] & reaches;
            }
        }
    }
    return r;
}

void Relation::add_closed(std::size_t a, std::size_t b) {
    std::uint64_t* const rows = bits_.begin();
    for (std::size_t x = 0; x < n_; ++x) {
        if (x == a || contains(x, a)) {
            for (std::size_t w = 0; w < words_; ++w) {
                rows[x * words_ + w] |= rows[b * words_ + w];
            }
            add(x, b);
        }
    }
}

Relation Relation::maybe() const {
    Relation r = *this;
    for (std::size_t a = 0; a < n_; ++a) {
        r.add(a, a);
    }
    return r;
}

bool Relation::irreflexive() const {
    for (std::size_t a = 0; a < n_; ++a) {
        if (contains(a, a)) {
            return false;
        }
    }
    return true;
}

bool Relation::empty() const {
    return std::ranges::all_of(bits_, [](std::uint64_t w) { return w == 0; });
}

} // namespace heddle
