// POWER and ARMv8 as their definitions read: processors that reorder whatever nothing orders.
//
// A C program reaches them compiled (program/compile_atomics.hpp), so the fences are events. Starting and joining a thread goes through the operating
// system, which fences: Spawn, Begin, End and Join are taken for full fences that also order across the two threads.
#include "model/axioms_hardware.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace heddle {
namespace {

using Broken = std::optional<std::string_view>;

bool is_thread_event(const Event& e) {
    return e.kind == EventKind::Spawn || e.kind == EventKind::Begin || e.kind == EventKind::End || e.kind == EventKind::Join;
}

template <class F> Relation fences(const Execution& x, F&& is) {
    return Relation::identity(x.events.size(),
                              [&](std::size_t e) { return x.events[e].kind == EventKind::Fence && is(x.events[e].fence); });
}

/// What is before such a fence with what is behind it: po ; [F] ; po. Most questions are about executions without most kinds of fences.
template <class F> Relation across_fences(const Execution& x, const Relations& r, F&& is) {
    const Relation between = fences(x, is);
    return between.empty() ? between : r.po.then(between).then(r.po);
}

Relation relation_of(const Execution& x, const DependencyLists::List& pairs) {
    Relation r(x.events.size());
    for (const auto& [from, to] : pairs) {
        r.add(from, to);
    }
    return r;
}

/// Dependencies, sets as relations, and the full fences of threads: what is common to both.
struct Hardware {
    Hardware(const Execution& x, const Relations& r)
        : addr(relation_of(x, x.addr)), data(relation_of(x, x.data)), ctrl(relation_of(x, x.ctrl)),
          addr_po(relation_of(x, x.addr_po) | addr.then(r.po)), // for whoever gives only addr
          reads(Relation::identity(x.events.size(), [&](std::size_t e) { return x.events[e].is_read(); })),
          writes(Relation::identity(x.events.size(), [&](std::size_t e) { return x.events[e].is_write(); })),
          accesses(reads | writes), threaded(x.events.size()) {
        if (std::ranges::none_of(x.events, is_thread_event)) {
            return;
        }
        const Relation through = Relation::identity(x.events.size(), [&](std::size_t e) { return is_thread_event(x.events[e]); });
        const Relation threads =
            r.threads.filtered([&](std::size_t a, std::size_t) { return x.events[a].kind != EventKind::Init; });
        const Relation along = (r.po | threads).closure();
        threaded = accesses.then(along).then(through).then(along).then(accesses);
    }

    Relation addr, data, ctrl, addr_po;
    Relation reads;
    Relation writes;
    Relation accesses;
    Relation threaded; ///< accesses with the start or end of a thread between them
};

/// The events, later ones of a thread first.
std::vector<std::size_t> last_first(const Execution& x) {
    std::vector<std::size_t> order(x.events.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, std::ranges::greater(), [&](std::size_t e) { return x.events[e].index; });
    return order;
}

/// MODELS.md's fixpoint of the preserved program order of POWER. Each event has two parts, i (it is begun) and c (it is committed); i comes before c of the same event, and
/// xy is "part x of the one comes before part y of the other". The rules then say no more than that this order is transitive. All that it is made from
/// is within program order, so one pass from the end of each thread does it.
Relation power_ppo(const Execution& x, const Relations& r, const Hardware& h, const Relation& isync) {
    const Relation dp = h.addr | h.data;
    const Relation rdw = r.po_loc & (r.fr & r.external).then(r.rf & r.external);
    const Relation detour = r.po_loc & (r.co & r.external).then(r.rf & r.external);
    const Relation ii0 = dp | rdw | (r.rf - r.external);
    const Relation ci0 = h.ctrl.then(isync).then(r.po) | detour;
    const Relation cc0 = dp | r.po_loc | h.ctrl | h.addr_po;
    const std::size_t n = r.po.size();
    Relation ii(n);
    Relation ci(n);
    Relation ic(n); // with each event's own i and c
    Relation cc(n);
    for (const std::size_t e : last_first(x)) {
        ci0.for_each_after(e, [&](std::size_t f) {
            ci.add(e, f);
            ci.add_all(e, ii.row(f));
            cc.add_all(e, ic.row(f));
        });
        cc0.for_each_after(e, [&](std::size_t f) {
            cc.add(e, f);
            cc.add_all(e, cc.row(f));
            ci.add_all(e, ci.row(f));
        });
        ii.add_all(e, ci.row(e));
        ic.add_all(e, cc.row(e));
        ic.add(e, e);
        ii0.for_each_after(e, [&](std::size_t f) {
            ii.add(e, f);
            ii.add_all(e, ii.row(f));
            ic.add_all(e, ic.row(f));
        });
    }
    return h.reads.then(ii).then(h.reads) | h.reads.then(ic).then(h.writes);
}

} // namespace

