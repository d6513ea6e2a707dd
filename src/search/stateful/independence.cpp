#include "search/stateful/independence.hpp"

#include <algorithm>

namespace heddle::stateful {
namespace {

constexpr Address kWord = 8; // a cell; and what a load looks at besides its bytes (Stepper::in_pieces)

Address word_of(Address a) { return a & ~(kWord - 1); }

/// Bytes of the words that the access is in.
std::uint64_t words_of(const Action& a) { return word_of(a.address + a.size + kWord - 1) - word_of(a.address); }

} // namespace

Independence::Independence(Threads& threads, SharedMemory& memory, const Program& program, const Prologue& prologue)
    : threads_(threads), memory_(memory), futures_(program, prologue.main, prologue.memory) {
    for (const Function& f : program.functions) {
        asks_sizes_ = asks_sizes_ || std::ranges::any_of(f.code, [](const Instr& i) {
                          return i.op == Op::Builtin && static_cast<Builtin>(i.x()) == Builtin::ObjectSize;
                      });
    }
}

/// Joins in a row: what one gives must not matter for where the thread goes.
std::vector<std::uint32_t> Independence::joins_of(const World& w, std::uint32_t t) {
    constexpr std::size_t kMostJoins = 64;
    std::vector<std::uint32_t> joins;
    PartId at = w.threads[t];
    while (joins.size() < kMostJoins) {
        const Standing& here = threads_.at(at, w.objects);
        if (here.phase != ThreadPhase::Running || here.action.kind != ActionKind::Join) {
            break;
        }
        joins.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(here.action.value.lo, ~0u)));
        const PartId next = threads_.after(at, w.objects, w.objects, {});
        const Value undefined{.undef_lo = ~std::uint64_t{0},
                              .undef_hi = ~std::uint64_t{0}}; // whoever looks at it stands at a trap
        if (next != threads_.after(at, w.objects, w.objects, undefined)) {
            break;
        }
        at = next;
    }
    return joins;
}

Independence::Known& Independence::look_at(const World& w, std::uint32_t t) {
    static const Future kNothing{};
    const PartId image = w.threads[t];
    const Standing& s = threads_.at(image, w.objects);
    Known k{.running = s.phase == ThreadPhase::Running,
            .future = s.state.top ? &futures_.of(s.state, {}) : &kNothing,
            .joins = joins_of(w, t),
            .accesses = is_access(s.action)};
    if (k.accesses) {
        futures_.cells().add(word_of(s.action.address), words_of(s.action), k.cells);
    }
    const auto [at, fresh] =
        alike_.try_emplace(Alike{k.running, k.future, k.joins, k.accesses, k.cells}, static_cast<std::uint32_t>(known_.size()));
    if (fresh) {
        k.number = at->second;
        known_.push_back(std::make_unique<Known>(std::move(k)));
    }
    if (image >= of_image_.size()) {
        of_image_.resize(std::max<std::size_t>(image + 1, of_image_.size() * 2), 0);
    }
    of_image_[image] = at->second + 1;
    return *known_[at->second];
}

const Future& Independence::barred(const World& w, std::uint32_t t, Address lock) {
    Known& k = known(w, t);
    const auto at = std::ranges::find(k.barred, lock, &std::pair<Address, const Future*>::first);
    if (at != k.barred.end()) {
        return *at->second;
    }
    const Standing& s = threads_.at(w.threads[t], w.objects);
    k.barred.emplace_back(lock, s.state.top ? &futures_.of(s.state, lock) : k.future);
    return *k.barred.back().second;
}

bool Independence::waits_for(const World& w, std::uint32_t waiter, std::uint32_t t, unsigned depth) {
    if (depth == w.threads.size()) {
        return false; // they wait for each other
    }
    for (const std::uint32_t joined : known(w, waiter).joins) {
        if (joined == t || (joined < w.threads.size() && known(w, joined).running && waits_for(w, joined, t, depth + 1))) {
            return true;
        }
    }
    return false;
}

