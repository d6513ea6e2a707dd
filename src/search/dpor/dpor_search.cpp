#include "search/dpor/dpor_search.hpp"

#include "machine/machine.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace heddle {
namespace {

struct Content {
    Value value{};
    std::uint8_t size = 0;
};

/// The write of an update whose read is in the execution: the thread's next event, whatever else happens.
struct PendingWrite {
    Event event;
    Content content;
    Value outcome;
};

struct Thread {
    ThreadState state;
    std::uint32_t events = 0;
    std::optional<PendingWrite> pending{};
    bool waiting = false; ///< its last event is a read whose value does not let it go on; only a revisit can
    bool done = false;
    Value result{};
};

struct Node {
    Execution x;                   ///< events in the order they were added: the stamps of the paper
    std::vector<Content> contents; ///< by event
    std::vector<Thread> before;    ///< by event: its thread as it was before it (of an Init: nothing)
    std::map<ThreadId, Thread> threads;
    Memory initial;
};

/// What a thread does next, once all that others cannot see is done.
struct Next {
    ThreadId thread;
    Action action; ///< meaningless when the thread has a pending write
};

class Dpor {
  public:
    Dpor(Session& session, const Axioms& axioms) : session_(session), machine_(session.program), axioms_(axioms) {}

    DporResult run() {
        Node root{.x = {}, .contents = {}, .before = {}, .threads = {}, .initial = Memory(session_.program)};
        start_thread(root, machine_.start_main());
        visit(std::move(root));
        return std::move(result_);
    }

  private:
    void visit(Node node);
    std::optional<Next> next(Node& node);
    void visit_next(Node node, const Next& what);
    void end_blocked(const Node& node);
    void read(Node node, ThreadId thread, const Action& a);
    void write(const Node& node, ThreadId thread, const Event& e, const Content& content, const Value& outcome);
    void revisit(const Node& node, ThreadId thread, const Event& e, const Content& content, const Value& outcome);
    void other(Node node, ThreadId thread, const Action& a);

    void visit_if_consistent(Node node) {
        if (!axioms_.broken(node.x)) {
            visit(std::move(node));
        }
    }
    /// The write at each place in coherence.
    template <class F> std::size_t each_place(const Node& node, ThreadId thread, const Event& e, const Content& content,
                                              const Value& outcome, F&& then);
    /// The thread goes on from a read (of an update too) that reads `source`.
    void read_from(Node& node, ThreadId thread, const Action& a, std::size_t source);
    void start_thread(Node& node, ThreadState state);
    std::size_t add_event(Node& node, ThreadId thread, Event e, const Content& content);
    void add_location(Node& node, const Action& a);
    /// The events that `thread`'s next event needs: the prefix relation (po | rf)+ of the models known here.
    static std::vector<bool> prefix(const Node& node, ThreadId thread);
    static bool canonically_added(const Node& node, std::size_t e, const std::vector<bool>& in_prefix);
    /// The node without the events that are not kept, threads set back to before their first lost event.
    static Node restricted(const Node& node, const std::vector<bool>& kept, std::vector<std::size_t>& position);

