// ForcedOrder: a run of a machine without buffers, from what must come before what.
//
// If nothing is a contradiction there is mostly a run, and what must come before what says how it goes: each thread does its next operation when all that comes before that is over, a
// read as soon as it finds its value, a store when nobody has yet to read what it overwrites, of several the one that came first in the last run known. Nothing is taken back: if that leads nowhere, or what is
// forced leaves too much open, the machine is asked (BufferRealizer). Memory is followed, so what is found is a run whatever was forced.
#include "search/dpor/steps.hpp"
#include "search/value/forced_order.hpp"

#include <algorithm>

namespace heddle {

const HistoryOp& ForcedOrder::op_of(const RunSought& sought, std::uint32_t t, std::uint32_t op) const {
    return t == sought.thread.index && op == sought.lengths[t] ? sought.next : history_.thread(ThreadId(t))[op];
}

bool ForcedOrder::is_ready(std::uint32_t e) const {
    const Access& a = accesses_[e];
    const Running::Memory& memory = running_.memory[a.cell];
    if (a.reads && memory.value != a.read) {
        return false;
    }
    Set missing = facts_.order.before[e] & considered_;
    missing.remove(running_.past);
    if (!missing.empty() || !a.stores || memory.store == kMost) {
        return missing.empty();
    }
    Set readers = running_.readers[memory.store]; // which are not in order with `e`: else they were missing
    readers.remove(running_.past);
    readers.erase(e);
    return readers.empty();
}

void ForcedOrder::pass(RunSought& sought, Running::Thread& thread, std::uint32_t e) {
    const Access& a = accesses_[e];
    if (a.stores) {
        running_.memory[a.cell] = {e, a.written};
    }
    running_.past.insert(e);
    ++thread.passed;
    sought.run.push_back({.thread = ThreadId(a.thread), .op = thread.done++, .lands = a.stores});
}

/// Does what is no access, up to `until`. False: it has to wait.
bool ForcedOrder::pass_others(RunSought& sought, std::uint32_t t, std::uint32_t until) {
    std::uint32_t& done = running_.threads[t].done;
    for (; done < until; ++done) {
        const HistoryOp& op = op_of(sought, t, done);
        if (op.other.index < sought.lengths.size()) {
            Running::Thread& other = running_.threads[op.other.index];
            if (op.kind == OpKind::Join && other.done < other.all) {
                return false;
            }
            other.begun = other.begun || op.kind == OpKind::Spawn;
        }
        sought.run.push_back({.thread = ThreadId(t), .op = done});
    }
    return true;
}

/// Does all that the thread can do without storing.
bool ForcedOrder::advance(RunSought& sought, std::uint32_t t) {
    Running::Thread& thread = running_.threads[t];
    const std::uint32_t before = thread.done;
    while (thread.passed < thread.accesses.size()) {
        const std::uint32_t e = thread.accesses[thread.passed];
        const Access& a = accesses_[e];
        if ((thread.done < a.op && !pass_others(sought, t, a.op)) || a.stores || !is_ready(e)) {
            return thread.done != before;
        }
        pass(sought, thread, e);
    }
    pass_others(sought, t, thread.all);
    return thread.done != before;
}

bool ForcedOrder::find_run(RunSought& sought) {
    const auto threads = static_cast<std::uint32_t>(sought.lengths.size());
    running_.threads.resize(std::max<std::size_t>(running_.threads.size(), threads));
    for (std::uint32_t t = 0; t < threads; ++t) {
        Running::Thread& thread = running_.threads[t];
        thread.accesses.clear();
        thread.passed = thread.done = 0;
        thread.all = sought.lengths[t] + (t == sought.thread.index ? 1 : 0);
        thread.begun = t == 0;
    }
    running_.memory.clear();
    for (const Cell& cell : cells_) {
        running_.memory.push_back({kMost, cell.initial});
    }
    running_.readers.assign(accesses_.size(), {});
    running_.past = {};
    considered_.all_of([&](std::uint32_t e) {
        running_.threads[accesses_[e].thread].accesses.push_back(e);
        if (accesses_[e].reads && facts_.source[e] < kMost) {
            running_.readers[facts_.source[e]].insert(e);
        }
        return true;
    });
    sought.run.clear();
    for (;;) {
        bool moved = false;
        for (std::uint32_t t = 0; t < threads; ++t) {
            const Running::Thread& thread = running_.threads[t];
            moved = (thread.begun && thread.done < thread.all && advance(sought, t)) || moved;
        }
        std::uint32_t first = kMost;
        KnownRun::Time rank = 0;
        for (std::uint32_t t = 0; t < threads; ++t) {
            const Running::Thread& thread = running_.threads[t];
            if (!thread.begun || thread.passed == thread.accesses.size()) {
                continue;
            }
            const std::uint32_t e = thread.accesses[thread.passed];
            if (accesses_[e].stores && accesses_[e].op == thread.done && is_ready(e)) {
                const KnownRun::Time here = sought.known.landed(ThreadId(t), thread.done);
                if (first == kMost || here < rank) {
                    first = e;
                    rank = here;
                }
            }
        }
        if (first == kMost && moved) {
            continue; // a thread before one that has moved may have waited for its start or its end
        }
        if (first == kMost) {
            return std::ranges::all_of(std::span(running_.threads).first(threads),
                                       [](const Running::Thread& thread) { return thread.done == thread.all; });
        }
        pass(sought, running_.threads[accesses_[first].thread], first);
    }
}

} // namespace heddle
