#include "model/axioms.hpp"

#include "model/axioms_hardware.hpp"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

using Broken = std::optional<std::string_view>;

Relation sc_order(const Execution&, const Relations& r) { return r.po | r.threads | r.rf; }

Broken sc_broken(const Execution& x) {
    const Relations r(x);
    if (const auto broken = broken_in_all(r)) {
        return broken;
    }
    return (sc_order(x, r) | r.co | r.fr).acyclic() ? Broken{} : "sequential consistency";
}

// --- tso and pso -------------------------------------------------------------------------------------------------------------------------

/// Fences that order everything before them with everything after: mfence, and what a seq_cst fence is compiled to. The start and end of a
/// thread, spawning and joining synchronise through the operating system, which fences too.
bool is_full_fence(const Event& e) {
    switch (e.kind) {
    case EventKind::Fence:
        return e.order == Order::SeqCst;
    case EventKind::Begin:
    case EventKind::End:
    case EventKind::Spawn:
    case EventKind::Join:
        return true;
    default:
        return false;
    }
}

/// On PSO: fences that order earlier writes with later writes: stbar, and what release fences are compiled to.
bool is_store_fence(const Event& e) {
    return e.kind == EventKind::Fence && (e.order == Order::Release || e.order == Order::AcqRel || e.fence == FenceKind::SFence ||
                                          e.fence == FenceKind::DmbSt || e.fence == FenceKind::DsbSt);
}

/// The order that a store buffer keeps. A write may be overtaken by later reads, with `writes_overtake` also by later writes, except across
/// fences, atomic updates (locked instructions), a seq_cst write (compiled with a fence behind it) and, on PSO, before a release write (compiled
/// with a store fence before it).
Relation preserved(const Execution& x, const Relations& r, bool writes_overtake) {
    const auto& events = x.events;
    const std::size_t n = events.size();
    const Relation full = Relation::identity(n, [&](std::size_t e) { return is_full_fence(events[e]); });
    const Relation store = Relation::identity(n, [&](std::size_t e) { return is_store_fence(events[e]); });
    const Relation kept = r.po.filtered([&](std::size_t a, std::size_t b) {
        const Event& from = events[a];
        const Event& to = events[b];
        if (from.kind != EventKind::Write || is_full_fence(to)) {
            return true;
        }
        if (!to.is_access()) {
            return false; // else a write would be ordered before what follows a weaker fence
        }
        if (from.update || to.update || (to.is_read() && from.order == Order::SeqCst)) {
            return true;
        }
        return to.is_write() && (!writes_overtake || from.order == Order::SeqCst || is_release(to.order));
    });
    const Relation across = r.po.then(full).then(r.po);
    const Relation across_stores = r.po.then(store).then(r.po).filtered(
        [&](std::size_t a, std::size_t b) { return events[a].is_write() && events[b].is_write(); });
    return kept | across | across_stores;
}

template <bool writes_overtake> Relation buffered_order(const Execution& x, const Relations& r) {
    return preserved(x, r, writes_overtake) | r.threads | (r.rf & r.external);
}

template <bool writes_overtake> Broken buffered_broken(const Execution& x) {
    const Relations r(x);
    if (const auto broken = broken_in_all(r)) {
        return broken;
    }
    return (buffered_order<writes_overtake>(x, r) | r.co | r.fr).acyclic() ? Broken{} : "global order";
}

// --- ra and rc11 -------------------------------------------------------------------------------------------------------------------------

Relation ra_order(const Execution&, const Relations& r) { return (r.po | r.threads | r.rf).closure(); }

Broken ra_broken(const Execution& x) {
    const Relations r(x);
    if (const auto broken = broken_in_all(r)) {
        return broken;
    }
    const Relation hb = ra_order(x, r);
    return hb.irreflexive() && hb.then(r.rf | r.co | r.fr).irreflexive() ? Broken{} : "release-acquire coherence";
}

/// Under rc11 an assembly full fence counts as a seq_cst fence; weaker ones order nothing that the model speaks of.
bool is_sc(const Event& e) { return e.order == Order::SeqCst && (e.is_access() || e.kind == EventKind::Fence); }