    Session& session_;
    Machine machine_;
    const Axioms& axioms_;
    DporResult result_;
};

// --- growing -------------------------------------------------------------------------------------------------------------------------------

std::size_t Dpor::add_event(Node& node, ThreadId thread, Event e, const Content& content) {
    Thread& t = node.threads.at(thread);
    node.before.push_back(t);
    e.thread = thread;
    e.index = t.events++;
    node.x.events.push_back(e);
    node.contents.push_back(content);
    return node.x.events.size() - 1;
}

void Dpor::start_thread(Node& node, ThreadState state) {
    const ThreadId id = state.id;
    node.threads.insert_or_assign(id, Thread{.state = std::move(state)});
    add_event(node, id, {.kind = EventKind::Begin}, {});
}

void Dpor::add_location(Node& node, const Action& a) {
    auto& writes = node.x.coherence[a.address];
    if (writes.empty()) {
        node.x.events.push_back({.kind = EventKind::Init, .location = a.address});
        node.contents.push_back({.value = node.initial.load(a.address, a.size), .size = a.size});
        node.before.push_back({});
        writes.push_back(node.x.events.size() - 1);
    } else if (node.contents[writes.front()].size != a.size) {
        result_.unsupported = "accesses of different sizes to the same memory";
    }
}

void Dpor::visit(Node node) {
    if (result_.unsupported) {
        return;
    }
    if (const auto what = next(node)) {
        visit_next(std::move(node), *what);
    } else if (std::ranges::all_of(node.threads, [](const auto& t) { return t.second.done; })) {
        result_.complete.push_back(canonical(node.x));
    } else {
        end_blocked(node);
    }
}

/// Nobody can go on. Threads wait for good if what they read is the latest there is; if a later write has come, it has revisited the read in
/// another branch, and this one is nothing. The reads that failed are not part of the execution.
void Dpor::end_blocked(const Node& node) {
    const auto& events = node.x.events;
    std::vector<bool> kept(events.size(), true);
    for (const auto& [id, t] : node.threads) {
        if (!t.waiting) {
            continue;
        }
        const auto last = std::ranges::find_if(
            events, [&](const Event& e) { return e.kind != EventKind::Init && e.thread == id && e.index + 1 == t.events; });
        if (*last->source != node.x.coherence.at(last->location).back()) {
            ++result_.dead_ends;
            return;
        }
        kept[static_cast<std::size_t>(last - events.begin())] = false;
    }
    std::vector<std::size_t> position;
    result_.blocked.push_back(canonical(restricted(node, kept, position).x));
}

std::optional<Next> Dpor::next(Node& node) {
    for (auto& [id, t] : node.threads) {
        if (t.done || t.waiting) {
            continue;
        }
        if (t.pending) {
            return Next{id, {}};
        }
        for (;;) {
            Action a = machine_.run(t.state, node.initial.objects());
            if (a.kind == ActionKind::Join) {
                const auto other = node.threads.find(ThreadId(static_cast<std::uint32_t>(a.value.lo)));
                if (other == node.threads.end() || !other->second.done) {
                    break; // somebody else first
                }
            }
            if (a.kind != ActionKind::Output && a.kind != ActionKind::Yield) {
                return Next{id, std::move(a)};
            }
            machine_.resume(t.state, {});
        }
    }
    return std::nullopt;
}

void Dpor::visit_next(Node node, const Next& what) {
    if (const auto pending = node.threads.at(what.thread).pending) {
        write(node, what.thread, pending->event, pending->content, pending->outcome);
        return;
    }
    const Action& a = what.action;
    switch (a.kind) {
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock:
        add_location(node, a);
        read(std::move(node), what.thread, a);
        return;
    case ActionKind::Store:
    case ActionKind::Unlock:
        add_location(node, a);
        write(node, what.thread, {.kind = EventKind::Write, .order = a.order, .location = a.address},
              {.value = a.value, .size = a.size}, {});
        return;
    default:
        other(std::move(node), what.thread, a);
    }
}

void Dpor::read_from(Node& node, ThreadId thread, const Action& a, std::size_t source) {
    const Content content = node.contents[source];
    const ReadEffect effect = effect_of_read(a, content.value);
    const bool succeeds = !effect.waits && effect.written;
    const std::size_t e = add_event(node, thread,
                                    {.kind = EventKind::Read,
                                     .order = order_of_read(a, succeeds),
                                     .update = a.kind != ActionKind::Load,
                                     .location = a.address,
                                     .source = source},
                                    content);
    Thread& t = node.threads.at(thread);
    if (effect.waits) {
        t.waiting = true;
    } else if (succeeds) {
        t.pending = PendingWrite{.event = {.kind = EventKind::Write,
                                           .order = order_of_write(a),
                                           .update = true,
                                           .location = a.address,
                                           .update_read = e},
                                 .content = {.value = *effect.written, .size = a.size},
                                 .outcome = effect.outcome};
    } else {
        machine_.resume(t.state, effect.outcome);
    }
}

void Dpor::read(Node node, ThreadId thread, const Action& a) {
    const std::vector<std::size_t> sources = node.x.coherence.at(a.address);
    for (const std::size_t source : sources) {
        // A failed wait is of use only if a later write can revisit it, and so only if it is canonical.
        if (effect_of_read(a, node.contents[source].value).waits && source != sources.back()) {
            continue;
        }
        Node next = node;
        read_from(next, thread, a, source);
        visit_if_consistent(std::move(next));
    }
}

template <class F> std::size_t Dpor::each_place(const Node& node, ThreadId thread, const Event& e, const Content& content,
                                                const Value& outcome, F&& then) {
    std::size_t ways = 0;
    for (std::size_t at = 1; at <= node.x.coherence.at(e.location).size(); ++at) {
        Node next = node;
        const std::size_t position = add_event(next, thread, e, content);
        auto& writes = next.x.coherence.at(e.location);
        writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(at), position);
        Thread& t = next.threads.at(thread);
        t.pending.reset();
        machine_.resume(t.state, outcome);
        ways += then(std::move(next), position);
    }
    return ways;
}

