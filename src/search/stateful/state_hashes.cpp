#include "search/stateful/state_hashes.hpp"

#include "search/stateful/contents.hpp"
#include "search/stateful/packed_list.hpp"

#include <algorithm>
#include <unordered_map>

namespace heddle::stateful {
namespace {

std::uint64_t& known_at(std::vector<std::uint64_t>& known, PartId id) {
    if (id >= known.size()) {
        known.resize(std::max<std::size_t>(std::size_t{id} + 1, known.size() * 2), 0);
    }
    return known[id];
}

/// Members of the list at Packed::rest.
constexpr std::size_t kObjects = 0, kRaces = 3;

} // namespace

std::uint64_t StateHashes::of_part(const Interner& parts, Known& known, PartId id) {
    std::uint64_t& hash = known_at(known, id);
    if (hash == 0) {
        const auto words = parts[id];
        hash = hash_words(words.data(), words.size());
    }
    return hash;
}

std::uint64_t StateHashes::of_image(const ImageInterner& parts, Known& known, PartId id) {
    std::uint64_t& hash = known_at(known, id);
    if (hash == 0) {
        parts.take(id, image_);
        hash = hash_words(reinterpret_cast<const std::uint32_t*>(image_.data()), 2 * image_.size());
    }
    return hash;
}

template <class F> std::uint64_t StateHashes::of_list(Known& known, PartId id, F&& hash_of_member) {
    if (const std::uint64_t hash = known_at(known, id); hash != 0) {
        return hash;
    }
    unpack_list(parts_.tuples[id], list_);
    hashes_.clear();
    for (std::size_t k = 0; k < list_.size(); ++k) {
        hashes_.push_back(hash_of_member(k, list_[k]));
    }
    return known[id] = hash_words(reinterpret_cast<const std::uint32_t*>(hashes_.data()), 2 * hashes_.size());
}

std::uint64_t StateHashes::of_contents(PartId id) {
    const auto words = parts_.contents[id];
    const auto pieces = Contents::pieces_of(words);
    if (pieces.empty()) {
        return of_part(parts_.contents, contents_, id);
    }
    if (const std::uint64_t hash = known_at(contents_, id); hash != 0) {
        return hash;
    }
    std::vector<std::uint64_t> hashes = {hash_words(words.data(), Contents::kPiecesAt)};
    for (const PartId piece : pieces) {
        hashes.push_back(of_part(parts_.contents, contents_, piece));
    }
    return contents_[id] = hash_words(reinterpret_cast<const std::uint32_t*>(hashes.data()), 2 * hashes.size());
}

std::uint64_t StateHashes::of_pending(PartId id) {
    std::uint64_t& hash = known_at(pending_, id);
    if (hash == 0) {
        const auto words = parts_.pending[id];
        const std::uint64_t two[2] = {of_part(parts_.shapes, shapes_, words[0]), hash_words(words.data() + 1, words.size() - 1)};
        hash = hash_words(reinterpret_cast<const std::uint32_t*>(two), 4);
    }
    return hash;
}

std::uint64_t StateHashes::of(const Packed& p) {
    const std::uint64_t parts[4] = {
        of_list(lists_of_threads_, p.threads, [&](std::size_t, PartId id) { return of_image(parts_.threads, threads_, id); }),
        of_list(lists_of_contents_, p.memory, [&](std::size_t, PartId id) { return of_contents(id); }),
        of_list(rests_, p.rest,
                [&](std::size_t k, PartId id) {
                    return k == kObjects ? of_image(parts_.objects, objects_, id)
                           : k == kRaces ? of_part(parts_.races, races_, id)
                                         : id;
                }),
        p.pending == kNoPart ? 0 : of_pending(p.pending)};
    return hash_words(reinterpret_cast<const std::uint32_t*>(parts), 8);
}

namespace {

/// Takes parts over into other Parts, each once.
class Collector {
  public:
    Collector(const Parts& from, Parts& to) : from_(from), to_(to) {}

    void take(Packed& p) {
        p.threads =
            list(threads_, p.threads, [&](std::size_t, PartId id) { return image(from_.threads, to_.threads, of_threads_, id); });
        p.memory = list(contents_, p.memory, [&](std::size_t, PartId id) { return contents(id); });
        p.rest = list(rests_, p.rest, [&](std::size_t k, PartId id) {
            return k == kObjects ? image(from_.objects, to_.objects, of_objects_, id)
                   : k == kRaces ? part(from_.races, to_.races, of_races_, id)
                                 : id;
        });
        p.pending = p.pending == kNoPart ? kNoPart : pending(p.pending);
    }

  private:
    using Taken = std::unordered_map<PartId, PartId>;
    static PartId part(const Interner& from, Interner& to, Taken& taken, PartId id) {
        const auto [at, fresh] = taken.try_emplace(id);
        if (fresh) {
            at->second = to.intern(from.wide(id));
        }
        return at->second;
    }
    PartId image(const ImageInterner& from, ImageInterner& to, Taken& taken, PartId id) {
        const auto [at, fresh] = taken.try_emplace(id);
        if (fresh) {
            from.take(id, image_);
            at->second = to.intern(image_);
        }
        return at->second;
    }
    PartId contents(PartId id) {
        const auto known = of_contents_.find(id);
        if (known != of_contents_.end()) {
            return known->second;
        }
        const auto words = from_.contents[id];
        std::vector<std::uint32_t> taken(words.begin(), words.end());
        const auto pieces = Contents::pieces_of(words);
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            taken[Contents::kPiecesAt + k] = contents(pieces[k]);
        }
        return of_contents_[id] = to_.contents.intern(std::span<const std::uint32_t>(taken));
    }
    PartId pending(PartId id) {
        const auto [at, fresh] = of_pending_.try_emplace(id);
        if (fresh) {
            const auto words = from_.pending[id];
            list_.assign(words.begin(), words.end());
            list_[0] = part(from_.shapes, to_.shapes, of_shapes_, words[0]);
            at->second = to_.pending.intern(std::span<const std::uint32_t>(list_));
        }
        return at->second;
    }
    template <class F> PartId list(Taken& taken, PartId id, F&& take_member) {
        const auto known = taken.find(id);
        if (known != taken.end()) {
            return known->second;
        }
        unpack_list(from_.tuples[id], list_);
        for (std::size_t k = 0; k < list_.size(); ++k) {
            list_[k] = take_member(k, list_[k]);
        }
        pack_list(list_, packed_);
        return taken[id] = to_.tuples.intern(packed_);
    }

    const Parts& from_;
    Parts& to_;
    Taken of_threads_, of_contents_, of_objects_, of_races_, of_shapes_, of_pending_, threads_, contents_, rests_;
    std::vector<PartId> list_;
    std::vector<std::uint32_t> packed_;
    std::vector<std::uint64_t> image_;
};

} // namespace

std::unique_ptr<Parts> collected(const Parts& parts, Workforce* workforce, std::span<Packed* const> states) {
    auto fresh = std::make_unique<Parts>(workforce, parts.races_by_place);
    fresh->objects_made = parts.objects_made.load();
    Collector collector(parts, *fresh);
    for (Packed* const state : states) {
        collector.take(*state);
    }
    return fresh;
}

} // namespace heddle::stateful