Broken power_broken(const Execution& x) {
    const Relations r(x);
    if (const auto broken = broken_in_all(r)) {
        return broken;
    }
    const Hardware h(x, r);
    const auto between = [&](auto&& is) { return h.accesses.then(across_fences(x, r, is)).then(h.accesses); };
    const Relation isync = fences(x, [](FenceKind f) { return f == FenceKind::ISync; });
    const Relation ffence = between([](FenceKind f) { return f == FenceKind::Sync; }) | h.threaded;
    const Relation lwsync = between([](FenceKind f) { return f == FenceKind::LwSync; });
    const Relation eieio = between([](FenceKind f) { return f == FenceKind::EIEIO; });
    const Relation fence = ffence | (lwsync - h.writes.then(lwsync).then(h.reads)) | h.writes.then(eieio).then(h.writes);
    const Relation rfe = r.rf & r.external;
    const Relation hb = power_ppo(x, r, h, isync) | fence | rfe;
    const Relation hb_plus = hb.closure();
    if (!hb_plus.irreflexive()) {
        return "no thin air";
    }
    const Relation hb_star = hb_plus.maybe();
    const Relation propb = (fence | rfe.then(fence)).then(hb_star);
    Relation prop = h.writes.then(propb).then(h.writes);
    if (!ffence.empty()) {
        const Relation com_star = (r.rf | r.co | r.fr).closure().maybe();
        prop |= com_star.then(propb.closure().maybe()).then(ffence).then(hb_star);
    }
    if (!(r.fr & r.external).then(prop).then(hb_star).irreflexive()) {
        return "observation";
    }
    return (r.co | prop).acyclic() ? Broken{} : "propagation";
}

namespace {

Broken armv8(const Execution& x, bool single_updates) {
    const Relations r(x);
    if (const auto broken = broken_in_all(r)) {
        return broken;
    }
    const Hardware h(x, r);
    const auto& events = x.events;
    const auto set = [&](auto&& in) { return Relation::identity(events.size(), [&](std::size_t e) { return in(events[e]); }); };
    const auto across = [&](auto&& is) { return across_fences(x, r, is); };
    // A seq_cst access is the same instruction as an acquire or release one.
    const Relation acquires =
        set([](const Event& e) { return e.is_read() && (e.order == Order::Acquire || e.order == Order::SeqCst); });
    const Relation acquires_pc = set([](const Event& e) { return e.is_read() && e.order == Order::AcquirePc; });
    const Relation releases =
        set([](const Event& e) { return e.kind == EventKind::Write && (e.order == Order::Release || e.order == Order::SeqCst); });
    const Relation any_acquire = acquires | acquires_pc;
    const Relation isb = fences(x, [](FenceKind f) { return f == FenceKind::Isb; });
    const Relation rfi = r.rf - r.external;
    const Relation dob = h.addr | h.data | h.ctrl.then(h.writes) | (h.ctrl | h.addr_po).then(isb).then(r.po).then(h.reads) |
                         h.addr_po.then(h.writes) | (h.addr | h.data).then(rfi);
    const Relation aob = r.rmw | r.rmw.then(rfi).then(any_acquire);
    const Relation barriers =
        across([](FenceKind f) { return f == FenceKind::DmbSy || f == FenceKind::DsbSy; }) | h.threaded |
        releases.then(r.po).then(acquires) |
        h.reads.then(across([](FenceKind f) { return f == FenceKind::DmbLd || f == FenceKind::DsbLd; })) |
        any_acquire.then(r.po) |
        h.writes.then(across([](FenceKind f) { return f == FenceKind::DmbSt || f == FenceKind::DsbSt; })).then(h.writes) |
        r.po.then(releases);
    const Relation updates = acquires.then(r.rmw).then(releases);
    const Relation behind_updates = updates.inverse().then(updates).then(r.po); // [range(updates)] ; po
    const Relation bob = single_updates ? barriers | behind_updates : barriers;
    const Relation lws = r.po_loc.then(h.writes);
    const Relation ob = ((r.rf | r.co | r.fr) & r.external) | lws | dob | aob | bob;
    return ob.acyclic() ? Broken{} : "external visibility";
}

} // namespace

Broken armv8_broken(const Execution& x) { return armv8(x, false); }
Broken armv8_lse_broken(const Execution& x) { return armv8(x, true); }

} // namespace heddle
