// Cells: shared memory divided up for the question which of it a thread may still access.
//
// The aligned words of small global variables are cells of their own, larger variables are one cell each, and all made objects (heap, shared locals)
// together are cell 0.
#pragma once

#include "program/program.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::stateful {

/// A set of small numbers: cells, or global variables.
class NumberSet {
  public:
    [[nodiscard]] bool contains(std::size_t k) const { return k / 64 < words_.size() && ((words_[k / 64] >> (k % 64)) & 1) != 0; }
    void add(std::size_t k) {
        words_.resize(std::max(words_.size(), k / 64 + 1), 0);
        words_[k / 64] |= std::uint64_t{1} << (k % 64);
    }
    /// True: it has grown.
    bool add(const NumberSet& other) {
        words_.resize(std::max(words_.size(), other.words_.size()), 0);
        bool grown = false;
        for (std::size_t w = 0; w < other.words_.size(); ++w) {
            grown = grown || (other.words_[w] & ~words_[w]) != 0;
            words_[w] |= other.words_[w];
        }
        return grown;
    }
    [[nodiscard]] bool intersects(const NumberSet& other) const {
        const std::size_t n = std::min(words_.size(), other.words_.size());
        for (std::size_t w = 0; w < n; ++w) {
            if ((words_[w] & other.words_[w]) != 0) {
                return true;
            }
        }
        return false;
    }
    template <class F> void for_each(F&& visit) const {
        for (std::size_t k = 0; k < words_.size() * 64; ++k) {
            if (contains(k)) {
                visit(k);
            }
        }
    }

    friend auto operator<=>(const NumberSet&, const NumberSet&) = default;

  private:
    std::vector<std::uint64_t> words_; ///< two sets may be equal and differ in zeros at the end; nobody minds
};

class Cells {
  public:
    static constexpr std::size_t kMade = 0;

    explicit Cells(const Program& program) : program_(program) {
        for (std::size_t g = 0; g < program.first_constant_global; ++g) {
            first_.push_back(count_);
            count_ += is_divided(program.globals[g]) ? words_of(program.globals[g]) : 1;
        }
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    /// The mutable global variable of the address, as its number; nothing: it is none's.
    [[nodiscard]] std::optional<std::size_t> global_of(Address a) const {
        const Global* const g = kind_of(a) == AddressKind::Global ? program_.global_at(a) : nullptr;
        return g ? std::optional(static_cast<std::size_t>(g - program_.globals.data())) : std::nullopt;
    }
    void add_global(std::size_t g, NumberSet& to) const {
        const std::size_t n = is_divided(program_.globals[g]) ? words_of(program_.globals[g]) : 1;
        for (std::size_t k = 0; k < n; ++k) {
            to.add(first_[g] + k);
        }
    }
    /// Those of the bytes [a, a + size), as far as they are shared.
    void add(Address a, std::uint64_t size, NumberSet& to) const {
        const AddressKind kind = kind_of(a);
        if (kind == AddressKind::Heap || kind == AddressKind::Stack) {
            to.add(kMade);
            return;
        }
        const auto g = global_of(a);
        if (!g) {
            return;
        }
        const Global& global = program_.globals[*g];
        if (!is_divided(global)) {
            to.add(first_[*g]);
            return;
        }
        const Address from = std::max(a, global.address);
        const Address to_end = std::min(a + size, global.address + global.size); // what is outside is no access but a trap
        for (Address at = from; at < to_end; at = (at - global.address) / 8 * 8 + 8 + global.address) {
            to.add(first_[*g] + (at - global.address) / 8);
        }
    }

  private:
    static constexpr std::uint64_t kMostDivided = 128; ///< bytes
    [[nodiscard]] static bool is_divided(const Global& g) { return g.size <= kMostDivided && g.size > 0 && g.address % 8 == 0; }
    [[nodiscard]] static std::size_t words_of(const Global& g) { return (g.size + 7) / 8; }

    const Program& program_;
    std::vector<std::size_t> first_; ///< by global: its first cell
    std::size_t count_ = 1;
};

} // namespace heddle::stateful
