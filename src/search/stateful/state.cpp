#include "search/stateful/state.hpp"

#include "search/stateful/packed_list.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {
namespace {

PartId list_part(Parts& parts, std::span<const PartId> list, PackScratch& scratch) {
    pack_list(list, scratch.list);
    return parts.tuples.intern(scratch.list);
}

/// From `k` on, where two lists of the same length differ; their length: they do not. (Two numbers at a time: this is asked about every step.)
std::size_t first_difference(std::span<const PartId> a, std::span<const PartId> b, std::size_t k) {
    for (; k + 2 <= a.size(); k += 2) {
        std::uint64_t two_of_a = 0;
        std::uint64_t two_of_b = 0;
        std::memcpy(&two_of_a, a.data() + k, sizeof two_of_a);
        std::memcpy(&two_of_b, b.data() + k, sizeof two_of_b);
        if (two_of_a != two_of_b) {
            return a[k] != b[k] ? k : k + 1;
        }
    }
    return k < a.size() && a[k] == b[k] ? k + 1 : k;
}

/// Of threads, under the numbers that all know them by.
PartId threads_part(Parts& parts, LocalParts& locals, std::span<const LocalImages::Id> threads, PackScratch& scratch) {
    scratch.shared.resize(threads.size());
    for (std::size_t k = 0; k < threads.size(); ++k) {
        scratch.shared[k] = locals.threads.shared(threads[k]);
    }
    return list_part(parts, scratch.shared, scratch);
}

/// The part that `make` makes of `list`, where `before` was made into one already and `list` may differ from it in one place only.
template <class F> PartId list_part(std::span<const PartId> list, std::span<const PartId> before, PartId before_part,
                                    ListChanges& changes, bool remember, F&& make) {
    if (list.size() != before.size() || !remember) {
        return make();
    }
    const std::size_t at = first_difference(list, before, 0);
    if (at == list.size()) {
        return before_part;
    }
    if (first_difference(list, before, at + 1) != list.size()) {
        return make();
    }
    const PartId known = changes.after(before_part, at, list[at]);
    if (known != kNoPart) {
        return known;
    }
    const PartId part = make();
    changes.learn(before_part, at, list[at], part);
    return part;
}

/// The number in Parts::shapes of a shape that was a passing one.
PartId stays(Parts& parts, const PendingStores& pending, PackScratch& scratch) {
    const std::uint32_t passing = pending.shape_id() & ~PendingStores::kPassing;
    if (passing >= scratch.shapes.size()) {
        scratch.shapes.resize(passing + 1, kNoPart);
    }
    PartId& shape = scratch.shapes[passing];
    if (shape == kNoPart) {
        shape = parts.shapes.intern(pending.shape());
    }
    return shape;
}

/// Of what is pending: its part, if it is known, and nothing; otherwise kNoPart, and what the part is to be made from.
std::pair<PartId, std::span<const std::uint32_t>> pending_part(Parts& parts, const World& w, PackScratch& scratch) {
    if (w.pending.empty()) {
        return {kNoPart, {}};
    }
    if (w.pending.part() != PendingStores::kNoPart) {
        return {w.pending.part(), {}};
    }
    if (w.pending.has_image()) {
        const bool passing = (w.pending.shape_id() & PendingStores::kPassing) != 0;
        const auto values = w.pending.values();
        if (scratch.pending.size() <= values.size()) {
            scratch.pending.resize(2 * values.size() + 2);
        }
        scratch.pending[0] = passing ? stays(parts, w.pending, scratch) : w.pending.shape_id();
        copy_words(scratch.pending.data() + 1, values.data(), values.size());
        return {kNoPart, std::span(scratch.pending.data(), 1 + values.size())};
    }
    scratch.wide.clear();
    w.pending.encode_shape(scratch.wide);
    scratch.pending.assign(1, parts.shapes.intern(scratch.wide));
    w.pending.encode_values(scratch.pending);
    return {kNoPart, scratch.pending};
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
        const auto words = parts.pending[pending];
        into.pending.refer_to(parts.shapes.wide(words[0]), words[0], words.subspan(1), pending);
    }
}

} // namespace

void ListChanges::learn(PartId before, std::size_t at, PartId part, PartId after) {
    constexpr std::size_t kFirst = 64, kMost = 1u << 16; // a small check stays small, a large one does not go far for it
    if (learnt_ == slots_.size() && slots_.size() < kMost) {
        std::vector<Change> old(std::max(kFirst, slots_.size() * 2));
        slots_.swap(old);
        for (const Change& c : old) {
            if (c.before != kNoPart) {
                slots_[slot(c.before, c.at, c.part)] = c;
            }
        }
        learnt_ = 0;
    }
    ++learnt_;
    slots_[slot(before, at, part)] = {.before = before, .at = static_cast<std::uint32_t>(at), .part = part, .after = after};
}

Packed pack(Parts& parts, LocalParts& locals, const World& w, PackScratch& scratch, const World* from,
            const Packed& packed_from) {
    Packed p;
    const auto [known_pending, new_pending] = pending_part(parts, w, scratch);
    p.pending = known_pending;
    const std::uint64_t hash = new_pending.empty() ? 0 : parts.pending.prepare(new_pending);
    const auto threads = [&] { return threads_part(parts, locals, w.threads, scratch); };
    const auto memory = [&] { return list_part(parts, w.contents, scratch); };
    p.threads = from ? list_part(w.threads, from->threads, packed_from.threads, scratch.thread_changes, scratch.remember, threads)
                     : threads();
    p.memory = from ? list_part(w.contents, from->contents, packed_from.memory, scratch.memory_changes, scratch.remember, memory)
                    : memory();
    if (!new_pending.empty()) {
        p.pending = parts.pending.intern_prepared(new_pending, hash);
    }
    if (from && !w.races.is_on() && w.objects == from->objects && w.atomic == from->atomic && w.depth == from->depth) {
        p.rest = packed_from.rest;
        return p;
    }
    constexpr std::size_t kHead = 3;
    std::uint32_t rest[kHead + 1] = {locals.objects.shared(w.objects), w.atomic, w.depth, 0};
    if (w.races.is_on()) {
        rest[kHead] = races_part(parts, w, scratch);
    }
    p.rest = list_part(parts, std::span<const std::uint32_t>(rest, kHead + (w.races.is_on() ? 1 : 0)), scratch);
    return p;
}

void unpack(const Parts& parts, LocalParts& locals, const Packed& packed, World& into, std::vector<std::uint32_t>& scratch,
            const Packed* held) {
    if (!held || held->threads != packed.threads) {
        unpack_list(parts.tuples[packed.threads], into.threads);
        for (LocalImages::Id& thread : into.threads) {
            thread = locals.threads.local(thread);
        }
    }
    if (!held || held->memory != packed.memory) {
        unpack_list(parts.tuples[packed.memory], into.contents);
    }
    take_pending(parts, packed.pending, into);
    if (held && held->rest == packed.rest) {
        return;
    }
    unpack_list(parts.tuples[packed.rest], scratch);
    into.objects = locals.objects.local(scratch[0]);
    into.atomic = scratch[1];
    into.depth = scratch[2];
    if (scratch.size() > 3) {
        into.races.decode(parts.races.wide(scratch[3]));
    }
}

} // namespace heddle::stateful
