#include "search/stateful/state.hpp"

namespace heddle::stateful {

Packed pack(Parts& parts, const World& w, const World* from, const Packed& packed_from) {
    Packed p;
    p.threads = parts.tuples.intern(w.threads);
    p.memory = from && from->contents == w.contents ? packed_from.memory : parts.tuples.intern(w.contents);
    if (from && w.pending.empty() && from->pending.empty() && w.objects == from->objects && w.atomic == from->atomic &&
        w.depth == from->depth) {
        p.rest = packed_from.rest;
        return p;
    }
    std::uint32_t rest[4] = {w.objects, w.atomic, w.depth, 0};
    std::size_t count = 3;
    if (!w.pending.empty()) {
        std::vector<std::uint64_t> words;
        w.pending.encode(words);
        rest[count++] = parts.pending.intern(words);
    }
    p.rest = parts.tuples.intern(std::span<const std::uint32_t>(rest, count));
    return p;
}

void unpack(const Parts& parts, const Packed& packed, World& into) {
    const auto threads = parts.tuples[packed.threads];
    into.threads.assign(threads.begin(), threads.end());
    const auto contents = parts.tuples[packed.memory];
    into.contents.assign(contents.begin(), contents.end());
    const auto rest = parts.tuples[packed.rest];
    into.objects = rest[0];
    into.atomic = rest[1];
    into.depth = rest[2];
    into.pending = rest.size() > 3 ? PendingStores::decode(parts.pending.wide(rest[3])) : PendingStores{};
}

} // namespace heddle::stateful
