// Relation: a binary relation on 0 .. n-1, as rows of bits. The algebra in which memory models are written.
#pragma once

#include "support/check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// Zeroed words: few of them without the heap, since axioms make dozens of small relations for every question.
class RelationBits {
  public:
    explicit RelationBits(std::size_t n) : n_(n), large_(n > kSmall ? n : 0) { std::fill_n(begin(), n, 0); }
    RelationBits(const RelationBits& o) : n_(o.n_), large_(o.large_) { std::copy_n(o.begin(), n_, begin()); }
    RelationBits& operator=(const RelationBits& o) {
        n_ = o.n_;
        large_ = o.large_;
        std::copy_n(o.begin(), n_, begin());
        return *this;
    }

    [[nodiscard]] std::uint64_t* begin() { return n_ > kSmall ? large_.data() : small_.data(); }
    [[nodiscard]] const std::uint64_t* begin() const { return n_ > kSmall ? large_.data() : small_.data(); }
    [[nodiscard]] std::uint64_t* end() { return begin() + n_; }
    [[nodiscard]] const std::uint64_t* end() const { return begin() + n_; }
    std::uint64_t& operator[](std::size_t k) { return begin()[k]; }
    std::uint64_t operator[](std::size_t k) const { return begin()[k]; }
    friend bool operator==(const RelationBits& a, const RelationBits& b) { return std::ranges::equal(a, b); }

  private:
    static constexpr std::size_t kSmall = 64; ///< a relation on 64 elements: a word a row
    std::size_t n_;
    std::array<std::uint64_t, kSmall> small_; // NOLINT: only the first n_ mean something, and only they are set
    std::vector<std::uint64_t> large_;
};

class Relation {
  public:
    explicit Relation(std::size_t n = 0) : n_(n), words_((n + 63) / 64), bits_(n * words_) {}

    [[nodiscard]] std::size_t size() const { return n_; }
    [[nodiscard]] bool contains(std::size_t a, std::size_t b) const { return (bits_[at(a, b)] >> (b % 64) & 1) != 0; }
    void add(std::size_t a, std::size_t b) {
        is_set_ = is_set_ && a == b;
        bits_[at(a, b)] |= std::uint64_t{1} << (b % 64);
    }
    /// Adds (a, b) for every b in `set`, a row of bits as wide as this relation's.
    void add_all(std::size_t a, std::span<const std::uint64_t> set) {
        is_set_ = false;
        for (std::size_t w = 0; w < words_; ++w) {
            bits_[a * words_ + w] |= set[w];
        }
    }
    void remove_all(std::size_t a, std::span<const std::uint64_t> set) {
        for (std::size_t w = 0; w < words_; ++w) {
            bits_[a * words_ + w] &= ~set[w];
        }
    }
    void remove(std::size_t a, std::size_t b) { bits_[at(a, b)] &= ~(std::uint64_t{1} << (b % 64)); }

    Relation& operator|=(const Relation& o);
    Relation& operator&=(const Relation& o);
    Relation& operator-=(const Relation& o);
    friend Relation operator|(Relation a, const Relation& b) { return a |= b; }
    friend Relation operator&(Relation a, const Relation& b) { return a &= b; }
    friend Relation operator-(Relation a, const Relation& b) { return a -= b; }
    friend bool operator==(const Relation& a, const Relation& b) { return a.n_ == b.n_ && a.bits_ == b.bits_; }

    /// Composition: (a, c) when a this b and b next c for some b.
    [[nodiscard]] Relation then(const Relation& next) const;
    [[nodiscard]] Relation inverse() const;
    /// The least transitive relation that contains this one (Warshall, a row at a time).
    [[nodiscard]] Relation closure() const;
    /// Adds the pair to a transitive relation, which stays transitive.
    void add_closed(std::size_t a, std::size_t b);
    /// With the identity added: the "?" of the papers.
    [[nodiscard]] Relation maybe() const;
    [[nodiscard]] bool irreflexive() const;
    [[nodiscard]] bool acyclic() const;
    [[nodiscard]] bool empty() const;

    /// The identity on the elements that satisfy `in`: the "[S]" of the papers.
    template <class F> static Relation identity(std::size_t n, F&& in) {
        Relation r(n);
        r.is_set_ = true;
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
    /// What comes after `a`, as bits.
    [[nodiscard]] std::span<const std::uint64_t> row(std::size_t a) const { return {bits_.begin() + a * words_, words_}; }
    template <class F> void for_each_after(std::size_t a, F&& visit) const {
        for (std::size_t w = 0; w < words_; ++w) {
            for (std::uint64_t rest = bits_[a * words_ + w]; rest != 0; rest &= rest - 1) {
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
            }
        }
    }
    template <class F> void for_each(F&& visit) const {
        for (std::size_t a = 0; a < n_; ++a) {
            for_each_after(a, [&](std::size_t b) { visit(a, b); });
        }
    }

  private:
    [[nodiscard]] std::size_t at(std::size_t a, std::size_t b) const { return a * words_ + b / 64; }
    /// Composition with the identity on a set.
    [[nodiscard]] Relation into(const Relation& set) const;

    std::size_t n_;
    std::size_t words_;   ///< of a row
    bool is_set_ = false; ///< known to be a part of the identity: composing with it is then cheaper
    RelationBits bits_;
};

} // namespace heddle
