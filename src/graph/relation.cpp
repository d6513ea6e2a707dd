#include "graph/relation.hpp"

#include <algorithm>

namespace heddle {

Relation& Relation::operator|=(const Relation& o) {
    HEDDLE_CHECK(n_ == o.n_, "relations on different sets");
    is_set_ = is_set_ && o.is_set_;
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
    if (next.is_set_) {
        return into(next);
    }
    Relation r(n_);
    std::uint64_t* const to = r.bits_.begin();
    const std::uint64_t* const from = next.bits_.begin();
    if (words_ == 1) { // nearly always
        for (std::size_t a = 0; a < n_; ++a) {
            std::uint64_t row = 0;
            for (std::uint64_t rest = bits_[a]; rest != 0; rest &= rest - 1) {
                row |= from[std::countr_zero(rest)];
            }
            to[a] = row;
        }
        return r;
    }
    for_each([&](std::size_t a, std::size_t b) {
        for (std::size_t w = 0; w < words_; ++w) {
            to[a * words_ + w] |= from[b * words_ + w];
        }
    });
    return r;
}

Relation Relation::into(const Relation& set) const {
    RelationBits elements(words_);
    for (std::size_t a = 0; a < n_; ++a) {
        elements[a / 64] |= set.bits_[set.at(a, a)] & (std::uint64_t{1} << (a % 64));
    }
    Relation r = *this;
    r.is_set_ = is_set_;
    std::uint64_t* const rows = r.bits_.begin();
    for (std::size_t w = 0; w < words_; ++w) {
        const std::uint64_t in = elements[w];
        for (std::size_t k = w; k < n_ * words_; k += words_) {
            rows[k] &= in;
        }
    }
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
    if (words_ == 1) { // nearly always
        for (std::size_t via = 0; via < n_; ++via) {
            const std::uint64_t reached = rows[via];
            if (reached == 0) {
                continue; // many events lead nowhere
            }
            for (std::size_t a = 0; a < n_; ++a) {
                rows[a] |= reached & -(rows[a] >> via & 1);
            }
        }
        return r;
    }
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
    return *this | identity(n_, [](std::size_t) { return true; });
}

bool Relation::irreflexive() const {
    for (std::size_t a = 0; a < n_; ++a) {
        if (contains(a, a)) {
            return false;
        }
    }
    return true;
}

bool Relation::acyclic() const {
    // What leads to nothing that is left is on no cycle and goes; in the end all is gone, or a cycle is left. From the last element back, since
    // most relations lead from earlier to later ones: one pass does most of it.
    RelationBits left(words_);
    for (std::size_t a = 0; a < n_; ++a) {
        left[a / 64] |= std::uint64_t{1} << (a % 64);
    }
    const auto leads_on = [&](std::size_t a) {
        for (std::size_t w = 0; w < words_; ++w) {
            if ((bits_[a * words_ + w] & left[w]) != 0) {
                return true;
            }
        }
        return false;
    };
    std::size_t remaining = n_;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t a = n_; a-- > 0;) {
            const std::uint64_t bit = std::uint64_t{1} << (a % 64);
            if ((left[a / 64] & bit) != 0 && !leads_on(a)) {
                left[a / 64] &= ~bit;
                --remaining;
                changed = true;
            }
        }
    }
    return remaining == 0;
}

bool Relation::empty() const {
    return std::ranges::all_of(bits_, [](std::uint64_t w) { return w == 0; });
}

} // namespace heddle
