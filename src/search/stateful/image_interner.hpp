// ImageInterner: an Interner for parts that are looked at seldom and resemble each other: where a thread stands, tables of objects. Grows only; safe for several workers at a time.
//
// A part is kept squeezed, by how it differs from another one: that from which it was made, if whoever adds it says so, or the one that the same worker added before. That one may be kept so too, but
// nobody has to go further than kFar parts to read one. What is compared, when a part is looked up, is the whole of it, so which part another is kept by does not matter for what is found.
//
// Workers: a part refers only to parts whose numbers the worker that adds it has had from a table, or has added itself. Whoever reads its number from the table sees all that this worker saw before it put it there
// (numbering.hpp), and so the other parts too.
#pragma once

#include "search/stateful/arena.hpp"
#include "search/stateful/numbering.hpp"
#include "search/stateful/stable_array.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heddle::stateful {

class ImageInterner {
  public:
    using Id = std::uint32_t;
    static constexpr Id kNone = ~Id{0};

    /// `workforce`: who will use it; null: one worker.
    explicit ImageInterner(Workforce* workforce);
    ImageInterner(const ImageInterner&) = delete;
    ImageInterner& operator=(const ImageInterner&) = delete;

    /// The number of these words; a new one if they are new. `like`: what they may have much in common with; kNone: nobody knows.
    Id intern(std::span<const std::uint64_t> words, Id like = kNone);
    /// `into` becomes what was interned.
    void take(Id id, std::vector<std::uint64_t>& into) const;
    [[nodiscard]] std::size_t size() const { return numbering_.size(); }
    /// Of memory in use.
    [[nodiscard]] std::size_t bytes() const;

  private:
    // Of the first parts some are far away, so that a small check stays small; in a large one they are looked up more often, and there are more states to share them.
    static constexpr unsigned kFar = 16, kFarOfMany = 4;
    static constexpr std::uint32_t kFew = 256;
    /// The part that it is kept by, as 1 + its number (0: none), and the words (squeezed.hpp).
    using Record = const std::uint8_t*;
    /// Where a worker puts records, and what it works with.
    struct Worker {
        Arena<std::uint8_t> records{};
        Id last = kNone; ///< that it has added
        std::vector<std::uint64_t> words{}, like{};
        std::vector<std::uint8_t> record{}, plain{};
    };
    class Adding;
    [[nodiscard]] Worker& mine() { return by_worker_[numbering_.worker()]; }
    /// The part or, if it is so far from one that is kept as it is, the next on the way there that is nearer.
    [[nodiscard]] Id near(Id id, unsigned far_at_most) const;

    Numbering numbering_;
    StableArray<Record> records_{}; ///< by number
    std::unique_ptr<Worker[]> by_worker_;
};

} // namespace heddle::stateful
