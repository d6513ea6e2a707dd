#include "search/reference/reference_search.hpp"

#include "search/prologue/prologue.hpp"
#include "search/reference/lifetimes.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <unordered_set>

namespace heddle {
namespace {

/// What is known of an event beyond the model's view of it: the value that it reads or writes, how wide, and where in the code.
struct Content {
    Value value{};
    std::uint8_t size = 0;
    PlaceId place{};
    bool decides = false; ///< whether its thread waits
};

struct Thread {
    ThreadState state;
    Action next;              ///< what it does next that others can see
    std::uint32_t events = 0; ///< how many it has in the execution
    bool done = false;
    Value result{};
};

class Reference {
  public:
    Reference(Session& session, const Axioms& axioms, std::size_t limit, const Describe& describe,
              const std::function<bool()>& gives_up)
        : session_(session), machine_(session.program), axioms_(axioms), limit_(limit), describe_(describe), gives_up_(gives_up),
          initial_(session.program) {}

    ReferenceResult run() {
        Prologue prologue = run_prologue(machine_, gives_up_);
        if (gives_up_ && gives_up_()) {
            result_.unsupported = kGaveUp;
            return std::move(result_);
        }
        initial_ = std::move(prologue.memory);
        threads_.push_back({.state = std::move(prologue.main), .next = {}});
        add_event(0, {.kind = EventKind::Begin}, {});
        go_on(0);
        visit();
        return std::move(result_);
    }

  private:
    /// Looks at the present execution unless it has been here before, and grows it in every consistent way.
    void visit();
    // Each grows the execution by one action of a thread in every way, visits the results and takes them back.
    void grow(std::size_t thread);
    void load(std::size_t thread, const Action& a);
    void store(std::size_t thread, const Action& a);
    void update(std::size_t thread, const Action& a);
    void choose(std::size_t thread, const Action& a);
    void spawn(std::size_t thread, const Action& a);
    void join(std::size_t thread, const Action& a);
    void end(std::size_t thread, const Action& a);
    /// The write `e` at every place of its location's coherence; the thread then goes on with `outcome`.
    void place_write(std::size_t thread, Event e, const Content& content, const Value& outcome);

    void report(const Trap& trap, ThreadId thread);
    /// In the present execution: a thread that waits for a value must not find an undefined one.
    void check_waits();
    /// In the present execution, complete or not: are objects accessed after their end, or freed twice?
    void check_lifetimes();
    /// In the present execution, which is complete: objects that nobody freed and nothing points to.
    void check_leaks();
    /// Can the thread go on with something in which it has no choice, or only its own? See visit.
    [[nodiscard]] bool is_local(const Thread& t) const;
    /// Has the thread failed, or does it wait for what the latest writes do not give? In the latter case it waits for good if nobody else
    /// goes on: sooner or later a waiting thread sees the latest write, whatever it may have read before.
    [[nodiscard]] bool stuck(const Thread& t) const;
    /// The thread that has ended under this name, if it has.
    [[nodiscard]] const Thread* ended(std::uint64_t name) const;

    /// Everything from here on is done in the present execution; `take_back` undoes it.
    struct Mark {
        std::size_t events;
        std::size_t threads;
        std::size_t thread;
        Thread before;
        std::optional<Memory> initial; ///< if it changed
    };
    [[nodiscard]] Mark mark(std::size_t thread) const {
        return {x_.events.size(), threads_.size(), thread, threads_[thread], {}};
    }
    void take_back(Mark& m);
    std::size_t add_event(std::size_t thread, Event e, const Content& content);
    /// The writes to the location that `a` accesses, which has its Init now. (A copy, since they come and go while the caller tries them.)
    std::vector<std::size_t> add_location(const Action& a);
    /// The thread's action has happened, with this outcome: finds the next.
    void resume(Mark& m, const Value& outcome) {
        machine_.resume(threads_[m.thread].state, outcome);
        go_on(m.thread, &m);
    }
    void go_on(std::size_t thread, Mark* m = nullptr);
    [[nodiscard]] std::u32string key() const;
    [[nodiscard]] std::string described() const {
        std::vector<Value> values;
        for (const Content& c : contents_) {
            values.push_back(c.value);
        }
        return describe_(x_, values);
    }

