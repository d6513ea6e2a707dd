#include "search/stateful/state.hpp"

namespace heddle::stateful {
namespace {

PartId pending_part(Parts& parts, const World& w, std::vector<std::uint64_t>& scratch) {
    if (w.pending.empty()) {
        return kNoPart;
    }
    scratch.clear();
    w.pending.encode(scratch);
    return parts.pending.intern(scratch);
}

PartId races_part(Parts& parts, const World& w, std::vector<std::uint64_t>& scratch) {
    scratch.clear();
    w.races.encode(scratch, parts.races_by_place);
    return parts.races.intern(scratch);
}

void take_pending(const Parts& parts, PartId pending, World& into) {
    if (pending == kNoPart) {
        into.pending.clear();
    } else {
        into.pending.decode(parts.pending.wide(pending));
    }
}

} // namespace

Packed pack(Parts& parts, const World& w, std::vector<std::uint64_t>& scratch, const World* from, const Packed& packed_from) {
    Packed p;
    p.threads = parts.tuples.intern(w.threads);
    p.memory = from && from->contents == w.contents ? packed_from.memory : parts.tuples.intern(w.contents);
    p.pending = pending_part(parts, w, scratch);
    if (from && !w.races.is_on() && w.objects == from->objects && w.atomic == from->atomic && w.depth == from->depth) {
        p.rest = packed_from.rest;
        return p;
    }
    constexpr std::size_t kHead = 3;
    std::uint32_t rest[kHead + 1] = {w.objects, w.atomic, w.depth, 0};
    if (w.races.is_on()) {
        rest[kHead] = races_part(parts, w, scratch);
    }
    p.rest = parts.tuples.intern(std::span<const std::uint32_t>(rest, kHead + (w.races.is_on() ? 1 : 0)));
    return p;
}

std::vector<std::uint32_t> flatten(Parts& parts, const World& w) {
    std::vector<std::uint32_t> flat;
    flat.reserve(w.threads.size() + w.contents.size() + 7);
    flat.insert(flat.end(), {static_cast<std::uint32_t>(w.threads.size()), static_cast<std::uint32_t>(w.contents.size()),
                             w.objects, w.atomic, w.depth});
    flat.insert(flat.end(), w.threads.begin(), w.threads.end());
    flat.insert(flat.end(), w.contents.begin(), w.contents.end());
    std::vector<std::uint64_t> scratch;
    if (!w.pending.empty() || w.races.is_on()) {
        flat.push_back(pending_part(parts, w, scratch));
    }
    if (w.races.is_on()) {
        flat.push_back(races_part(parts, w, scratch));
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
    const auto tail = flat.subspan(kHead + flat[0] + flat[1]);
    take_pending(parts, tail.empty() ? kNoPart : tail[0], into);
    if (tail.size() > 1) {
        into.races.decode(parts.races.wide(tail[1]));
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
    take_pending(parts, packed.pending, into);
    if (rest.size() > 3) {
        into.races.decode(parts.races.wide(rest[3]));
    }
}

} // namespace heddle::stateful
