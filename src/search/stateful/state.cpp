#include "search/stateful/state.hpp"

namespace heddle::stateful {
namespace {

constexpr PartId kNoPart = ~PartId{0};

/// What comes last in a list of numbers: nothing, the pending stores, or these (kNoPart: there are none) and the races.
std::size_t put_tail(Parts& parts, const World& w, std::vector<std::uint64_t>& scratch, std::uint32_t* into) {
    std::size_t count = 0;
    if (!w.pending.empty() || w.races.is_on()) {
        scratch.clear();
        w.pending.encode(scratch);
        into[count++] = w.pending.empty() ? kNoPart : parts.pending.intern(scratch);
    }
    if (w.races.is_on()) {
        scratch.clear();
        w.races.encode(scratch, parts.races_by_place);
        into[count++] = parts.races.intern(scratch);
    }
    return count;
}

void take_tail(const Parts& parts, std::span<const std::uint32_t> tail, World& into) {
    into.pending.clear();
    if (!tail.empty() && tail[0] != kNoPart) {
        into.pending.decode(parts.pending.wide(tail[0]));
    }
    if (tail.size() > 1) {
        into.races.decode(parts.races.wide(tail[1]));
    }
}

} // namespace

Packed pack(Parts& parts, const World& w, std::vector<std::uint64_t>& scratch, const World* from, const Packed& packed_from) {
    Packed p;
    p.threads = parts.tuples.intern(w.threads);
    p.memory = from && from->contents == w.contents ? packed_from.memory : parts.tuples.intern(w.contents);
    if (from && !w.races.is_on() && w.pending.empty() && from->pending.empty() && w.objects == from->objects &&
        w.atomic == from->atomic && w.depth == from->depth) {
        p.rest = packed_from.rest;
        return p;
    }
    constexpr std::size_t kHead = 3;
    std::uint32_t rest[kHead + 2] = {w.objects, w.atomic, w.depth};
    const std::size_t count = kHead + put_tail(parts, w, scratch, rest + kHead);
    p.rest = parts.tuples.intern(std::span<const std::uint32_t>(rest, count));
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
    std::uint32_t tail[2];
    flat.insert(flat.end(), tail, tail + put_tail(parts, w, scratch, tail));
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
    take_tail(parts, flat.subspan(kHead + flat[0] + flat[1]), into);
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
    take_tail(parts, rest.subspan(3), into);
}

} // namespace heddle::stateful
