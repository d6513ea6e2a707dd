#include "search/stateful/state.hpp"

namespace heddle::stateful {

Packed pack(Parts& parts, const World& w, std::vector<std::uint64_t>& scratch, const World* from, const Packed& packed_from) {
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
        scratch.clear();
        w.pending.encode(scratch);
        rest[count++] = parts.pending.intern(scratch);
    }
    p.rest = parts.tuples.intern(std::span<const std::uint32_t>(rest, count));
    return p;
}

std::vector<std::uint32_t> flatten(Parts& parts, const World& w) {
    std::vector<std::uint32_t> flat;
    flat.reserve(w.threads.size() + w.contents.size() + 6);
    flat.insert(flat.end(), {static_cast<std::uint32_t>(w.threads.size()), static_cast<std::uint32_t>(w.contents.size()),
                             w.objects, w.atomic, w.depth});
    flat.insert(flat.end(), w.threads.begin(), w.threads.end());
    flat.insert(flat.end(), w.contents.begin(), w.contents.end());
    if (!w.pending.empty()) {
        std::vector<std::uint64_t> words;
        w.pending.encode(words);
        flat.push_back(parts.pending.intern(words));
    }
    return flat;
}

void unflatten(const Parts& parts, std::span<const std::uint32_t> flat, World& into) {
    constexpr std::size_t kHead = 5;
    const auto threads = flat.subspan(kHead, flat[0]);
    const auto contents = flat.subspan(kHead + flat[0], flat[1]);
    into.threads.assign(threads.begin(), threads.end());
    into.contents.assign(contents.begin(), contents.end());
    into.objects = flat[2];
    into.atomic = flat[3];
    into.depth = flat[4];
    into.pending.clear();
    if (flat.size() > kHead + flat[0] + flat[1]) {
        into.pending.decode(parts.pending.wide(flat.back()));
    }
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
    into.pending.clear();
    if (rest.size() > 3) {
        into.pending.decode(parts.pending.wide(rest[3]));
    }
}

} // namespace heddle::stateful
