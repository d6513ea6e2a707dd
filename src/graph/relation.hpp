// Relation: a binary relation on 0 .. n-1, as rows of bits. The algebra in which memory models are written.
#pragma once

#include "support/check.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle {

class Relation {
  public:
    explicit Relation(std::size_t n = 0) : n_(n), words_((n + 63) / 64), bits_(n * words_) {}

    [[nodiscard]] std::size_t size() const { return n_; }
    [[nodiscard]] bool contains(std::size_t a, std::size_t b) const { return (bits_[at(a, b)] >> (b % 64) & 1) != 0; }
    void add(std::size_t a, std::size_t b) { bits_[at(a, b)] |= std::uint64_t{1} << (b % 64); }
    void remove(std::size_t a, std::size_t b) { bits_[at(a, b)] &= ~(std::uint64_t{1} << (b % 64)); }

    Relation& operator|=(const Relation& o);
    Relation& operator&=(const Relation& o);
    Relation& operator-=(const Relation& o);
    friend Relation operator|(Relation a, const Relation& b) { return a |= b; }
    friend Relation operator&(Relation a, const Relation& b) { return a &= b; }
    friend Relation operator-(Relation a, const Relation& b) { return a -= b; }
    friend bool operator==(const Relation&, const Relation&) = default;

    /// Composition: (a, c) when a this b and b next c for some b.
    [[nodiscard]] Relation then(const Relation& next) const;
    [[nodiscard]] Relation inverse() const;
    /// The least transitive relation that contains this one (Warshall, a row at a time).
    [[nodiscard]] Relation closure() const;
    /// With the identity added: the "?" of the papers.
    [[nodiscard]] Relation maybe() const;
    [[nodiscard]] bool irreflexive() const;
    [[nodiscard]] bool acyclic() const { return closure().irreflexive(); }
    [[nodiscard]] bool empty() const;

    /// The identity on the elements that satisfy `in`: the "[S]" of the papers.
    template <class F> static Relation identity(std::size_t n, F&& in) {
        Relation r(n);
        for (std::size_t a = 0; a < n; ++a) {
            if (in(a)) {
                r.add(a, a);
            }
        }
        return r;
    }
    /// The pairs that satisfy `in`.
    template <class F> [[nodiscard]] Relation filtered(F&& in) const {
        Relation r(n_);
        for_each([&](std::size_t a, std::size_t b) {
            if (in(a, b)) {
                r.add(a, b);
            }
        });
        return r;
    }
    template <class F> void for_each(F&& visit) const {
        for (std::size_t a = 0; a < n_; ++a) {
            for (std::size_t w = 0; w < words_; ++w) {
                for (std::uint64_t rest = bits_[a * words_ + w]; rest != 0; rest &= rest - 1) {
                    visit(a, w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
                }
            }
        }
    }

  private:
    [[nodiscard]] std::size_t at(std::size_t a, std::size_t b) const { return a * words_ + b / 64; }

    std::size_t n_;
    std::size_t words_; ///< of a row
    std::vector<std::uint64_t> bits_;
};

} // namespace heddle
