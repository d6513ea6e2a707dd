#include "search/stateful/pending_moves.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>
#include <tuple>

namespace heddle::stateful {
namespace {

using Set = PendingStores::Set;

/// What is left, and what has reached memory.
struct Worked {
    PendingStores pending;
    std::vector<Landed> landed{};
    bool contended = false;
};
using Ways = std::vector<Worked>;

/// Every total order of `left` that respects the partial one, after `order`.
void each_order(const PendingStores& pending, const Set& left, const Set& order, FunctionRef<void(const Set&)> visit) {
    if (left.empty()) {
        visit(order);
        return;
    }
    for (std::size_t k = 0; k < left.size(); ++k) {
        if (!pending.is_minimal(left[k], left)) {
            continue;
        }
        Set rest = left;
        rest.erase(k);
        Set longer = order;
        longer.push_back(left[k]);
        each_order(pending, rest, longer, visit);
    }
}

/// Some total order of `left` that respects the partial one.
Set some_order(const PendingStores& pending, Set left) {
    Set order;
    while (!left.empty()) {
        const auto first = std::ranges::find_if(left, [&](std::size_t k) { return pending.is_minimal(k, left); });
        order.push_back(*first);
        left.erase(static_cast<std::size_t>(first - left.begin()));
    }
    return order;
}

/// Every set of `among` that may be those which have reached memory: with each store those that come before it, all that are flushed, and `certainly`.
void each_reached(const PendingStores& pending, const Set& among, std::optional<std::size_t> certainly,
                  FunctionRef<void(const Set&)> visit) {
    // Those with fewer before them first: whatever comes before a store is then decided before it is.
    struct Contender {
        std::size_t store = 0;
        std::uint32_t before = 0; ///< bits by position in `among`
        bool certain = false;
    };
    const std::size_t n = among.size();
    static_assert(Set::kMost <= 32);
    std::array<Contender, Set::kMost> all;
    std::array<std::uint8_t, Set::kMost> sorted;
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
            Set set;
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

void settle(Worked& w) {
    w.pending.settle([&](const PendingStore& s, bool visible) { w.landed.push_back({.store = s, .visible = visible}); });
}

void drain(Worked& w, std::uint32_t thread) {
    if (w.pending.has_unflushed(thread)) {
        w.pending.flush_thread(thread);
        settle(w);
    }
}

/// Those of `order` have reached memory, and those of `contenders` that are not in it have not. What has to be known of the order is known.
void reach_in_order(Worked&& next, const Set& contenders, const Set& order, Ways& ways) {
    constexpr std::size_t kMostWays = 100'000; // orders are as many as factorials, and budgets are looked at between steps
    if (ways.size() == kMostWays) {
        throw TooManyWays{};
    }
    for (const std::size_t k : order) {
        next.pending.flush(k);
    }
    for (const std::size_t k : contenders) {
        if (!order.contains(k)) {
            next.pending.keep(k);
        }
    }
    for (const std::size_t k : order) {
        next.landed.push_back({.store = next.pending.all()[k], .visible = true});
    }
    Set positions = order;
    std::ranges::sort(positions, std::greater<>());
    for (const std::size_t k : positions) {
        next.pending.take_out(k);
    }
    settle(next);
    ways.push_back(std::move(next));
}

/// Those of `choice` have reached memory by now, in every order of them that makes a difference; the rest of `contenders` has not.
void reach(const Worked& w, const Set& contenders, const Set& choice, Ways& ways) {
    const auto all = w.pending.all();
    const bool alike = std::ranges::all_of(
        choice, [&](std::size_t k) { return all[k].address == all[choice[0]].address && all[k].size == all[choice[0]].size; });
    if (choice.empty()) {
        reach_in_order(Worked(w), contenders, choice, ways);
        return;
    }
    if (!alike) {
        each_order(w.pending, choice, {}, [&](const Set& chain) {
            Worked next = w;
            for (std::size_t k = 1; k < chain.size(); ++k) {
                next.pending.order(chain[k - 1], chain[k]);
            }
            reach_in_order(std::move(next), contenders, chain, ways);
        });
        return;
    }
    // Only the last is seen: how the others are ordered among themselves need not be decided.
    for (const std::size_t last : choice) {
        if (std::ranges::any_of(choice, [&](std::size_t k) { return w.pending.is_before(last, k); })) {
            continue;
        }
        Worked next = w;
        Set others;
        for (const std::size_t k : choice) {
            if (k != last) {
                next.pending.order(k, last);
                others.push_back(k);
            }
        }
        Set order = some_order(next.pending, others);
        order.push_back(last);
        reach_in_order(std::move(next), contenders, order, ways);
    }
}

void read(Worked&& w, const Operation& op, Ways& ways) {
    const auto [address, size, thread] = std::tuple(op.store.address, unsigned{op.store.size}, op.store.thread);
    if (op.kind == Operation::Kind::Update) {
        drain(w, thread);
    }
    w.contended = w.pending.has_of_others(thread, address, size);
    if (!w.contended) {
        ways.push_back(std::move(w));
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
        Worked next = w;
        next.pending.keep(contenders[own]);
        ways.push_back(std::move(next));
    }
    // With the thread's own in its buffer was the case above.
    each_reached(w.pending, contenders, own < n ? std::optional(contenders[own]) : std::nullopt,
                 [&](const Set& choice) { reach(w, contenders, choice, ways); });
}

/// A place in the buffer becomes free: the oldest store leaves it.
void make_room(Worked& w, const PendingStore& store, Buffer buffer, std::uint64_t bound) {
    const auto all = w.pending.all();
    const auto counts = [&](const PendingStore& s) {
        return s.thread == store.thread && !s.flushed && (buffer == Buffer::PerThread || s.overlaps(store));
    };
    if (static_cast<std::uint64_t>(std::ranges::count_if(all, counts)) >= bound) {
        w.pending.flush(static_cast<std::size_t>(std::ranges::find_if(all, counts) - all.begin()));
        settle(w);
    }
}

Ways work_out(const PendingStores& before, const Operation& op, Buffer buffer, std::uint64_t bound) {
    Ways ways;
    Worked w{.pending = before};
    switch (op.kind) {
    case Operation::Kind::Load:
    case Operation::Kind::Update:
        read(std::move(w), op, ways);
        return ways;
    case Operation::Kind::LandAll: {
        const Set contenders = w.pending.contenders(op.store.address, op.store.size);
        reach(w, contenders, contenders, ways);
        return ways;
    }
    case Operation::Kind::Drain:
        drain(w, op.store.thread);
        break;
    case Operation::Kind::FenceStores:
        w.pending.fence_stores(op.store.thread);
        break;
    case Operation::Kind::Push:
    case Operation::Kind::PushAndDrain:
        if (bound != 0) {
            make_room(w, op.store, buffer, bound);
        }
        w.pending.push(op.store, buffer, op.after_all);
        if (op.kind == Operation::Kind::PushAndDrain) {
            w.pending.flush_thread(op.store.thread);
            settle(w);
        }
        break;
    }
    ways.push_back(std::move(w));
    return ways;
}

bool reads(const Operation& op) { return op.kind == Operation::Kind::Load || op.kind == Operation::Kind::Update; }

OwnBytes own_bytes(const PendingStores& pending, const Operation& op) {
    return reads(op) ? own_bytes(pending, op.store.thread, op.store.address, op.store.size) : OwnBytes{};
}

/// The thread's own stores that have the bytes: the newest, and whether there are others or bytes that it does not have.
std::pair<const PendingStore*, bool> own_store(const PendingStores& pending, const Operation& op) {
    const PendingStore* newest = nullptr;
    bool in_pieces = false;
    for (const PendingStore& s : pending.all()) {
        if (reads(op) && s.thread == op.store.thread && s.overlaps(op.store)) {
            const bool covers = s.covers(op.store.address, op.store.size);
            in_pieces = !covers; // what is older is overwritten
            newest = &s;
        }
    }
    return {newest, in_pieces};
}

} // namespace

// --- what a thread finds in its buffer ------------------------------------------------------------------------------------------------------

OwnBytes own_bytes(const PendingStores& pending, std::uint32_t thread, Address address, unsigned size) {
    OwnBytes own;
    for (const PendingStore& s : pending.all()) {
        if (s.thread != thread || !s.overlaps(address, size)) {
            continue;
        }
        const Address from = std::max(s.address, address);
        const Address to = std::min(s.address + s.size, address + size);
        const auto bytes = static_cast<unsigned>(to - from);
        const auto at = static_cast<unsigned>(from - address);
        put_part(own.value, at, bytes, part_of(s.value, static_cast<unsigned>(from - s.address), bytes));
        own.which |= ((1u << bytes) - 1) << at;
    }
    return own;
}

Value OwnBytes::partly_over(const Value& memory, unsigned size) const {
    Value v = memory;
    for (unsigned k = 0; k < size; ++k) {
        if ((which >> k & 1) != 0) {
            put_part(v, k, 1, part_of(value, k, 1));
        }
    }
    return v;
}

// --- what is remembered ----------------------------------------------------------------------------------------------------------------------

std::uint64_t PendingMoves::hash(const Key& key) {
    std::uint64_t h = 0x9e3779b97f4a7c15u;
    for (const std::uint64_t word : key.words) {
        h = (h ^ word) * 0xc4ceb9fe1a85ec53u;
        h ^= h >> 29;
    }
    return h;
}

std::size_t PendingMoves::slot(const Key& key) const {
    std::size_t at = hash(key) & (slots_.size() - 1);
    while (slots_[at] != 0 && known_[slots_[at] - 1].key != key) {
        at = (at + 1) & (slots_.size() - 1);
    }
    return at;
}

void PendingMoves::grow() {
    constexpr std::size_t kFirst = 64;
    slots_.assign(std::max(kFirst, slots_.size() * 2), 0);
    for (std::size_t k = 0; k < known_.size(); ++k) {
        slots_[slot(known_[k].key)] = static_cast<std::uint32_t>(k + 1);
    }
}

std::uint32_t PendingMoves::shape_of(const PendingStores& pending) {
    if (pending.empty() || pending.has_image()) {
        return pending.shape_id();
    }
    wide_.clear();
    pending.encode_shape(wide_);
    const auto known = shapes_.find(wide_);
    return known ? *known : passing_.intern(wide_) | PendingStores::kPassing;
}

void PendingMoves::make_image(PendingStores& pending) {
    values_.clear();
    pending.encode_values(values_);
    const std::uint32_t id = shape_of(pending);
    pending.refer_to(shape(id), id, values_);
}

void PendingMoves::take(const Way& way, PendingStores& pending) const {
    if (way.unchanged) {
        return;
    }
    if (way.pending) {
        pending = std::move(*way.pending);
    } else if (way.shape == PendingStores::kNoPart) {
        pending.clear();
    } else {
        pending.refer_to(shape(way.shape), way.shape, *way.values);
    }
}

std::uint32_t PendingMoves::learn(const Key& key, const PendingStores& before, const Operation& op) {
    // Stores go by their tags meanwhile.
    PendingStores tagged = before;
    std::vector<From> froms;
    std::uint32_t first = 0;
    const auto number = [&](PendingStore& s) {
        const ValueForm form(s.value);
        s.tag = static_cast<std::uint32_t>(froms.size());
        froms.push_back({.first = first, .form = form.bits()});
        first += static_cast<std::uint32_t>(form.words());
    };
    std::ranges::for_each(tagged.all_to_change(), number);
    Operation operation = op;
    number(operation.store);

    const Ways worked = work_out(tagged, operation, buffer_, bound_);
    const Known known{
        .key = key,
        .ways = {.first = static_cast<std::uint32_t>(ways_.size()), .count = static_cast<std::uint32_t>(worked.size())}};
    for (const Worked& w : worked) {
        const auto [own, in_pieces] = own_store(w.pending, op);
        KnownWay way{.shape = shape_of(w.pending),
                     .values = static_cast<std::uint32_t>(words_.size()),
                     .value_count = 0,
                     .landed = static_cast<std::uint32_t>(landed_.size()),
                     .landed_count = 0,
                     .own = std::nullopt,
                     .in_pieces = in_pieces,
                     .contended = w.contended,
                     .unchanged = false};
        for (const PendingStore& s : w.pending.all()) {
            const From& from = froms[s.tag];
            for (std::uint32_t k = 0; k < ValueForm(from.form).words(); ++k, ++way.value_count) {
                words_.push_back(from.first + k);
            }
        }
        for (const Landed& l : w.landed) {
            if (l.visible) { // of the others nobody knows but who tells a story
                landed_.push_back({.store = l.store, .from = froms[l.store.tag]});
                ++way.landed_count;
            }
        }
        const auto kept = std::span(words_).subspan(way.values);
        way.unchanged = way.shape == before.shape_id() && kept.size() == before.values().size();
        for (std::uint32_t k = 0; k < kept.size(); ++k) {
            way.unchanged = way.unchanged && kept[k] == k;
        }
        if (own && !in_pieces) {
            way.own = {
                .from = froms[own->tag], .size = own->size, .offset = static_cast<std::uint8_t>(op.store.address - own->address)};
        }
        ways_.push_back(way);
    }
    if ((known_.size() + 1) * 2 > slots_.size()) {
        grow();
    }
    known_.push_back(known);
    const auto position = static_cast<std::uint32_t>(known_.size());
    slots_[slot(key)] = position;
    return position - 1;
}

void PendingMoves::each_worked_out(const PendingStores& before, const Operation& op, FunctionRef<void(const Way&)> visit) const {
    for (Worked& w : work_out(before, op, buffer_, bound_)) {
        visit({.landed = w.landed, .own = own_bytes(w.pending, op), .contended = w.contended, .pending = &w.pending});
    }
}

PendingMoves::Range PendingMoves::find(PendingStores& before, const Operation& op) {
    const PendingStore& s = op.store;
    give_image(before);
    const Key key{{std::uint64_t{before.shape_id()} << 32 | s.place.index,
                   std::uint64_t{s.message} << 48 | std::uint64_t{s.thread} << 32 | std::uint64_t{s.size} << 16 |
                       std::uint64_t{ValueForm(s.value).bits()} << 9 | (op.after_all ? 0x100u : 0) |
                       static_cast<std::uint64_t>(op.kind),
                   s.address}};
    const std::uint32_t found = slots_.empty() ? 0 : slots_[slot(key)];
    return known_[found != 0 ? found - 1 : learn(key, before, op)].ways;
}

void PendingMoves::put_together(Way& out, std::uint32_t number, const PendingStores& before, const Operation& op) {
    const KnownWay& way = ways_[number];
    out.contended = way.contended;
    out.unchanged = way.unchanged;
    out.shape = way.shape;
    if (!way.unchanged || way.own || way.landed_count != 0) {
        fill(out, way, before.values(), op);
    }
    if (way.in_pieces) {
        PendingStores left = before;
        take(out, left);
        out.own = own_bytes(left, op);
    }
}

void PendingMoves::fill(Way& out, const KnownWay& way, std::span<const std::uint32_t> values, const Operation& op) {
    std::array<std::uint32_t, ValueForm::kMostWords> pushed;
    ValueForm(op.store.value).put(op.store.value, pushed.data());
    const auto word = [&](std::uint32_t k) { return k < values.size() ? values[k] : pushed[k - values.size()]; };
    const auto value_of = [&](const From& from) {
        const ValueForm f(from.form);
        if (f.words() == 1) {
            return Value{.lo = word(from.first)};
        }
        std::array<std::uint32_t, ValueForm::kMostWords> words;
        for (std::uint32_t k = 0; k < f.words(); ++k) {
            words[k] = word(from.first + k);
        }
        return f.take(words.data());
    };
    if (way.own) {
        const Value v = value_of(way.own->from);
        out.own = {.value = way.own->size == op.store.size ? v : part_of(v, way.own->offset, op.store.size),
                   .which = (1u << op.store.size) - 1};
    }
    if (!way.unchanged) {
        std::uint32_t* const left = left_.make(way.value_count);
        const std::uint32_t* const from = words_.data() + way.values;
        const auto there = static_cast<std::uint32_t>(values.size());
        for (std::uint32_t k = 0; k < way.value_count; ++k) {
            const std::uint32_t which = from[k];
            left[k] = *(which < there ? values.data() + which : pushed.data() + (which - there));
        }
        out.values = &left_;
    }
    lands_.clear();
    for (const KnownLanded& l : std::span(landed_).subspan(way.landed, way.landed_count)) {
        lands_.push_back({.store = l.store, .visible = true});
        lands_.back().store.value = value_of(l.from);
    }
    out.landed = lands_;
}

void PendingMoves::trim(std::size_t many) {
    if (ways_.size() + landed_.size() > many) {
        slots_.clear();
        known_.clear();
        ways_.clear();
        words_.clear();
        landed_.clear();
    }
}

} // namespace heddle::stateful