bool Independence::keeps(const World& w, std::uint32_t t, Address lock) {
    constexpr unsigned kLockBytes = 4;
    if (w.pending.has_of_others(static_cast<std::uint32_t>(w.threads.size()), lock, kLockBytes) ||
        kind_of(lock) != AddressKind::Global) {
        return false;
    }
    looked_at_memory_ = true;
    const Value owner = memory_.load(w, lock, kLockBytes);
    if (!owner.defined() || owner.lo != t + 1) {
        return false;
    }
    NumberSet cells;
    futures_.cells().add(lock, kLockBytes, cells);
    for (std::uint32_t u = 0; u < w.threads.size(); ++u) {
        if (u != t && known(w, u).running && !waits_for(w, u, t, 0) && barred(w, u, lock).writes.intersects(cells)) {
            return false;
        }
    }
    return true;
}

/// Is the action possible now, whatever is pending elsewhere, and stays so?
bool Independence::is_possible(const World& w, std::uint32_t t, const Action& a) {
    const bool fenced =
        a.kind == ActionKind::Rmw || a.kind == ActionKind::Lock || (memory_.has_buffers() && a.kind != ActionKind::Load);
    const bool waits = a.kind == ActionKind::Lock || a.wait != Wait::None;
    if (memory_.has_buffers()) {
        if (fenced && !memory_.is_drained(w, t)) {
            return false;
        }
        const std::uint32_t nobody = static_cast<std::uint32_t>(w.threads.size());
        if (w.pending.has_of_others(fenced || waits ? nobody : t, word_of(a.address), words_of(a))) {
            return false;
        }
    }
    if (!waits) {
        return true;
    }
    looked_at_memory_ = true;
    const Value v = memory_.load(w, a.address, a.size);
    return v.defined() && !effect_of_read(a, v).waits;
}

std::uint32_t Independence::number(const World& w, std::uint32_t t, const Standing& s) {
    const Known& k = known(w, t);
    return (is_access(s.action) && !k.accesses ? look_at(w, t) : k).number;
}

bool Independence::may_race(const World& w, std::uint32_t t, const RaceRecord& access) {
    const Future& future = *known(w, t).future;
    NumberSet cells;
    futures_.cells().add(access.address, access.size, cells);
    return (access.atomic ? future.plain_writes : future.writes).intersects(cells) ||
           (access.writes && (access.atomic ? future.plain_reads : future.reads).intersects(cells));
}

bool Independence::may_access(const World& w, std::uint32_t t, Address address, std::uint64_t size) {
    const Future& future = *known(w, t).future;
    NumberSet cells;
    futures_.cells().add(address, size, cells);
    return future.reads.intersects(cells) || future.writes.intersects(cells);
}

bool Independence::holds(const World& w, std::uint32_t t, const Standing& s) {
    const Action& a = s.action;
    const bool writes = a.kind != ActionKind::Load;
    const bool stores = a.kind == ActionKind::Store || a.kind == ActionKind::Unlock;
    if (stores && memory_.has_buffers() && !drains_after(a.order)) {
        return memory_.options().bound == 0;
    }
    Known& before = known(w, t);
    Known& me = before.accesses ? before : look_at(w, t); // it was at a trap then, among other objects
    // The answer is mostly no: somebody who waits for nobody conflicts, which is remembered. So that is asked first.
    bool contested = false;
    for (std::uint32_t u = 0; u < w.threads.size(); ++u) {
        if (u == t) {
            continue;
        }
        const Known& other = known(w, u);
        if (other.running && conflicts(me, writes, other)) {
            contested = true;
            if (other.joins.empty() && me.future->unlocks.empty()) {
                return false;
            }
        }
    }
    return is_possible(w, t, a) && (!contested || comes_first(w, t, me, writes));
}

bool Independence::comes_first(const World& w, std::uint32_t t, Known& me, bool writes) {
    for (std::uint32_t u = 0; u < w.threads.size(); ++u) {
        if (u == t) {
            continue;
        }
        const Known& other = known(w, u);
        if (!other.running || !conflicts(me, writes, other) || waits_for(w, u, t, 0)) {
            continue;
        }
        if (std::ranges::none_of(me.future->unlocks,
                                 [&](Address m) { return !conflicts(me, writes, barred(w, u, m)) && keeps(w, t, m); })) {
            return false;
        }
    }
    return true;
}

} // namespace heddle::stateful
