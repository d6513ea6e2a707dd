// StateHashes: hashes of states by what they are, whatever numbers their parts have (--hash-compaction).
//
// So parts need to be kept only while states that are still to be looked at have them: `collected` makes new ones with these alone.
#pragma once

#include "search/stateful/state.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace heddle::stateful {

/// Of one worker.
class StateHashes {
  public:
    explicit StateHashes(const Parts& parts) : parts_(parts) {}

    [[nodiscard]] std::uint64_t of(const Packed& state);

  private:
    /// By number of a part; 0: not asked about yet.
    using Known = std::vector<std::uint64_t>;
    std::uint64_t of_part(const Interner& parts, Known& known, PartId id);
    std::uint64_t of_image(const ImageInterner& parts, Known& known, PartId id);
    std::uint64_t of_contents(PartId id);
    std::uint64_t of_pending(PartId id);
    /// Of a list of numbers of parts, one kind of list for each Known.
    template <class F> std::uint64_t of_list(Known& known, PartId id, F&& hash_of_member);

    const Parts& parts_;
    Known threads_, contents_, objects_, shapes_, pending_, races_;
    Known lists_of_threads_, lists_of_contents_, rests_;
    std::vector<PartId> list_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint64_t> image_;
};

/// Parts that only these states have. The states become what they are made from.
std::unique_ptr<Parts> collected(const Parts& parts, Workforce* workforce, std::span<Packed* const> states);

} // namespace heddle::stateful
