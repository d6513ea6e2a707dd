#include "search/stateful/shared_memory.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace heddle::stateful {
namespace {

/// Every total order of `left` that respects the partial one, after `order`.
void each_order(const PendingStores& pending, const PendingStores::Set& left, const PendingStores::Set& order,
                FunctionRef<void(const PendingStores::Set&)> visit) {
    if (left.empty()) {
        visit(order);
        return;
    }
    for (std::size_t k = 0; k < left.size(); ++k) {
        if (!pending.is_minimal(left[k], left)) {
            continue;
        }
        PendingStores::Set rest = left;
        rest.erase(k);
        PendingStores::Set longer = order;
        longer.push_back(left[k]);
        each_order(pending, rest, longer, visit);
    }
}

/// Some total order of `left` that respects the partial one.
PendingStores::Set some_order(const PendingStores& pending, PendingStores::Set left) {
    PendingStores::Set order;
    while (!left.empty()) {
        const auto first = std::ranges::find_if(left, [&](std::size_t k) { return pending.is_minimal(k, left); });
        order.push_back(*first);
        left.erase(static_cast<std::size_t>(first - left.begin()));
    }
    return order;
}

/// Every set of `among` that may be those which have reached memory: with each store those that come before it, all that are flushed, and `certainly`.
void each_reached(const PendingStores& pending, const PendingStores::Set& among, std::optional<std::size_t> certainly,
                  FunctionRef<void(const PendingStores::Set&)> visit) {
    // Those with fewer before them first: whatever comes before a store is then decided before it is.
    struct Contender {
        std::size_t store = 0;
        std::uint32_t before = 0; ///< bits by position in `among`
        bool certain = false;
    };
    const std::size_t n = among.size();
    static_assert(PendingStores::Set::kMost <= 32);
    std::array<Contender, PendingStores::Set::kMost> all;
    std::array<std::uint8_t, PendingStores::Set::kMost> sorted;
    for (std::size_t k = 0; k < n; ++k) {
        Contender& c = all[k];
        c.store = among[k];
        c.certain =
            pending.all()[c.store].flushed || (certainly && (c.store == *certainly || pending.is_before(c.store, *certainly)));
        for (std::size_t j = 0; j < n; ++j) {
            c.before |= pending.is_before(among[j], c.store) ? 1u << j : 0u;
        }
        sorted[k] = static_cast<std::uint8_t>(k);
    }
    std::ranges::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(n), {},
                      [&](std::uint8_t k) { return std::popcount(all[k].before); });
    const auto decide = [&](auto& self, std::size_t at, std::uint32_t chosen) -> void {
        if (at == n) {
            PendingStores::Set set;
            for (std::size_t k = 0; k < n; ++k) {
                if ((chosen >> k & 1) != 0) {
                    set.push_back(among[k]);
                }
            }
            visit(set);
            return;
        }
        const Contender& c = all[sorted[at]];
        if (!c.certain) {
            self(self, at + 1, chosen);
        }
        if ((c.before & ~chosen) == 0) {
            self(self, at + 1, chosen | 1u << sorted[at]);
        }
    };
    decide(decide, 0, 0);
}

} // namespace

// --- memory itself -------------------------------------------------------------------------------------------------------------------------

Value SharedMemory::load(const World& w, Address address, unsigned size) {
    const Object* o = tables_[w.objects].objects.find(address);
    HEDDLE_CHECK(o && o->alive, "load of an unchecked address");
    return contents_.load(w.contents[o->handle], address - o->base, size);
}

void SharedMemory::put(World& w, const PendingStore& s) {
    const Object* o = tables_[w.objects].objects.find(s.address);
    HEDDLE_CHECK(o && o->alive, "store to an unchecked address");
    PartId& contents = w.contents[o->handle];
    contents = contents_.store(contents, s.address - o->base, s.size, s.value);
    if (w.races.is_on()) {
        w.races.lands(s.address, s.size, s.message);
    }
    note_reaches(s);
}

void SharedMemory::note_reaches(const PendingStore& s) {
    if (!log_.on) {
        return;
    }
    log_.note({.kind = Happened::Kind::Reaches, .thread = ThreadId(s.thread), .tag = s.tag});
}

