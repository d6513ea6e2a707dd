#include "search/reference/reference_search.hpp"

#include "search/prologue/prologue.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <unordered_set>

namespace heddle {
namespace {

/// What is known of an event beyond the model's view of it: the value that it reads or writes, and how wide.
struct Content {
    Value value{};
    std::uint8_t size = 0;
};

struct Thread {
    ThreadState state;
    std::uint32_t events = 0; ///< how many it has in the execution
    bool done = false;
    Value result{};
};

/// A partial execution with all that is needed to grow it. Copied at every step: clarity before speed.
struct Node {
    Execution x;
    std::vector<Content> contents; ///< as long as x.events
    std::vector<Thread> threads;
    Memory initial; ///< every object there is, with the bytes it started with
};

class Reference {
  public:
    Reference(Session& session, const Axioms& axioms, std::size_t limit, const Describe& describe)
        : session_(session), machine_(session.program), axioms_(axioms), limit_(limit), describe_(describe) {}

    ReferenceResult run() {
        Prologue prologue = run_prologue(machine_);
        Node root{.x = {}, .contents = {}, .threads = {}, .initial = std::move(prologue.memory)};
        root.threads.push_back({.state = std::move(prologue.main)});
        add_event(root, 0, {.kind = EventKind::Begin}, {});
        visit(root);
        return std::move(result_);
    }

  private:
    void visit(const Node& node);
    // Each grows the node by one action of a thread in every consistent way and visits the results.
    void grow(const Node& node, std::size_t thread);
    /// Does the thread wait for what the latest writes do not give? Then it waits for good if nobody else goes on: sooner or later a waiting
    /// thread sees the latest write, whatever it may have read before.
    bool stuck(Node node, std::size_t thread);
    /// The thread's next action that others can see, once the others' are done.
    Action next_action(Node& node, std::size_t thread);
    void grow_by(Node node, std::size_t thread, const Action& a);
    void load(const Node& node, std::size_t thread, const Action& a);
    void store(const Node& node, std::size_t thread, const Action& a);
    void update(const Node& node, std::size_t thread, const Action& a);
    void choose(const Node& node, std::size_t thread, const Action& a);
    void spawn(Node node, std::size_t thread, const Action& a);
    void join(Node node, std::size_t thread, const Action& a);
    void end(Node node, std::size_t thread, const Action& a);
    /// The write `e` at every place of its location's coherence; the thread then goes on with `outcome`.
    void place_write(const Node& node, std::size_t thread, Event e, const Content& content, const Value& outcome);
    void visit_if_consistent(const Node& node);

    static std::size_t add_event(Node& node, std::size_t thread, Event e, const Content& content);
    void add_location(Node& node, const Action& a);