void Dpor::write(const Node& node, ThreadId thread, const Event& e, const Content& content, const Value& outcome) {
    const std::size_t ways = each_place(node, thread, e, content, outcome, [&](Node next, std::size_t) -> std::size_t {
        if (axioms_.broken(next.x)) {
            return 0;
        }
        visit(std::move(next));
        return 1;
    });
    result_.dead_ends += ways == 0 ? 1 : 0;
    revisit(node, thread, e, content, outcome);
}

void Dpor::other(Node node, ThreadId thread, const Action& a) {
    switch (a.kind) {
    case ActionKind::Fence:
        add_event(node, thread, {.kind = EventKind::Fence, .order = a.order, .fence = a.fence}, {});
        machine_.resume(node.threads.at(thread).state, {});
        break;
    case ActionKind::Spawn: {
        const auto id = session_.names.child(thread, a.count);
        if (!id) {
            result_.unsupported = "too many threads";
            return;
        }
        add_event(node, thread, {.kind = EventKind::Spawn, .other = *id}, {});
        machine_.resume(node.threads.at(thread).state, {.lo = id->index});
        start_thread(node, machine_.start_thread(a, *id));
        break;
    }
    case ActionKind::Join: {
        const ThreadId joined(static_cast<std::uint32_t>(a.value.lo));
        add_event(node, thread, {.kind = EventKind::Join, .other = joined}, {});
        machine_.resume(node.threads.at(thread).state, node.threads.at(joined).result);
        break;
    }
    case ActionKind::Exit:
    case ActionKind::Done:
        add_event(node, thread, {.kind = EventKind::End}, {});
        node.threads.at(thread).done = true;
        node.threads.at(thread).result = a.value;
        break;
    case ActionKind::Trap:
        result_.traps.insert(fmt::format("{} at {}", word_of(a.trap->kind), to_string(session_.program, a.trap->stack.front())));
        return;
    default:
        result_.unsupported = "an action that this search does not know yet";
        return;
    }
    visit_if_consistent(std::move(node));
}

// --- revisiting ----------------------------------------------------------------------------------------------------------------------------

std::vector<bool> Dpor::prefix(const Node& node, ThreadId thread) {
    const auto& events = node.x.events;
    std::vector<bool> in(events.size());
    // Backwards over the events in the order they were added is not enough after a revisit (a read may stand before the write it reads
    // from), so this goes round until nothing changes.
    std::map<ThreadId, std::uint32_t> needed{{thread, node.threads.at(thread).events}}; // the first so many events of a thread
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t e = 0; e < events.size(); ++e) {
            const auto own = needed.find(events[e].thread);
            const bool wanted = events[e].kind == EventKind::Init || (own != needed.end() && events[e].index < own->second);
            if (!wanted || in[e]) {
                continue;
            }
            in[e] = true;
            changed = true;
            const auto need = [&](ThreadId t, std::uint32_t count) { needed[t] = std::max(needed[t], count); };
            if (const auto source = events[e].source; source && events[*source].kind != EventKind::Init) {
                need(events[*source].thread, events[*source].index + 1);
            }
            for (const Event& other : events) {
                const bool spawned =
                    events[e].kind == EventKind::Begin && other.kind == EventKind::Spawn && other.other == events[e].thread;
                const bool joined =
                    events[e].kind == EventKind::Join && other.kind == EventKind::End && other.thread == events[e].other;
                if (spawned || joined) {
                    need(other.thread, other.index + 1);
                }
            }
        }
    }
    return in;
}