void SharedMemory::allocate(World& w, const Action& a) {
    const ObjectTable& table = tables_[w.objects];
    std::vector<Object> made = table.made;
    const auto at = std::ranges::upper_bound(made, a.address, {}, &Object::base);
    const auto position = at - made.begin();
    made.insert(
        at,
        {.base = a.address, .size = a.count, .kind = a.object, .alive = true, .allocated = a.place, .freed = {}, .name = a.name});
    const Ref<Block> block = a.image ? Block::make(a.count, *a.image)
                                     : Block::make(a.count, a.zeroed ? Block::Content::Zero : Block::Content::Undefined);
    const std::size_t globals = w.contents.size() - table.made.size();
    w.contents.insert(w.contents.begin() + static_cast<std::ptrdiff_t>(globals) + position, contents_.intern(*block));
    w.objects = tables_.intern(made, table.lost);
}

std::vector<PendingStore> SharedMemory::free(World& w, std::uint32_t thread, const Action& a) {
    const ObjectTable& table = tables_[w.objects];
    const Object object = *table.objects.find(a.address);
    std::vector<PendingStore> late;
    for (const PendingStore& s : w.pending.all()) {
        if (s.overlaps(object.base, object.size) && s.thread != thread && !s.flushed) {
            late.push_back(s);
        }
    }
    // Nobody can rightly read them any more, and where the bytes were there will be something else (section 3.2 of the paper).
    w.pending.take_out(object.base, object.size);
    if (w.races.is_on()) {
        w.races.forget(object.base, object.size);
    }
    std::vector<Object> made = table.made;
    const auto at = std::ranges::find(made, a.address, &Object::base);
    const std::size_t position = w.contents.size() - made.size() + static_cast<std::size_t>(at - made.begin());
    if (at->kind == ObjectKind::Stack) {
        made.erase(at);
        w.contents.erase(w.contents.begin() + static_cast<std::ptrdiff_t>(position));
    } else {
        at->alive = false;
        at->freed = a.place;
        w.contents[position] = contents_.nothing();
    }
    w.objects = tables_.intern(made, table.lost);
    return late;
}

// --- buffers -------------------------------------------------------------------------------------------------------------------------------

void SharedMemory::settle(World& w) {
    w.pending.settle([&](const PendingStore& s, bool visible) {
        if (visible) {
            put(w, s);
        } else {
            note_reaches(s);
        }
    });
}

bool SharedMemory::drain(World& w, std::uint32_t thread) {
    if (!options_.delayed) {
        return !w.pending.has(thread);
    }
    if (w.pending.has_unflushed(thread)) {
        w.pending.flush_thread(thread);
        settle(w);
    }
    return true;
}

void SharedMemory::fence_stores(World& w, std::uint32_t thread) { w.pending.fence_stores(thread); }

bool SharedMemory::write(World& w, const PendingStore& store, Order order) {
    if (!has_buffers()) {
        put(w, store);
        return true;
    }
    if (!options_.delayed && drains_after(order)) { // the moment at which it is flushed is the moment at which its thread goes on
        if (w.pending.has(store.thread)) {
            return false;
        }
        put(w, store);
        return true;
    }
    if (options_.bound != 0) {
        // A place in the buffer must be free: the oldest store has left it.
        const auto all = w.pending.all();
        const auto counts = [&](const PendingStore& s) {
            return s.thread == store.thread && !s.flushed && (options_.buffer == Buffer::PerThread || s.overlaps(store));
        };
        if (static_cast<std::uint64_t>(std::ranges::count_if(all, counts)) >= options_.bound) {
            if (!options_.delayed) {
                return false;
            }
            w.pending.flush(static_cast<std::size_t>(std::ranges::find_if(all, counts) - all.begin()));
            settle(w);
        }
    }
    w.pending.push(store, options_.buffer, comes_after_all(options_.buffer, order));
    if (options_.delayed && drains_after(order)) {
        w.pending.flush_thread(store.thread);
        settle(w);
    }
    return true;
}

Value SharedMemory::uncontended(const World& w, std::uint32_t thread, Address address, unsigned size) {
    Value v = load(w, address, size);
    for (const PendingStore& s : w.pending.all()) {
        if (s.thread != thread || !s.overlaps(address, size)) {
            continue;
        }
        const Address from = std::max(s.address, address);
        const Address to = std::min(s.address + s.size, address + size);
        const auto bytes = static_cast<unsigned>(to - from);
        put_part(v, static_cast<unsigned>(from - address), bytes,
                 part_of(s.value, static_cast<unsigned>(from - s.address), bytes));
    }
    return v;
}

bool SharedMemory::is_contended(const World& w, std::uint32_t thread, Address address, unsigned size) {
    return std::ranges::any_of(w.pending.all(),
                               [&](const PendingStore& s) { return s.thread != thread && s.overlaps(address, size); });
}

