// LocalImages: images (where a thread stands, tables of objects) as one worker numbers them. Those that states have are also in an ImageInterner, under a number that all workers share.
//
// Most of what a step comes through is of no state: a thread does several things at once and stands somewhere after each. (The endless stack under sc has 9 states, in which threads stand at 11 of the 110 places that
// are met.) So worlds are made of a worker's own numbers, which are cheap to give and are forgotten when there are many, and only what is packed is added to what is kept for good.
#pragma once

#include "search/stateful/image_interner.hpp"
#include "search/stateful/interner.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heddle::stateful {

/// Of one worker.
class LocalImages {
  public:
    using Id = std::uint32_t; ///< a number of this worker's
    static constexpr Id kNone = ImageInterner::kNone;

    explicit LocalImages(ImageInterner& shared) : shared_(shared) {}

    /// The number of these words; a new one if they are new. `like`: what they were made from; kNone: nobody knows.
    Id intern(std::span<const std::uint64_t> words, Id like = kNone);
    /// `into` becomes what was interned.
    void take(Id id, std::vector<std::uint64_t>& into) const;

    /// The number that all workers know it by; it is added to what is kept, if nobody had yet.
    [[nodiscard]] ImageInterner::Id shared(Id id) { return known_[id].shared != kNone ? known_[id].shared : share(id); }
    /// And back.
    [[nodiscard]] Id local(ImageInterner::Id shared) {
        return shared < locals_.size() && locals_[shared] != kNone ? locals_[shared] : fetch(shared);
    }
    /// All numbers of this worker's become invalid.
    void forget();

  private:
    struct Known {
        Id like = kNone;
        ImageInterner::Id shared = kNone; ///< kNone: not asked for yet
    };
    ImageInterner::Id share(Id id);
    Id fetch(ImageInterner::Id shared);
    void note(Id id, ImageInterner::Id shared);

    ImageInterner& shared_;
    std::unique_ptr<Interner> images_ = std::make_unique<Interner>(nullptr); ///< squeezed: equal words are equal bytes
    std::vector<Known> known_;                                               ///< by number
    std::vector<Id> locals_; ///< by number that all know: this worker's. kNone: not met
    std::vector<std::uint8_t> bytes_;
    std::vector<std::uint32_t> squeezed_;
    std::vector<std::uint64_t> words_;
};

} // namespace heddle::stateful
