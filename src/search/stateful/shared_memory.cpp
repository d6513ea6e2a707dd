#include "search/stateful/shared_memory.hpp"

#include "support/check.hpp"

#include <algorithm>

namespace heddle::stateful {

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

void SharedMemory::allocate(World& w, const Action& a) {
    const ObjectTable& table = tables_[w.objects];
    std::vector<Object> made = table.made;
    const auto at = std::ranges::upper_bound(made, a.address, {}, &Object::base);
    const auto position = at - made.begin();
    made.insert(at, {.base = a.address,
                     .size = a.count,
                     .kind = a.object,
                     .alive = true,
                     .allocated = a.place,
                     .freed = {},
                     .name = a.name,
                     .layout = a.layout});
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

void SharedMemory::take(World& w, const PendingMoves::Way& way) {
    for (const Landed& l : way.landed) {
        if (l.visible) {
            put(w, l.store);
        } else {
            note_reaches(l.store);
        }
    }
    moves_.take(way, w.pending);
}

void SharedMemory::move(World& w, const Operation& operation) {
    moves_.each(w.pending, operation, log_.on, [&](const PendingMoves::Way& way) { take(w, way); });
}

bool SharedMemory::drain(World& w, std::uint32_t thread) {
    if (!options_.delayed) {
        return !w.pending.has(thread);
    }
    if (w.pending.has_unflushed(thread)) {
        move(w, {.kind = Operation::Kind::Drain, .store = {.thread = thread}});
    }
    return true;
}

void SharedMemory::fence_stores(World& w, std::uint32_t thread) {
    if (!w.pending.empty()) {
        move(w, {.kind = Operation::Kind::FenceStores, .store = {.thread = thread}});
    }
}

void SharedMemory::decide(World& w, std::uint32_t thread, FunctionRef<bool(const PendingStore&)> concerns,
                          const Reached& decided) {
    std::vector<Bytes> looked;
    decide(w, thread, concerns, looked, decided);
}

void SharedMemory::decide(World& w, std::uint32_t thread, FunctionRef<bool(const PendingStore&)> concerns,
                          std::vector<Bytes>& looked, const Reached& decided) {
    // One look after the other. What one found not to be there may get there before a later one, or is not known to come after what that one found: then there is another.
    const auto all = w.pending.all();
    const auto is_later = [&](std::size_t k) {
        for (std::size_t f = 0; f < all.size(); ++f) {
            if (all[f].flushed && !w.pending.is_before(f, k)) {
                return false;
            }
        }
        return true;
    };
    const auto open = std::ranges::find_if(all, [&](const PendingStore& s) {
        return concerns(s) && (s.flushed || std::ranges::find(looked, Bytes(s.address, s.size)) == looked.end() ||
                               !is_later(static_cast<std::size_t>(&s - all.data())));
    });
    if (open == all.end()) {
        return decided(w);
    }
    const Operation look{.kind = Operation::Kind::Load,
                         .store = {.address = open->address, .thread = thread, .size = open->size}};
    looked.emplace_back(open->address, open->size);
    const std::size_t noted = log_.entries.size();
    moves_.each(w.pending, look, log_.on, [&](const PendingMoves::Way& way) {
        auto copy = pool_.copy(w);
        take(*copy, way);
        decide(*copy, thread, concerns, looked, decided);
        log_.entries.resize(noted);
    });
    looked.pop_back();
}

bool SharedMemory::write(World& w, const PendingStore& store, Order order) {
    if (!has_buffers()) {
        put(w, store);
        return true;
    }
    const bool drains = drains_after(order);
    if (options_.delayed) {
        move(w, {.kind = drains ? Operation::Kind::PushAndDrain : Operation::Kind::Push,
                 .after_all = comes_after_all(options_.buffer, order),
                 .store = store});
        return true;
    }
    if (drains) { // the moment at which it is flushed is the moment at which its thread goes on
        if (w.pending.has(store.thread)) {
            return false;
        }
        put(w, store);
        return true;
    }
    const auto takes_a_place = [&](const PendingStore& s) {
        return s.thread == store.thread && (options_.buffer == Buffer::PerThread || s.overlaps(store));
    };
    if (options_.bound != 0 &&
        static_cast<std::uint64_t>(std::ranges::count_if(w.pending.all(), takes_a_place)) >= options_.bound) {
        return false;
    }
    w.pending.push(store, options_.buffer, comes_after_all(options_.buffer, order));
    return true;
}

Value SharedMemory::uncontended(const World& w, std::uint32_t thread, Address address, unsigned size) {
    const auto memory = [&] { return load(w, address, size); };
    return w.pending.empty() ? memory() : own_bytes(w.pending, thread, address, size).over(memory, size);
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
    PendingStores pending = w.pending;
    const PendingStore& store = pending.all().front();
    const Operation operation{.kind = Operation::Kind::LandAll, .store = {.address = store.address, .size = store.size}};
    const std::size_t noted = log_.entries.size();
    moves_.each(pending, operation, log_.on, [&](const PendingMoves::Way& way) {
        auto copy = pool_.copy(w);
        take(*copy, way);
        flush_all(*copy, reached);
        log_.entries.resize(noted);
    });
}

} // namespace heddle::stateful
