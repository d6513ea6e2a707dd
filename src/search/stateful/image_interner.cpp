#include "search/stateful/image_interner.hpp"

#include "search/stateful/interner.hpp"
#include "search/stateful/squeezed.hpp"

#include <algorithm>
#include <array>

namespace heddle::stateful {
namespace {

std::uint64_t hash_of_words(std::span<const std::uint64_t> words) {
    return hash_words(reinterpret_cast<const std::uint32_t*>(words.data()), 2 * words.size());
}

} // namespace

ImageInterner::ImageInterner(Workforce* workforce)
    : numbering_(workforce), by_worker_(std::make_unique<Worker[]>(numbering_.workers())) {}

/// One part, as Numbering sees it.
class ImageInterner::Adding {
  public:
    Adding(ImageInterner& to, std::span<const std::uint64_t> words, Id like)
        : to_(to), mine_(to.mine()), words_(words), like_(like) {}

    [[nodiscard]] bool is_it(std::uint32_t k) {
        to_.take(k, mine_.words);
        return std::ranges::equal(mine_.words, words_);
    }
    [[nodiscard]] std::uint64_t hash_of(std::uint32_t k) {
        to_.take(k, mine_.words);
        return hash_of_words(mine_.words);
    }
    void reserve(std::uint32_t k) { to_.records_.reserve(k); }
    void make(std::uint32_t k) {
        auto& record = mine_.record;
        record.assign(1, 0);
        squeeze(words_, {}, record);
        if (const Id like = like_ != kNone ? like_ : mine_.last; like != kNone) {
            mine_.plain.swap(record);
            const Id near = to_.near(like, k < kFew ? kFar : kFarOfMany);
            to_.take(near, mine_.like);
            record.clear();
            squeeze_number(near + 1, record);
            squeeze(words_, mine_.like, record);
            // What is kept by a difference hands its own differences down to all that come after it, so a large one is not worth it.
            if (mine_.plain.size() <= 2 * record.size()) {
                record.swap(mine_.plain);
            }
        }
        std::uint8_t* const kept = mine_.records.take(record.size());
        std::ranges::copy(record, kept);
        *to_.records_[k] = kept;
        kept_ = true;
    }
    /// Was it made, and another was quicker?
    void was_in_vain() {
        if (kept_) {
            mine_.records.give_back(mine_.record.size());
        }
    }

  private:
    ImageInterner& to_;
    Worker& mine_;
    std::span<const std::uint64_t> words_;
    Id like_;
    bool kept_ = false;
};

ImageInterner::Id ImageInterner::intern(std::span<const std::uint64_t> words, Id like) {
    Adding adding(*this, words, like);
    const Numbering::Found found = numbering_.find_or_make(hash_of_words(words), adding);
    if (found.fresh) {
        mine().last = found.number;
    } else {
        adding.was_in_vain();
    }
    return found.number;
}

void ImageInterner::take(Id id, std::vector<std::uint64_t>& into) const {
    std::array<Record, kFar + 1> way; // from the part to the one that is kept as it is
    std::size_t far = 0;
    for (std::uint32_t next = id + 1; next != 0; ++far) {
        Record record = *records_[next - 1];
        next = unsqueeze_number(record);
        way[far] = record;
    }
    into.clear();
    while (far-- > 0) {
        unsqueeze(way[far], into);
    }
}

ImageInterner::Id ImageInterner::near(Id id, unsigned far_at_most) const {
    std::array<Id, kFar + 1> way;
    std::size_t far = 0;
    for (std::uint32_t next = id + 1; next != 0; ++far) {
        way[far] = next - 1;
        Record record = *records_[next - 1];
        next = unsqueeze_number(record);
    }
    return way[far <= far_at_most ? 0 : far - far_at_most];
}

std::size_t ImageInterner::bytes() const {
    std::size_t n = size() * sizeof(Record) + numbering_.bytes();
    for (const Worker& w : std::span(by_worker_.get(), numbering_.workers())) {
        n += w.records.bytes();
    }
    return n;
}

} // namespace heddle::stateful