Relation rc11_psc(const Execution& x, const Relations& r, const Relation& hb) {
    const auto& events = x.events;
    const std::size_t n = events.size();
    const auto same_location = [&](std::size_t a, std::size_t b) {
        return events[a].is_access() && events[b].is_access() && events[a].location == events[b].location;
    };
    const Relation sc = Relation::identity(n, [&](std::size_t e) { return is_sc(events[e]); });
    const Relation fence =
        Relation::identity(n, [&](std::size_t e) { return is_sc(events[e]) && events[e].kind == EventKind::Fence; });
    const Relation po_other = r.po.filtered([&](std::size_t a, std::size_t b) { return !same_location(a, b); });
    const Relation scb = r.po | po_other.then(hb).then(po_other) | hb.filtered(same_location) | r.co | r.fr;
    const Relation eco = (r.rf | r.co | r.fr).closure();
    const Relation base = (sc | fence.then(hb.maybe())).then(scb).then(sc | hb.maybe().then(fence));
    return base | fence.then(hb | hb.then(eco).then(hb)).then(fence);
}

Broken rc11_broken(const Execution& x) {
    const Relations r(x);
    if (const auto broken = broken_in_all(r)) {
        return broken;
    }
    const Relation hb = rc11_happens_before(x, r);
    const Relation eco = (r.rf | r.co | r.fr).closure();
    if (!hb.irreflexive() || !hb.then(eco).irreflexive()) {
        return "coherence";
    }
    if (!(r.po | r.threads | r.rf).acyclic()) {
        return "no thin air";
    }
    return rc11_psc(x, r, hb).acyclic() ? Broken{} : "seq_cst order";
}

constexpr std::array kAxioms{
    Axioms{"sc", sc_broken, sc_order, true},
    Axioms{"tso", buffered_broken<false>, buffered_order<false>, true},
    Axioms{"pso", buffered_broken<true>, buffered_order<true>, true},
    Axioms{.name = "ra", .broken = ra_broken, .order = ra_order, .all_synchronize = true},
    Axioms{"rc11", rc11_broken, rc11_happens_before, false, true, Architecture::C, false, true},
    Axioms{"power", power_broken, nullptr, true, false, Architecture::Power},
    Axioms{"armv8", armv8_broken, nullptr, true, false, Architecture::AArch64},
    Axioms{"armv8-lse", armv8_lse_broken, nullptr, true, false, Architecture::AArch64, true},
};

} // namespace

Broken broken_in_all(const Relations& r) {
    if (!(r.po_loc | r.rf | r.co | r.fr).acyclic()) {
        return "coherence";
    }
    if (!(r.rmw & (r.fr & r.external).then(r.co & r.external)).empty()) {
        return "atomicity";
    }
    return std::nullopt;
}

Relation rc11_happens_before(const Execution& x, const Relations& r) {
    const auto& events = x.events;
    const std::size_t n = events.size();
    const auto set = [&](auto&& in) { return Relation::identity(n, [&](std::size_t e) { return in(events[e]); }); };
    const Relation releases =
        set([](const Event& e) { return (e.kind == EventKind::Write || e.kind == EventKind::Fence) && is_release(e.order); });
    const Relation acquires =
        set([](const Event& e) { return (e.is_read() || e.kind == EventKind::Fence) && is_acquire(e.order); });
    const Relation fences = set([](const Event& e) { return e.kind == EventKind::Fence; });
    const Relation writes = set([](const Event& e) { return e.kind == EventKind::Write && e.order != Order::NonAtomic; });
    const Relation reads = set([](const Event& e) { return e.is_read() && e.order != Order::NonAtomic; });
    // rs without its "same thread" part, which C++20 removed.
    const Relation rs = writes.then(r.rf.then(r.rmw).closure().maybe());
    const Relation sw =
        releases.then(fences.then(r.po).maybe()).then(rs).then(r.rf).then(reads).then(r.po.then(fences).maybe()).then(acquires);
    return (r.po | r.threads | sw).closure();
}

std::span<const Axioms> all_axioms() { return kAxioms; }

std::span<const Axioms> program_order_axioms() {
    static_assert(!kAxioms[4].is_processor() && kAxioms[5].is_processor());
    return std::span(kAxioms).first(5);
}

const Axioms* find_axioms(std::string_view name) {
    const auto it = std::ranges::find(kAxioms, name, &Axioms::name);
    return it == kAxioms.end() ? nullptr : &*it;
}

} // namespace heddle
