#include "search/stateful/interner.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {
namespace {

std::size_t wide_size(std::span<const std::uint32_t> words) { return (words.size() + 1) / 2; }

} // namespace

Interner::Interner(Workforce* workforce)
    : numbering_(workforce), arenas_(std::make_unique<Arena<std::uint64_t>[]>(numbering_.workers())) {}

/// One string, as Numbering sees it.
class Interner::Adding {
  public:
    Adding(Interner& to, std::span<const std::uint32_t> words, bool wide) : to_(to), words_(words), wide_(wide) {}

    [[nodiscard]] bool is_it(std::uint32_t k) const {
        const auto known = to_[k];
        if (known.size() != words_.size()) {
            return false;
        }
        std::size_t same = 0; // mostly few: no call is worth it
        while (same < known.size() && known[same] == words_[same]) {
            ++same;
        }
        return same == known.size();
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
            auto* const elsewhere = reinterpret_cast<std::uint32_t*>(arena().take(wide_size(words_)));
            std::ranges::copy(words_, elsewhere);
            std::memcpy(e.here + 1, &elsewhere, sizeof elsewhere);
        }
    }
    /// Another was quicker.
    void was_in_vain() {
        if (kept_) {
            arena().give_back(wide_size(words_));
        }
    }

  private:
    [[nodiscard]] Arena<std::uint64_t>& arena() { return to_.arenas_[to_.numbering_.worker()]; }
    Interner& to_;
    std::span<const std::uint32_t> words_;
    bool wide_;
    bool kept_ = false;
};

Interner::Id Interner::intern(std::span<const std::uint32_t> words, std::uint64_t hash, bool wide) {
    Adding adding(*this, words, wide);
    const Numbering::Found found = numbering_.find_or_make(hash, adding);
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
    for (const auto& arena : std::span(arenas_.get(), numbering_.workers())) {
        n += arena.bytes();
    }
    return n;
}

} // namespace heddle::stateful