    Session& session_;
    Machine machine_;
    const Axioms& axioms_;
    std::size_t limit_;
    const Describe& describe_;
    std::unordered_set<std::string> seen_;
    ReferenceResult result_;
};

/// How many events each thread has.
std::map<std::uint32_t, std::uint32_t> progress(const Node& node) {
    std::map<std::uint32_t, std::uint32_t> counts;
    for (const Thread& t : node.threads) {
        counts[t.state.id.index] = t.events;
    }
    return counts;
}

void Reference::visit(const Node& node) {
    if (result_.unsupported) {
        return;
    }
    std::string text = canonical(node.x);
    std::string partial = text; // fences, spawns and the like do not show in it
    for (const auto& [thread, events] : progress(node)) {
        partial += fmt::format("{}+{} ", thread, events);
    }
    if (!seen_.insert(partial).second) {
        return;
    }
    if (seen_.size() > limit_) {
        result_.unsupported = fmt::format("more than {} partial executions", limit_);
        return;
    }
    bool all_done = true;
    bool all_stuck = true;
    for (std::size_t t = 0; t < node.threads.size(); ++t) {
        if (!node.threads[t].done) {
            all_done = false;
            all_stuck = all_stuck && stuck(node, t);
            grow(node, t);
        }
    }
    if (all_done) {
        result_.complete.insert(describe_(node.x));
    } else if (all_stuck) {
        result_.blocked.insert(describe_(node.x));
    }
}

void Reference::visit_if_consistent(const Node& node) {
    if (!axioms_.broken(node.x)) {
        visit(node);
    }
}

Action Reference::next_action(Node& node, std::size_t thread) {
    for (;;) {
        ThreadState& state = node.threads[thread].state;
        Action a = machine_.run(state, node.initial.objects());
        switch (a.kind) {
        // What no other thread can tell the time of happens at once.
        case ActionKind::Alloc:
            machine_.resume(state, *node.initial.perform(a));
            break;
        case ActionKind::Free: // whether an access comes after it is a question about the whole execution, and not asked here
        case ActionKind::Output:
        case ActionKind::Yield:
        case ActionKind::Detach:
            machine_.resume(state, {});
            break;
        default:
            return a;
        }
    }
}

bool Reference::stuck(Node node, std::size_t thread) {
    const Action a = next_action(node, thread);
    switch (a.kind) {
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock:
        add_location(node, a);
        return effect_of_read(a, node.contents[node.x.coherence.at(a.address).back()].value).waits;
    case ActionKind::Join:
        return std::ranges::none_of(node.threads, [&](const Thread& t) { return t.state.id.index == a.value.lo && t.done; });
    default:
        return a.kind == ActionKind::Block;
    }
}

void Reference::grow(const Node& node, std::size_t thread) {
    Node next = node;
    const Action a = next_action(next, thread);
    return grow_by(std::move(next), thread, a);
}

void Reference::grow_by(Node node, std::size_t thread, const Action& a) {
    switch (a.kind) {
    case ActionKind::Load:
        add_location(node, a);
        return load(node, thread, a);
    case ActionKind::Store:
    case ActionKind::Unlock:
        add_location(node, a);
        return store(node, thread, a);
    case ActionKind::Rmw:
    case ActionKind::Lock:
        add_location(node, a);
        return update(node, thread, a);
    case ActionKind::Fence:
        add_event(node, thread, {.kind = EventKind::Fence, .order = a.order, .fence = a.fence}, {});
        machine_.resume(node.threads[thread].state, {});
        return visit_if_consistent(node);
    case ActionKind::Choose:
        return choose(node, thread, a);
    case ActionKind::Spawn:
        return spawn(std::move(node), thread, a);
    case ActionKind::Join:
        return join(std::move(node), thread, a);
    case ActionKind::Exit:
    case ActionKind::Done:
        return end(std::move(node), thread, a);
    case ActionKind::Block:
        return;
    case ActionKind::Trap:
        if (result_.traps
                .insert(fmt::format("{} at {}", word_of(a.trap->kind), to_string(session_.program, a.trap->stack.front())))
                .second) {
            result_.violations.push_back({.trap = *a.trap, .thread = node.threads[thread].state.id});
        }
        return;
    default:
        result_.unsupported = "an action that the reference search does not know (an input, an atomic section, an endless loop)";
    }
}

std::size_t Reference::add_event(Node& node, std::size_t thread, Event e, const Content& content) {
    Thread& t = node.threads[thread];
    e.thread = t.state.id;
    e.index = t.events++;
    node.x.events.push_back(e);
    node.contents.push_back(content);
    return node.x.events.size() - 1;
}

void Reference::add_location(Node& node, const Action& a) {
    for (const auto& [address, writes] : node.x.coherence) {
        const unsigned size = node.contents[writes.front()].size;
        if (address < a.address + a.size && a.address < address + size && (address != a.address || size != a.size)) {
            result_.unsupported = "accesses of different sizes to the same memory";
        }
    }
    auto& writes = node.x.coherence[a.address];
    if (writes.empty()) {
        node.x.events.push_back({.kind = EventKind::Init, .location = a.address});
        node.contents.push_back({.value = node.initial.load(a.address, a.size), .size = a.size});
        writes.push_back(node.x.events.size() - 1);
    }
}

void Reference::load(const Node& node, std::size_t thread, const Action& a) {
    for (const std::size_t source : node.x.coherence.at(a.address)) {
        const Content content = node.contents[source];
        if (!satisfied(a, content.value)) {
            continue;
        }
        Node next = node;
        add_event(next, thread, {.kind = EventKind::Read, .order = a.order, .location = a.address, .source = source}, content);
        machine_.resume(next.threads[thread].state, content.value);
        visit_if_consistent(next);
    }
}

void Reference::place_write(const Node& node, std::size_t thread, Event e, const Content& content, const Value& outcome) {
    for (std::size_t at = 1; at <= node.x.coherence.at(e.location).size(); ++at) {
        Node next = node;
        const std::size_t write = add_event(next, thread, e, content);
        auto& writes = next.x.coherence[e.location];
        writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(at), write);
        machine_.resume(next.threads[thread].state, outcome);
        visit_if_consistent(next);
    }
}

void Reference::store(const Node& node, std::size_t thread, const Action& a) {
    return place_write(node, thread, {.kind = EventKind::Write, .order = a.order, .location = a.address},
                       {.value = a.value, .size = a.size}, {});
}

/// A read and, if the update succeeds, a write at once: nobody can tell a moment between them.
void Reference::update(const Node& node, std::size_t thread, const Action& a) {
    for (const std::size_t source : node.x.coherence.at(a.address)) {
        const Content content = node.contents[source];
        const auto [waits, fresh, outcome] = effect_of_read(a, content.value);
        if (waits) {
            continue;
        }
        Node next = node;
        const std::size_t read = add_event(next, thread,
                                           {.kind = EventKind::Read,
                                            .order = order_of_read(a, fresh.has_value()),
                                            .update = true,
                                            .location = a.address,
                                            .source = source},
                                           content);
        if (fresh) {
            place_write(next, thread,
                        {.kind = EventKind::Write,
                         .order = order_of_write(a),
                         .update = true,
                         .location = a.address,
                         .update_read = read},
                        {.value = *fresh, .size = a.size}, outcome);
        } else {
            machine_.resume(next.threads[thread].state, outcome);
            visit_if_consistent(next);
        }
    }
}

void Reference::choose(const Node& node, std::size_t thread, const Action& a) {
    for (std::uint64_t k = 0; k < a.count; ++k) {
        Node next = node;
        add_event(next, thread, {.kind = EventKind::Choose, .chosen = k}, {});
        machine_.resume(next.threads[thread].state, {.lo = k});
        visit(next);
    }
}

void Reference::spawn(Node node, std::size_t thread, const Action& a) {
    const auto id = session_.names.child(node.threads[thread].state.id, a.count);
    HEDDLE_CHECK(id, "too many threads for the reference search");
    add_event(node, thread, {.kind = EventKind::Spawn, .other = *id}, {});
    machine_.resume(node.threads[thread].state, {.lo = id->index});
    node.threads.push_back({.state = machine_.start_thread(a, *id)});
    add_event(node, node.threads.size() - 1, {.kind = EventKind::Begin}, {});
    return visit_if_consistent(node);
}

void Reference::join(Node node, std::size_t thread, const Action& a) {
    const auto other = std::ranges::find_if(node.threads, [&](const Thread& t) { return t.state.id.index == a.value.lo; });
    if (other == node.threads.end() || !other->done) {
        return;
    }
    add_event(node, thread, {.kind = EventKind::Join, .other = other->state.id}, {});
    machine_.resume(node.threads[thread].state, other->result);
    return visit_if_consistent(node);
}

void Reference::end(Node node, std::size_t thread, const Action& a) {
    // A program that exits ends its other threads at some moment; every moment is a prefix of the execution in which they run on.
    add_event(node, thread, {.kind = EventKind::End}, {});
    node.threads[thread].done = true;
    node.threads[thread].result = a.value;
    return visit_if_consistent(node);
}

} // namespace

ReferenceResult reference_search(Session& session, const Axioms& axioms, std::size_t limit, const Describe& describe) {
    return Reference(session, axioms, limit, describe).run();
}

} // namespace heddle