    Session& session_;
    Machine machine_;
    const Axioms& axioms_;
    std::size_t limit_;
    const Describe& describe_;
    const std::function<bool()>& gives_up_;
    std::unordered_set<std::u32string> seen_; ///< the keys of all executions visited or found inconsistent
    ReferenceResult result_;

    // The present partial execution, with all that is needed to grow it.
    Execution x_;
    std::vector<Content> contents_; ///< as long as x_.events
    std::vector<Thread> threads_;
    Memory initial_; ///< every object there is, with the bytes it started with
};

/// Equal for two partial executions exactly when they are the same but for the order of `events`: what each thread has read and chosen so far,
/// which says what it did, and coherence.
std::u32string Reference::key() const {
    const auto name = [&](std::size_t e) {
        const Event& event = x_.events[e];
        return event.kind == EventKind::Init ? U'\0' : static_cast<char32_t>((event.thread.index + 1) << 16 | event.index);
    };
    std::size_t names = 0;
    for (const Thread& t : threads_) {
        names = std::max<std::size_t>(names, t.state.id.index + 1);
    }
    std::u32string k(names, U'\0'); // how many events each thread has
    for (const Thread& t : threads_) {
        k[t.state.id.index] = t.events;
    }
    std::vector<std::size_t> first(names + 1, names); // where each thread's events start
    for (std::size_t t = 0; t < names; ++t) {
        first[t + 1] = first[t] + k[t];
    }
    k.resize(first[names]);
    for (const Event& e : x_.events) {
        if (e.kind != EventKind::Init) {
            k[first[e.thread.index] + e.index] = e.source ? name(*e.source) : static_cast<char32_t>(e.chosen);
        }
    }
    for (const auto& [address, writes] : x_.coherence) { // how many and which locations have writes: what threads did says it
        for (std::size_t at = 1; at < writes.size(); ++at) {
            k += name(writes[at]);
        }
    }
    return k;
}

void Reference::visit() {
    if (result_.unsupported || !seen_.insert(key()).second || axioms_.broken(x_)) {
        return;
    }
    if (gives_up_ && seen_.size() % 64 == 0 && gives_up_()) {
        result_.unsupported = kGaveUp;
        return;
    }
    constexpr std::size_t kMostEvents = 100; // the axioms take longer and longer, and each event is a level of recursion
    if (x_.events.size() > kMostEvents) {
        result_.unsupported = fmt::format("more than {} events in an execution: a loop without end?", kMostEvents);
        return;
    }
    if (seen_.size() > limit_) {
        result_.unsupported = fmt::format("more than {} partial executions", limit_);
        return;
    }
    check_waits();
    check_lifetimes();
    // What a thread can do whatever the others do, and without any of them being able to tell when, it does in every execution that
    // goes on from here: now is as good as later. (No model forbids to add such an event, since nothing comes after it.)
    for (std::size_t t = 0; t < threads_.size(); ++t) {
        if (is_local(threads_[t])) {
            return grow(t);
        }
    }
    bool all_done = true;
    bool all_stuck = true;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
        if (!threads_[t].done) {
            all_done = false;
            all_stuck = all_stuck && stuck(threads_[t]);
            grow(t);
        }
    }
    if (all_done) {
        check_leaks();
        result_.complete.insert(described());
    } else if (all_stuck) {
        result_.blocked.insert(described());
    }
}

bool Reference::is_local(const Thread& t) const {
    switch (t.next.kind) {
    case ActionKind::Fence:
    case ActionKind::Choose:
    case ActionKind::Spawn:
        return true;
    case ActionKind::Exit:
    case ActionKind::Done:
        return !t.done;
    case ActionKind::Join:
        return ended(t.next.value.lo) != nullptr;
    default:
        return false;
    }
}

const Thread* Reference::ended(std::uint64_t name) const {
    const auto it = std::ranges::find_if(
        threads_, [&](const Thread& t) { return t.state.id.index == name && t.done && t.next.kind == ActionKind::Done; });
    return it == threads_.end() ? nullptr : &*it;
}

void Reference::go_on(std::size_t thread, Mark* m) {
    ThreadState& state = threads_[thread].state;
    for (;;) {
        Action a = machine_.run(state, initial_.objects());
        switch (a.kind) {
        // What no other thread can tell the time of happens at once.
        case ActionKind::Alloc:
            if (m != nullptr && !m->initial) {
                m->initial = initial_;
            }
            machine_.resume(state, *initial_.perform(a));
            break;
        case ActionKind::Free:
            add_event(thread, {.kind = EventKind::Free, .location = a.address}, {.place = a.place});
            machine_.resume(state, {});
            break;
        case ActionKind::Output:
        case ActionKind::Yield:
        case ActionKind::Detach:
            machine_.resume(state, {});
            break;
        default:
            threads_[thread].next = std::move(a);
            return;
        }
    }
}

bool Reference::stuck(const Thread& t) const {
    const Action& a = t.next;
    switch (a.kind) {
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock: {
        const auto writes = x_.coherence.find(a.address);
        const Value latest =
            writes == x_.coherence.end() ? initial_.load(a.address, a.size) : contents_[writes->second.back()].value;
        return effect_of_read(a, latest).waits;
    }
    case ActionKind::Join:
        return ended(a.value.lo) == nullptr;
    default:
        return a.kind == ActionKind::Block || a.kind == ActionKind::Trap;
    }
}

void Reference::grow(std::size_t thread) {
    const Action a = threads_[thread].next;
    switch (a.kind) {
    case ActionKind::Load:
        return load(thread, a);
    case ActionKind::Store:
    case ActionKind::Unlock:
        return store(thread, a);
    case ActionKind::Rmw:
    case ActionKind::Lock:
        return update(thread, a);
    case ActionKind::Fence: {
        Mark m = mark(thread);
        add_event(thread, {.kind = EventKind::Fence, .order = a.order, .fence = a.fence}, {});
        resume(m, {});
        visit();
        return take_back(m);
    }
    case ActionKind::Choose:
        return choose(thread, a);
    case ActionKind::Spawn:
        return spawn(thread, a);
    case ActionKind::Join:
        return join(thread, a);
    case ActionKind::Exit:
    case ActionKind::Done:
        return end(thread, a);
    case ActionKind::Block:
        return;
    case ActionKind::Trap:
        return report(*a.trap, threads_[thread].state.id);
    default:
        result_.unsupported = "an action that the reference search does not know (an input, an atomic section, an endless loop)";
    }
}

void Reference::report(const Trap& trap, ThreadId thread) {
    if (result_.traps.insert(fmt::format("{} at {}", word_of(trap.kind), to_string(session_.program, trap.stack.front())))
            .second) {
        result_.violations.push_back({.trap = trap, .thread = thread});
    }
}

void Reference::check_waits() {
    for (std::size_t e = 0; e < x_.events.size(); ++e) {
        if (contents_[e].decides && !contents_[e].value.defined()) {
            report(
                {.kind = TrapKind::UninitializedRead, .message = kUninitializedLock, .stack = {contents_[e].place}, .object = {}},
                x_.events[e].thread);
        }
    }
}

void Reference::check_lifetimes() {
    // What a thread waits to read is not in the execution; but it reads there next, the latest write if nothing else, and that read comes before nothing.
    for (const Thread& t : threads_) {
        const ActionKind kind = t.next.kind;
        const bool reads = kind == ActionKind::Load || kind == ActionKind::Rmw || kind == ActionKind::Lock;
        const Object* const o = !t.done && reads && stuck(t) ? initial_.objects().find(t.next.address) : nullptr;
        const bool ended = o && std::ranges::any_of(x_.events, [&](const Event& e) {
                               return e.kind == EventKind::Free && initial_.objects().find(e.location) == o;
                           });
        if (ended) {
            report({.kind = o->kind == ObjectKind::Stack ? TrapKind::UseAfterReturn : TrapKind::UseAfterFree,
                    .message = "read, while waiting, of an object that may have ended",
                    .stack = {t.next.place},
                    .object = {}},
                   t.state.id);
        }
    }
    for (const LifetimeFault& fault : lifetime_faults(x_, axioms_, initial_.objects())) {
        const Event& e = x_.events[fault.event];
        Trap trap{.kind = fault.kind, .message = {}, .stack = {contents_[fault.event].place}, .object = {}};
        trap.message = fault.kind == TrapKind::DoubleFree
                           ? "free of memory that is freed twice"
                           : fmt::format("{} of {} byte(s) of an object that may have ended", e.is_read() ? "read" : "write",
                                         contents_[fault.event].size);
        report(trap, e.thread);
    }
}

void Reference::check_leaks() {
    Memory after = initial_;
    for (const auto& [address, writes] : x_.coherence) {
        if (writes.size() > 1) {
            after.store(address, contents_[writes.back()].size, contents_[writes.back()].value);
        }
    }
    for (std::size_t e = 0; e < x_.events.size(); ++e) {
        const Object* const o = x_.events[e].kind == EventKind::Free ? after.objects().find(x_.events[e].location) : nullptr;
        if (o && o->alive) {
            Action release;
            release.kind = ActionKind::Free;
            release.address = o->base;
            release.place = contents_[e].place;
            static_cast<void>(after.perform(release));
        }
    }
    for (const Object& o : after.leaks({})) {
        report(leak_of(o), thread_of(o.base));
    }
}

void Reference::take_back(Mark& m) {
    if (m.initial) {
        initial_ = std::move(*m.initial);
    }
    threads_.resize(m.threads);
    threads_[m.thread] = std::move(m.before);
    for (std::size_t e = x_.events.size(); e-- > m.events;) {
        if (x_.events[e].is_write()) {
            auto& writes = x_.coherence[x_.events[e].location];
            std::erase(writes, e);
            if (writes.empty()) {
                x_.coherence.erase(x_.events[e].location);
            }
        }
    }
    x_.events.resize(m.events);
    contents_.resize(m.events);
}

std::size_t Reference::add_event(std::size_t thread, Event e, const Content& content) {
    Thread& t = threads_[thread];
    e.thread = t.state.id;
    e.index = t.events++;
    x_.events.push_back(e);
    contents_.push_back(content);
    return x_.events.size() - 1;
}

std::vector<std::size_t> Reference::add_location(const Action& a) {
    for (const auto& [address, writes] : x_.coherence) {
        const unsigned size = contents_[writes.front()].size;
        if (address < a.address + a.size && a.address < address + size && (address != a.address || size != a.size)) {
            result_.unsupported = "accesses of different sizes to the same memory";
        }
    }
    auto& writes = x_.coherence[a.address];
    if (writes.empty()) {
        x_.events.push_back({.kind = EventKind::Init, .location = a.address});
        contents_.push_back({.value = initial_.load(a.address, a.size), .size = a.size});
        writes.push_back(x_.events.size() - 1);
    }
    return writes;
}

void Reference::load(std::size_t thread, const Action& a) {
    Mark before = mark(thread);
    for (const std::size_t source : add_location(a)) {
        const Content content = contents_[source];
        if (!satisfied(a, content.value)) {
            continue;
        }
        Mark m = mark(thread);
        add_event(thread, {.kind = EventKind::Read, .order = a.order, .location = a.address, .source = source},
                  {.value = content.value, .size = content.size, .place = a.place, .decides = decides_by_value(a)});
        resume(m, content.value);
        visit();
        take_back(m);
    }
    take_back(before);
}

void Reference::place_write(std::size_t thread, Event e, const Content& content, const Value& outcome) {
    auto& writes = x_.coherence.at(e.location);
    const std::size_t places = writes.size();
    for (std::size_t at = 1; at <= places; ++at) {
        Mark m = mark(thread);
        writes.insert(writes.begin() + static_cast<std::ptrdiff_t>(at), add_event(thread, e, content));
        resume(m, outcome);
        visit();
        take_back(m);
    }
}

void Reference::store(std::size_t thread, const Action& a) {
    Mark m = mark(thread);
    add_location(a);
    place_write(thread, {.kind = EventKind::Write, .order = a.order, .location = a.address},
                {.value = a.value, .size = a.size, .place = a.place}, {});
    take_back(m);
}

/// A read and, if the update succeeds, a write at once: nobody can tell a moment between them.
void Reference::update(std::size_t thread, const Action& a) {
    Mark before = mark(thread);
    for (const std::size_t source : add_location(a)) {
        const Content content = contents_[source];
        const auto [waits, fresh, outcome] = effect_of_read(a, content.value);
        if (waits) {
            continue;
        }
        Mark m = mark(thread);
        const std::size_t read =
            add_event(thread,
                      {.kind = EventKind::Read,
                       .order = order_of_read(a, fresh.has_value()),
                       .update = true,
                       .location = a.address,
                       .source = source},
                      {.value = content.value, .size = content.size, .place = a.place, .decides = decides_by_value(a)});
        if (fresh) {
            place_write(thread,
                        {.kind = EventKind::Write,
                         .order = order_of_write(a),
                         .update = true,
                         .location = a.address,
                         .update_read = read},
                        {.value = *fresh, .size = a.size, .place = a.place}, outcome);
        } else {
            resume(m, outcome);
            visit();
        }
        take_back(m);
    }
    take_back(before);
}

void Reference::choose(std::size_t thread, const Action& a) {
    for (std::uint64_t k = 0; k < a.count; ++k) {
        Mark m = mark(thread);
        add_event(thread, {.kind = EventKind::Choose, .chosen = k}, {});
        resume(m, {.lo = k});
        visit();
        take_back(m);
    }
}

void Reference::spawn(std::size_t thread, const Action& a) {
    const auto id = session_.names.child(threads_[thread].state.id, a.count);
    HEDDLE_CHECK(id, "too many threads for the reference search");
    Mark m = mark(thread);
    add_event(thread, {.kind = EventKind::Spawn, .other = *id}, {});
    resume(m, {.lo = id->index});
    threads_.push_back({.state = machine_.start_thread(a, *id), .next = {}});
    add_event(threads_.size() - 1, {.kind = EventKind::Begin}, {});
    go_on(threads_.size() - 1, &m);
    visit();
    take_back(m);
}

void Reference::join(std::size_t thread, const Action& a) {
    const Thread* other = ended(a.value.lo);
    if (other == nullptr) {
        return;
    }
    Mark m = mark(thread);
    add_event(thread, {.kind = EventKind::Join, .other = other->state.id}, {});
    resume(m, other->result);
    visit();
    take_back(m);
}

void Reference::end(std::size_t thread, const Action& a) {
    // A program that exits ends its other threads at some moment; every moment is a prefix of the execution in which they run on.
    Mark m = mark(thread);
    add_event(thread, {.kind = EventKind::End}, {});
    threads_[thread].done = true;
    threads_[thread].result = a.value;
    visit();
    take_back(m);
}

} // namespace

ReferenceResult reference_search(Session& session, const Axioms& axioms, std::size_t limit, const Describe& describe,
                                 const std::function<bool()>& gives_up) {
    return Reference(session, axioms, limit, describe, gives_up).run();
}

} // namespace heddle
