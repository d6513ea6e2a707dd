#include "random_execution.hpp"

#include <algorithm>
#include <span>

namespace heddle::test {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); }
bool chance(Random& random, std::size_t percent) { return below(random, 100) < percent; }

template <class T> T one_of(Random& random, std::initializer_list<T> all) { return all.begin()[below(random, all.size())]; }

FenceKind random_fence(Random& random, Architecture a) {
    using enum FenceKind;
    switch (a) {
    case Architecture::X86:
        return one_of(random, {MFence, MFence, LFence, SFence});
    case Architecture::Power:
        return one_of(random, {Sync, LwSync, LwSync, ISync, EIEIO});
    case Architecture::Arm:
        return one_of(random, {DmbSy, DmbSt, DsbSy, DsbSt, Isb});
    case Architecture::AArch64:
        return one_of(random, {DmbSy, DmbSt, DmbLd, DsbSy, DsbSt, DsbLd, Isb});
    case Architecture::RiscV:
        return one_of(random, {FenceRwRw, FenceRwW, FenceRRw, FenceRR, FenceWW, FenceWR, FenceTso, FenceI});
    case Architecture::Lkmm:
        return one_of(random, {Mb, Rmb, Wmb, BeforeAtomic, AfterAtomic, RcuLock, RcuUnlock, SyncRcu});
    case Architecture::C:
        break;
    }
    return C11;
}

Order random_order(Random& random, Architecture a, EventKind kind) {
    using enum Order;
    const bool c = a == Architecture::C;
    if (kind == EventKind::Fence) {
        return c ? one_of(random, {Acquire, Release, AcqRel, SeqCst, SeqCst}) : Relaxed;
    }
    if (a != Architecture::C && a != Architecture::AArch64 && a != Architecture::RiscV && a != Architecture::Lkmm) {
        return Relaxed;
    }
    if (kind == EventKind::Read && a == Architecture::AArch64 && chance(random, 20)) {
        return AcquirePc;
    }
    if (kind == EventKind::Read) {
        return one_of(random, {c ? NonAtomic : Relaxed, Relaxed, Acquire, c ? SeqCst : Acquire});
    }
    return one_of(random, {c ? NonAtomic : Relaxed, Relaxed, Release, c ? SeqCst : Release});
}

class Builder {
  public:
    Builder(Random& random, const ExecutionShape& shape) : random_(random), shape_(shape) {}

    Execution run() {
        for (std::size_t l = 0; l < shape_.locations; ++l) {
            Event e;
            e.location = location(l);
            x_.coherence[e.location].push_back(x_.events.size());
            x_.events.push_back(e);
        }
        const std::size_t threads = 1 + below(random_, shape_.threads);
        index_.assign(threads, 0);
        start(threads);
        const std::size_t accesses = threads + below(random_, shape_.accesses + 1 - std::min(threads, shape_.accesses));
        for (std::size_t k = 0; k < accesses; ++k) {
            step(below(random_, threads));
        }
        end(threads);
        choose_sources(x_, random_);
        choose_coherence(x_, random_);
        if (shape_.dependencies) {
            depend();
        }
        return std::move(x_);
    }

  private:
    static Address location(std::size_t l) { return 0x1000 + 8 * l; }

    Event& add(std::size_t thread, EventKind kind) {
        Event e;
        e.kind = kind;
        e.thread = ThreadId(static_cast<std::uint32_t>(thread));
        e.index = index_[thread]++;
        x_.events.push_back(e);
        return x_.events.back();
    }

    void start(std::size_t threads) {
        for (std::size_t t = 1; shape_.boundaries && t < threads; ++t) {
            if (chance(random_, 50)) {
                step(0);
            }
            add(0, EventKind::Spawn).other = ThreadId(static_cast<std::uint32_t>(t));
            add(t, EventKind::Begin);
        }
    }

    void end(std::size_t threads) {
        for (std::size_t t = 1; shape_.boundaries && t < threads; ++t) {
            add(t, EventKind::End);
            if (chance(random_, 50)) {
                add(0, EventKind::Join).other = ThreadId(static_cast<std::uint32_t>(t));
                step(0);
            }
        }
    }

    void access(std::size_t thread, EventKind kind, Address where, bool update, Order order) {
        Event& e = add(thread, kind);
        e.location = where;
        e.update = update;
        e.order = order;
        if (kind == EventKind::Write) {
            x_.coherence[where].push_back(x_.events.size() - 1);
        }
    }

    void step(std::size_t thread) {
        const Architecture a = shape_.architecture;
        const Address where = location(below(random_, shape_.locations));
        if (chance(random_, 15)) {
            Event& e = add(thread, EventKind::Fence);
            e.fence = random_fence(random_, a);
            e.order = random_order(random_, a, EventKind::Fence);
        } else if (chance(random_, 15)) {
            const Order order =
                a == Architecture::C
                    ? one_of(random_, {Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst})
                    : Order::Relaxed;
            access(thread, EventKind::Read, where, true, order);
            const std::size_t read = x_.events.size() - 1;
            if (chance(random_, 80)) { // else a compare-exchange that fails
                access(thread, EventKind::Write, where, true, order);
                x_.events.back().update_read = read;
                x_.events.back().exclusive = x_.events[read].exclusive =
                    a == Architecture::Power || a == Architecture::Arm || (a != Architecture::X86 && chance(random_, 50));
            }
        } else {
            const EventKind kind = chance(random_, 50) ? EventKind::Read : EventKind::Write;
            access(thread, kind, where, false, random_order(random_, a, kind));
        }
    }

    void depend() {
        for (std::size_t r = 0; r < x_.events.size(); ++r) {
            if (!x_.events[r].is_read() || !chance(random_, 60)) {
                continue;
            }
            bool controls = false;
            for (std::size_t e = r + 1; e < x_.events.size(); ++e) {
                const Event& target = x_.events[e];
                if (target.thread != x_.events[r].thread || target.kind == EventKind::Init) {
                    continue;
                }
                controls = controls || chance(random_, 20);
                if (controls) {
                    x_.ctrl.emplace_back(r, e);
                }
                if (target.is_access() && chance(random_, 25)) {
                    (target.is_write() && chance(random_, 50) ? x_.data : x_.addr).emplace_back(r, e);
                }
            }
        }
        for (const auto& [r, access] : x_.addr) {
            for (std::size_t e = access + 1; e < x_.events.size(); ++e) {
                if (x_.events[e].thread == x_.events[r].thread && x_.events[e].kind != EventKind::Init) {
                    x_.addr_po.emplace_back(r, e);
                }
            }
        }
    }

    Random& random_;
    const ExecutionShape& shape_;
    Execution x_;
    std::vector<std::uint32_t> index_; ///< of the next event, by thread
};

} // namespace

Execution random_execution(Random& random, const ExecutionShape& shape) { return Builder(random, shape).run(); }

void choose_sources(Execution& x, Random& random) {
    for (std::size_t e = 0; e < x.events.size(); ++e) {
        Event& read = x.events[e];
        if (!read.is_read()) {
            continue;
        }
        std::vector<std::size_t> writes = x.coherence.at(read.location);
        std::erase_if(writes, [&](std::size_t w) { return x.events[w].update_read == e; });
        read.source = writes[below(random, writes.size())];
    }
}

void choose_coherence(Execution& x, Random& random) {
    for (auto& [location, writes] : x.coherence) {
        // Sorted first: what comes out does not depend on what was there.
        std::ranges::sort(writes);
        std::ranges::shuffle(std::span(writes).subspan(1), random);
    }
}

} // namespace heddle::test
