// The operations of cat on rows of bits. A relation on n events is n rows, a set is one row; a row is one word for up to 64 events (`one_word`, the
// case that counts: everything below is then a short loop over words), and several words for more. Results never overlap operands.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace heddle::cat {

using Word = std::uint64_t;

template <bool one_word> class BitMatrix {
  public:
    explicit BitMatrix(std::size_t n) : n_(n), words_((n + 63) / 64) {}

    [[nodiscard]] std::size_t row() const { return one_word ? 1 : words_; }
    [[nodiscard]] std::size_t cells(bool set) const { return set ? row() : n_ * row(); }

    static bool bit(const Word* r, std::size_t k) { return (r[one_word ? 0 : k / 64] >> (k % 64) & 1) != 0; }
    static void add(Word* r, std::size_t k) { r[one_word ? 0 : k / 64] |= Word{1} << (k % 64); }

    template <class F> void for_each(const Word* r, F&& visit) const {
        for (std::size_t w = 0; w < row(); ++w) {
            for (Word rest = r[w]; rest != 0; rest &= rest - 1) {
                visit(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
            }
        }
    }

    void zero(Word* to, bool set) const { std::fill_n(to, cells(set), Word{0}); }
    void copy(Word* to, const Word* a, bool set) const { std::copy_n(a, cells(set), to); }
    /// Copies and says whether anything changed.
    bool assign(Word* to, const Word* a, bool set) const {
        Word changed = 0;
        for (std::size_t k = 0; k < cells(set); ++k) {
            changed |= to[k] ^ a[k];
            to[k] = a[k];
        }
        return changed != 0;
    }
    void all(Word* to, bool set) const {
        for (std::size_t r = 0; r < (set ? 1 : n_); ++r) {
            full_row(to + r * row());
        }
    }
    void unite(Word* to, const Word* a, const Word* b, bool set) const {
        for (std::size_t k = 0; k < cells(set); ++k) {
            to[k] = a[k] | b[k];
        }
    }
    void intersect(Word* to, const Word* a, const Word* b, bool set) const {
        for (std::size_t k = 0; k < cells(set); ++k) {
            to[k] = a[k] & b[k];
        }
    }
    void subtract(Word* to, const Word* a, const Word* b, bool set) const {
        for (std::size_t k = 0; k < cells(set); ++k) {
            to[k] = a[k] & ~b[k];
        }
    }
    void complement(Word* to, const Word* a, bool set) const {
        all(to, set);
        for (std::size_t k = 0; k < cells(set); ++k) {
            to[k] &= ~a[k];
        }
    }

    void domain(Word* to, const Word* a) const {
        std::fill_n(to, row(), Word{0});
        for (std::size_t i = 0; i < n_; ++i) {
            if (any(a + i * row(), row())) {
                add(to, i);
            }
        }
    }
    void range(Word* to, const Word* a) const {
        std::fill_n(to, row(), Word{0});
        for (std::size_t i = 0; i < n_; ++i) {
            or_row(to, a + i * row());
        }
    }
    void identity(Word* to, const Word* s) const {
        zero(to, false);
        for_each(s, [&](std::size_t i) { add(to + i * row(), i); });
    }
    void add_identity(Word* to) const {
        for (std::size_t i = 0; i < n_; ++i) {
            add(to + i * row(), i);
        }
    }
    void product(Word* to, const Word* s, const Word* t) const {
        for (std::size_t i = 0; i < n_; ++i) {
            const Word keep = bit(s, i) ? ~Word{0} : 0;
            for (std::size_t w = 0; w < row(); ++w) {
                to[i * row() + w] = t[w] & keep;
            }
        }
    }
    void restrict_domain(Word* to, const Word* s, const Word* a) const {
        for (std::size_t i = 0; i < n_; ++i) {
            const Word keep = bit(s, i) ? ~Word{0} : 0;
            for (std::size_t w = 0; w < row(); ++w) {
                to[i * row() + w] = a[i * row() + w] & keep;
            }
        }
    }
    void restrict_range(Word* to, const Word* a, const Word* s) const {
        for (std::size_t i = 0; i < n_; ++i) {
            for (std::size_t w = 0; w < row(); ++w) {
                to[i * row() + w] = a[i * row() + w] & s[w];
            }
        }
    }
    void compose(Word* to, const Word* a, const Word* b) const {
        for (std::size_t i = 0; i < n_; ++i) {
            if constexpr (one_word) {
                Word sum = 0;
                for (Word rest = a[i]; rest != 0; rest &= rest - 1) {
                    sum |= b[std::countr_zero(rest)];
                }
                to[i] = sum;
            } else {
                Word* const out = to + i * row();
                std::fill_n(out, row(), Word{0});
                for_each(a + i * row(), [&](std::size_t j) { or_row(out, b + j * row()); });
            }
        }
    }
    void inverse(Word* to, const Word* a) const {
        zero(to, false);
        for (std::size_t i = 0; i < n_; ++i) {
            for_each(a + i * row(), [&](std::size_t j) { add(to + j * row(), i); });
        }
    }
    /// The transitive closure (Warshall, a row at a time).
    void closure(Word* to, const Word* a) const {
        copy(to, a, false);
        for (std::size_t k = 0; k < n_; ++k) {
            const Word* const through = to + k * row();
            if (!any(through, row())) {
                continue;
            }
            for (std::size_t i = 0; i < n_; ++i) {
                if (bit(to + i * row(), k)) {
                    or_row(to + i * row(), through);
                }
            }
        }
    }

    [[nodiscard]] bool is_empty(const Word* a, bool set) const { return !any(a, cells(set)); }
    [[nodiscard]] bool is_irreflexive(const Word* a) const {
        for (std::size_t i = 0; i < n_; ++i) {
            if (bit(a + i * row(), i)) {
                return false;
            }
        }
        return true;
    }
    [[nodiscard]] bool no_round_trip(const Word* a, const Word* b) const {
        for (std::size_t i = 0; i < n_; ++i) {
            bool found = false;
            for_each(a + i * row(), [&](std::size_t j) { found |= bit(b + j * row(), i); });
            if (found) {
                return false;
            }
        }
        return true;
    }
    /// Takes away events without successors until none is left or none can go. Events stand in program order, so going from the last to the
    /// first takes most of them in one pass. `rest`: room for one row.
    bool is_acyclic(const Word* a, Word* rest) const {
        full_row(rest);
        std::size_t left = n_;
        for (std::size_t before = n_ + 1; left < before && left > 0;) {
            before = left;
            for (std::size_t i = n_; i-- > 0;) {
                if (bit(rest, i) && !meets(a + i * row(), rest)) {
                    rest[one_word ? 0 : i / 64] &= ~(Word{1} << (i % 64));
                    --left;
                }
            }
        }
        return left == 0;
    }

  private:
    void full_row(Word* r) const {
        std::fill_n(r, row(), ~Word{0});
        if (n_ % 64 != 0) {
            r[row() - 1] = (Word{1} << (n_ % 64)) - 1;
        }
    }
    void or_row(Word* to, const Word* a) const {
        for (std::size_t w = 0; w < row(); ++w) {
            to[w] |= a[w];
        }
    }
    [[nodiscard]] bool meets(const Word* a, const Word* b) const {
        Word both = 0;
        for (std::size_t w = 0; w < row(); ++w) {
            both |= a[w] & b[w];
        }
        return both != 0;
    }
    static bool any(const Word* a, std::size_t count) {
        Word all = 0;
        for (std::size_t k = 0; k < count; ++k) {
            all |= a[k];
        }
        return all != 0;
    }

    std::size_t n_;
    std::size_t words_;
};

} // namespace heddle::cat