bool Dpor::canonically_added(const Node& node, std::size_t e, const std::vector<bool>& in_prefix) {
    const auto& events = node.x.events;
    const auto in_previous = [&](std::size_t other) {
        return other <= e || in_prefix[other] || events[other].kind == EventKind::Init;
    };
    const Event& event = events[e];
    if (!event.is_access()) {
        return true;
    }
    const auto& order = node.x.coherence.at(event.location);
    std::size_t last = order.front();
    for (const std::size_t w : order) {
        if (in_previous(w)) {
            last = w;
        }
    }
    if (event.is_read()) {
        return *event.source == last;
    }
    for (std::size_t r = 0; r < events.size(); ++r) {
        if (events[r].source == e && in_previous(r)) {
            return false;
        }
    }
    return e == last;
}

Node Dpor::restricted(const Node& node, const std::vector<bool>& kept, std::vector<std::size_t>& position) {
    Node r{.x = {}, .contents = {}, .before = {}, .threads = node.threads, .initial = node.initial};
    position.assign(node.x.events.size(), 0);
    std::map<ThreadId, std::size_t> first_lost;
    for (std::size_t e = 0; e < node.x.events.size(); ++e) {
        if (kept[e]) {
            position[e] = r.x.events.size();
            r.x.events.push_back(node.x.events[e]);
            r.contents.push_back(node.contents[e]);
            r.before.push_back(node.before[e]);
        } else {
            const Event& lost = node.x.events[e];
            const auto known = first_lost.find(lost.thread);
            if (known == first_lost.end() || node.x.events[known->second].index > lost.index) {
                first_lost.insert_or_assign(lost.thread, e);
            }
        }
    }
    for (const auto& [thread, e] : first_lost) {
        if (node.x.events[e].kind == EventKind::Begin) {
            r.threads.erase(thread);
        } else {
            r.threads.at(thread) = node.before[e];
        }
    }
    const auto renumber = [&](std::optional<std::size_t>& e) {
        if (e) {
            e = position[*e];
        }
    };
    for (Event& e : r.x.events) {
        renumber(e.source);
        renumber(e.update_read);
    }
    for (Thread& t : r.before) {
        if (t.pending) {
            renumber(t.pending->event.update_read);
        }
    }
    for (auto& [id, t] : r.threads) {
        if (t.pending) {
            renumber(t.pending->event.update_read);
        }
    }
    for (const auto& [location, writes] : node.x.coherence) {
        for (const std::size_t w : writes) {
            if (kept[w]) {
                r.x.coherence[location].push_back(position[w]);
            }
        }
    }
    return r;
}

void Dpor::revisit(const Node& node, ThreadId thread, const Event& e, const Content& content, const Value& outcome) {
    const std::vector<bool> in_prefix = prefix(node, thread);
    const auto& events = node.x.events;
    for (std::size_t r = 0; r < events.size(); ++r) {
        if (!events[r].is_read() || events[r].location != e.location || in_prefix[r]) {
            continue;
        }
        std::vector<bool> kept(events.size());
        bool canonical_so_far = canonically_added(node, r, in_prefix);
        for (std::size_t k = 0; k < events.size(); ++k) {
            kept[k] = k <= r || in_prefix[k] || events[k].kind == EventKind::Init;
            canonical_so_far = canonical_so_far && (kept[k] || canonically_added(node, k, in_prefix));
        }
        if (!canonical_so_far) {
            continue;
        }
        // First without the read, its thread set back to it; the read comes back where it stood once the write is there.
        std::vector<std::size_t> position;
        Node base = restricted(node, kept, position);
        Thread reader = node.before[r];
        if (reader.pending) {
            reader.pending->event.update_read = position[*reader.pending->event.update_read];
        }
        const Event old_read = events[r];
        Event mine = e;
        if (mine.update_read) {
            mine.update_read = position[*mine.update_read];
        }
        each_place(base, thread, mine, content, outcome, [&](Node next, std::size_t write_position) -> std::size_t {
            const Action a = machine_.run(reader.state, next.initial.objects());
            next.threads.at(old_read.thread) = reader;
            read_from(next, old_read.thread, a, write_position);
            // read_from put it at the end: move it to its old place.
            const std::size_t at = position[r];
            next.x.events[at] = next.x.events.back();
            next.contents[at] = next.contents.back();
            next.x.events.pop_back();
            next.contents.pop_back();
            next.before.pop_back();
            if (auto& pending = next.threads.at(old_read.thread).pending) {
                pending->event.update_read = at;
            }
            visit_if_consistent(std::move(next));
            return 1;
        });
    }
}

} // namespace

DporResult dpor_search(Session& session, const Axioms& axioms) { return Dpor(session, axioms).run(); }

} // namespace heddle
