#include "search/stateful/state.hpp"

#include "search/stateful/packed_list.hpp"

namespace heddle::stateful {
namespace {

PartId list_part(Parts& parts, std::span<const PartId> list, PackScratch& scratch) {
    pack_list(list, scratch.list);
    return parts.tuples.intern(scratch.list);
}

PartId pending_part(Parts& parts, const World& w, PackScratch& scratch) {
    if (w.pending.empty()) {
        return kNoPart;
    }
    if (w.pending.part() != PendingStores::kNoPart) {
        return w.pending.part();
    }
    scratch.wide.clear();
    w.pending.encode(scratch.wide);
    return parts.pending.intern(scratch.wide);
}

PartId races_part(Parts& parts, const World& w, PackScratch& scratch) {
    scratch.wide.clear();
    w.races.encode(scratch.wide, parts.races_by_place);
    return parts.races.intern(scratch.wide);
}

void take_pending(const Parts& parts, PartId pending, World& into) {
    if (pending == kNoPart) {
        into.pending.clear();
    } else {
        into.pending.refer_to(parts.pending.wide(pending), pending);
    }
}

} // namespace

Packed pack(Parts& parts, const World& w, PackScratch& scratch, const World* from, const Packed& packed_from) {
    Packed p;
    p.threads = list_part(parts, w.threads, scratch);
    p.memory = from && from->contents == w.contents ? packed_from.memory : list_part(parts, w.contents, scratch);
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
    p.rest = list_part(parts, std::span<const std::uint32_t>(rest, kHead + (w.races.is_on() ? 1 : 0)), scratch);
    return p;
}

void unpack(const Parts& parts, const Packed& packed, World& into, std::vector<std::uint32_t>& scratch, const Packed* held) {
    if (!held || held->threads != packed.threads) {
        unpack_list(parts.tuples[packed.threads], into.threads);
    }
    if (!held || held->memory != packed.memory) {
        unpack_list(parts.tuples[packed.memory], into.contents);
    }
    take_pending(parts, packed.pending, into);
    if (held && held->rest == packed.rest) {
        return;
    }
    unpack_list(parts.tuples[packed.rest], scratch);
    into.objects = scratch[0];
    into.atomic = scratch[1];
    into.depth = scratch[2];
    if (scratch.size() > 3) {
        into.races.decode(parts.races.wide(scratch[3]));
    }
}

} // namespace heddle::stateful