void SharedMemory::read(World& w, std::uint32_t thread, Address address, unsigned size, bool locked, const Read& found) {
    if (locked && !drain(w, thread)) {
        return;
    }
    if (!options_.delayed || !is_contended(w, thread, address, size)) {
        found(w, uncontended(w, thread, address, size));
        return;
    }
    const Set contenders = w.pending.contenders(address, size);
    const std::size_t n = contenders.size();
    const auto all = w.pending.all();
    std::size_t own = n; // the newest of the thread's own that has all the bytes and may still be in its buffer
    for (std::size_t k = 0; k < n; ++k) {
        const PendingStore& s = all[contenders[k]];
        if (s.thread == thread && s.overlaps(address, size)) {
            own = s.covers(address, size) && !s.flushed ? k : n;
        }
    }
    if (own < n) {
        auto copy = pool_.copy(w);
        World& next = *copy;
        next.pending.keep(contenders[own]);
        found(next, uncontended(next, thread, address, size));
    }
    // With the thread's own in its buffer was the case above.
    each_reached(w.pending, contenders, own < n ? std::optional(contenders[own]) : std::nullopt, [&](const Set& choice) {
        reach(w, contenders, choice, [&](World& next) { found(next, uncontended(next, thread, address, size)); });
    });
}

void SharedMemory::reach(const World& w, const Set& contenders, const Set& choice, const Reached& reached) {
    const auto all = w.pending.all();
    const bool alike = std::ranges::all_of(
        choice, [&](std::size_t k) { return all[k].address == all[choice[0]].address && all[k].size == all[choice[0]].size; });
    if (choice.empty()) {
        auto copy = pool_.copy(w);
        reach_in_order(*copy, contenders, choice, reached);
        return;
    }
    if (!alike) {
        each_order(w.pending, choice, {}, [&](const Set& chain) {
            auto copy = pool_.copy(w);
            World& next = *copy;
            for (std::size_t k = 1; k < chain.size(); ++k) {
                next.pending.order(chain[k - 1], chain[k]);
            }
            reach_in_order(next, contenders, chain, reached);
        });
        return;
    }
    // Only the last is seen: how the others are ordered among themselves need not be decided.
    for (const std::size_t last : choice) {
        if (std::ranges::any_of(choice, [&](std::size_t k) { return w.pending.is_before(last, k); })) {
            continue;
        }
        auto copy = pool_.copy(w);
        World& next = *copy;
        Set others;
        for (const std::size_t k : choice) {
            if (k != last) {
                next.pending.order(k, last);
                others.push_back(k);
            }
        }
        Set order = some_order(next.pending, others);
        order.push_back(last);
        reach_in_order(next, contenders, order, reached);
    }
}

/// Those of `order` have reached memory, and those of `contenders` that are not in it have not. What has to be known of the order is known.
void SharedMemory::reach_in_order(World& next, const Set& contenders, const Set& order, const Reached& reached) {
    const std::size_t noted = log_.entries.size();
    for (const std::size_t k : order) {
        next.pending.flush(k);
    }
    for (const std::size_t k : contenders) {
        if (!order.contains(k)) {
            next.pending.keep(k);
        }
    }
    for (const std::size_t k : order) {
        put(next, next.pending.all()[k]);
    }
    Set positions = order;
    std::ranges::sort(positions, std::greater<>());
    for (const std::size_t k : positions) {
        next.pending.take_out(k);
    }
    settle(next);
    reached(next);
    log_.entries.resize(noted);
}

void SharedMemory::flush_one(const World& w, FunctionRef<void(World&, const PendingStore&)> reached) {
    const auto all = w.pending.all();
    for (std::size_t k = 0; !options_.delayed && k < all.size(); ++k) {
        bool first = true;
        for (std::size_t j = 0; j < all.size(); ++j) {
            first = first && !w.pending.is_before(j, k);
        }
        if (first) {
            const std::size_t noted = log_.entries.size();
            auto copy = pool_.copy(w);
            World& next = *copy;
            next.pending.take_out(k);
            put(next, all[k]);
            reached(next, all[k]);
            log_.entries.resize(noted);
        }
    }
}

void SharedMemory::flush_all(const World& w, const Reached& reached) {
    if (w.pending.empty()) {
        reached(*pool_.copy(w));
        return;
    }
    const PendingStore& first = w.pending.all().front();
    const Set contenders = w.pending.contenders(first.address, first.size);
    reach(w, contenders, contenders, [&](World& next) { flush_all(next, reached); });
}

} // namespace heddle::stateful
