#include "search/stateful/interner.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {
namespace {

std::size_t wide_size(std::span<const std::uint32_t> words) { return (words.size() + 1) / 2; }

} // namespace

Interner::Interner(Workforce* workforce) : numbering_(workforce), arenas_(std::make_unique<Arena[]>(numbering_.workers())) {}

const std::uint32_t* Interner::Arena::keep(std::span<const std::uint32_t> words) {
    const std::size_t wide = wide_size(words);
    if (wide > left) {
        // Small ones at first, so that a small check stays small.
        const std::size_t usual = std::min<std::size_t>(std::size_t{64} << std::min<std::size_t>(chunks.size(), 12), 1u << 16);
        const std::size_t size = std::max(wide, usual);
        chunks.push_back(std::make_unique<std::uint64_t[]>(size));
        next = chunks.back().get();
        left = size;
    }
    auto* to = reinterpret_cast<std::uint32_t*>(next);
    std::ranges::copy(words, to);
    next += wide;
    left -= wide;
    count(wide);
    return to;
}

void Interner::Arena::give_back(std::span<const std::uint32_t> words) {
    const std::size_t wide = wide_size(words);
    next -= wide;
    left += wide;
    count(~wide + 1);
}

/// One string, as Numbering sees it.
class Interner::Adding {
  public:
    Adding(Interner& to, std::span<const std::uint32_t> words, bool wide) : to_(to), words_(words), wide_(wide) {}

    [[nodiscard]] bool is_it(std::uint32_t k) const {
        const auto known = to_[k];
        return known.size() == words_.size() && std::equal(known.begin(), known.end(), words_.begin());
    }
    [[nodiscard]] std::uint64_t hash_of(std::uint32_t k) const {
        const auto known = to_[k];
        return hash_words(known.data(), known.size());
    }
    void reserve(std::uint32_t k) { to_.entries_.reserve(k); }
    void make(std::uint32_t k) {
        Entry& e = *to_.entries_[k];
        if (Entry::is_here(words_.size(), wide_)) {
            e.count = static_cast<std::uint32_t>(words_.size());
            std::ranges::copy(words_, e.here);
        } else {
            e.count = static_cast<std::uint32_t>(words_.size()) | kElsewhere;
            kept_ = true;
            const std::uint32_t* const elsewhere = arena().keep(words_);
            std::memcpy(e.here + 1, &elsewhere, sizeof elsewhere);
        }
    }
    /// Another was quicker.
    void was_in_vain() {
        if (kept_) {
            arena().give_back(words_);
        }
    }

  private:
    [[nodiscard]] Arena& arena() { return to_.arenas_[to_.numbering_.worker()]; }
    Interner& to_;
    std::span<const std::uint32_t> words_;
    bool wide_;
    bool kept_ = false;
};

Interner::Id Interner::intern(std::span<const std::uint32_t> words, bool wide) {
    Adding adding(*this, words, wide);
    const Numbering::Found found = numbering_.find_or_make(hash_words(words.data(), words.size()), adding);
    if (!found.fresh) {
        adding.was_in_vain();
    }
    return found.number;
}

std::optional<Interner::Id> Interner::find(std::span<const std::uint64_t> wide) {
    const std::span words(reinterpret_cast<const std::uint32_t*>(wide.data()), wide.size() * 2);
    return numbering_.find(hash_words(words.data(), words.size()),
                           [&](std::uint32_t k) { return std::ranges::equal(entries_[k]->words(), words); });
}

std::size_t Interner::bytes() const {
    std::size_t n = size() * sizeof(Entry) + numbering_.bytes();
    for (const Arena& a : std::span(arenas_.get(), numbering_.workers())) {
        n += a.used.load(std::memory_order_relaxed) * sizeof(std::uint64_t);
    }
    return n;
}

} // namespace heddle::stateful
