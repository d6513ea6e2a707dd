#include "search/enumerate/paths.hpp"

#include "search/prologue/prologue.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace heddle {
namespace {

/// Where a thread starts: what the events of its spawner say about it.
struct Start {
    std::uint32_t id;
    Address function;
    std::uint64_t argument;
    friend auto operator<=>(const Start&, const Start&) = default;
};

constexpr std::uint32_t kNoEvent = ~std::uint32_t{0};
constexpr std::size_t kMaxEvents = 1000; ///< of one path: more is a loop without end

class PathFinder {
  public:
    PathFinder(const Program& program, ThreadNames& names, const PathOptions& options)
        : machine_(program, {.dependencies = true, .unroll = options.unroll}), names_(names), options_(options),
          found_{.threads = {}, .locations = {}, .results = {}, .initial = Memory(program), .unsupported = {}} {}

    Paths run();

  private:
    [[nodiscard]] bool is_litmus() const { return !options_.threads.empty(); }

    /// Runs every thread along every way that the visible values allow.
    void round();
    /// Makes visible what was written in the last round: was there anything?
    bool reveal();
    /// Goes on from `state`, whose thread has done what is in `events_` and the rest of "the present path".
    void walk(ThreadState state);
    // Each adds what the action is to the present path, goes on in every way, and takes it back. `state` stands at the action.
    void load(ThreadState& state, const Action& a);
    void update(ThreadState& state, const Action& a);
    void choose(ThreadState& state, const Action& a);
    void join(ThreadState& state, const Action& a);
    /// Adds what has only one outcome and moves the thread past it; false when the path ends here.
    bool pass(ThreadState& state, const Action& a);
    void store(const Action& a);
    void spawn(ThreadState& state, const Action& a);
    void allocate(const Action& a);
    void end_path(const Action& a);
    void go_on(const ThreadState& state, const Value& outcome) {
        ThreadState next = state;
        machine_.resume(next, outcome);
        walk(std::move(next));
    }

    // The present path; `mark` and `take_back` undo.
    struct Mark {
        std::size_t events, addr, data, ctrl, addr_po, starts, registers, joined, reads;
        std::uint32_t reserved;
        bool failed;
    };
    [[nodiscard]] Mark mark() const {
        return {events_.size(),
                shape_.addr.size(),
                shape_.data.size(),
                shape_.ctrl.size(),
                shape_.addr_po.size(),
                shape_.starts.size(),
                path_.registers.size(),
                path_.joined.size(),
                event_of_.size(),
                reserved_,
                failed_};
    }
    void take_back(const Mark& m) {
        events_.resize(m.events);
        path_.values.resize(m.events);
        shape_.addr.resize(m.addr);
        shape_.data.resize(m.data);
        shape_.ctrl.resize(m.ctrl);
        shape_.addr_po.resize(m.addr_po);
        shape_.starts.resize(m.starts);
        path_.registers.resize(m.registers);
        path_.joined.resize(m.joined);
        event_of_.resize(m.reads);
        reserved_ = m.reserved;
        failed_ = m.failed;
    }
    std::uint32_t add(Event e, std::uint32_t value, const Action& a);
    void depend(DependencyLists::List& list, DepSet on, std::size_t event);
    /// The action that `state` stands at is the event at this position, as far as dependencies go.
    void name_action(const ThreadState& state, std::uint32_t event) {
        event_of_.resize(state.actions, kNoEvent);
        event_of_.push_back(event);
    }
    const std::vector<std::uint32_t>& elements(DepSet set);

    Pool& pool(const Action& a);
    static std::uint32_t number_of(std::vector<Value>& values, const Value& v);
    [[nodiscard]] bool is_register(Address address) const {
        return options_.first_register && kind_of(address) == AddressKind::Global && address >= *options_.first_register;
    }
    std::uint32_t shape_number(ThreadPaths& thread);
    void give_up(std::string why) {
        if (!found_.unsupported) {
            found_.unsupported = std::move(why);
        }
    }

    Machine machine_;
    ThreadNames& names_;
    const PathOptions& options_;
    Paths found_;
    std::vector<ThreadState> starts_;                      ///< of found_.threads
    std::map<Start, std::uint32_t> start_index_;           ///< into both
    std::map<std::uint32_t, std::size_t> results_visible_; ///< as Pool::visible
    std::unordered_map<DepSet, std::vector<std::uint32_t>> elements_;
    std::size_t ended_ = 0; ///< paths, in this round
    std::size_t steps_ = 0; ///< reads and other choices, in all rounds

    std::uint32_t thread_ = 0; ///< whose path is the present one
    std::vector<Event> events_;
    Shape shape_; ///< but for its events
    Path path_;
    std::vector<std::uint32_t> event_of_; ///< by number of the action: the Read that it is, or kNoEvent
    std::uint32_t reserved_ = kNoEvent;   ///< the load that an exclusive store would belong to
    /// Something went wrong in passing (Action::in_passing). There the path has ended; the thread is followed further for the sake of the values it
    /// writes, which it also writes where nothing goes wrong.
    bool failed_ = false;
    std::map<std::string, std::uint32_t> shape_index_; ///< of thread_
    std::size_t most_writes_ = 0;                      ///< of any path of thread_ in this round
    std::size_t most_writes_of_all_ = 0;
};

Paths PathFinder::run() {
    if (is_litmus()) {
        for (std::uint32_t k = 0; k < options_.threads.size(); ++k) {
            starts_.push_back(machine_.start_at(options_.threads[k], ThreadId(k)));
            found_.threads.push_back({.id = ThreadId(k), .shapes = {}, .paths = {}});
        }
    } else {
        Prologue prologue = run_prologue(machine_, options_.gives_up);
        found_.initial = std::move(prologue.memory);
        starts_.push_back(std::move(prologue.main));
        found_.threads.push_back({.id = {}, .shapes = {}, .paths = {}});
    }
    found_.first_threads = starts_.size();
    std::size_t rounds = 0;
    do {
        round();
        ++rounds;
    } while (!found_.unsupported && rounds <= most_writes_of_all_ + 1 && reveal());
    return std::move(found_);
}

bool PathFinder::reveal() {
    bool fresh = false;
    for (auto& [address, pool] : found_.locations) {
        fresh = fresh || pool.visible < pool.values.size();
        pool.visible = pool.values.size();
    }
    for (auto& [thread, values] : found_.results) {
        std::size_t& visible = results_visible_[thread];
        fresh = fresh || visible < values.size();
        visible = values.size();
    }
    return fresh;
}

void PathFinder::round() {
    ended_ = 0;
    most_writes_of_all_ = 0;
    found_.cut = false;
    std::map<std::uint32_t, std::size_t> most; // a thread may start in several ways, in one execution it starts in one
    for (thread_ = 0; thread_ < starts_.size() && !found_.unsupported; ++thread_) { // spawned threads join the list on the way
        found_.threads[thread_].shapes.clear();
        found_.threads[thread_].paths.clear();
        shape_index_.clear();
        most_writes_ = 0;
        take_back({});
        reserved_ = kNoEvent;
        if (!is_litmus()) {
            events_.push_back({.kind = EventKind::Begin, .thread = found_.threads[thread_].id});
            path_.values.push_back(0);
        }
        walk(starts_[thread_]);
        std::size_t& so_far = most[found_.threads[thread_].id.index];
        so_far = std::max(so_far, most_writes_);
    }
    for (const auto& [thread, writes] : most) {
        most_writes_of_all_ += writes + (results_visible_.contains(thread) ? 1 : 0); // a result that is joined is like a write
    }
}

void PathFinder::walk(ThreadState state) {
    const Mark before = mark();
    constexpr std::size_t kAskEvery = 4096;
    if (options_.gives_up && ++steps_ % kAskEvery == 0 && options_.gives_up()) {
        give_up(kStopped);
    }
    while (!found_.unsupported) {
        if (failed_ && events_.size() + 2 > kMaxEvents) {
            return take_back(before); // with the result of what failed, a loop may not end
        }
        const Action a = machine_.run(state, found_.initial.objects());
        switch (a.kind) {
        case ActionKind::Load:
            load(state, a);
            return take_back(before);
        case ActionKind::Rmw:
        case ActionKind::Lock:
            update(state, a);
            return take_back(before);
        case ActionKind::Choose:
            choose(state, a);
            return take_back(before);
        case ActionKind::Join:
            join(state, a);
            return take_back(before);
        default:
            if (!pass(state, a)) {
                return take_back(before);
            }
        }
    }
}

bool PathFinder::pass(ThreadState& state, const Action& a) {
    switch (a.kind) {
    case ActionKind::Store:
    case ActionKind::Unlock:
        if (a.exclusive && (reserved_ == kNoEvent || events_[reserved_].location != a.address)) {
            return false; // a conditional store without its load fails, and this is the path on which it succeeds
        }
        store(a);
        if (a.exclusive && event_of_.size() < state.actions) {
            // The choice before it says whether it succeeds: what depends on that depends on the store.
            event_of_.resize(state.actions - 1, kNoEvent);
            event_of_.push_back(static_cast<std::uint32_t>(events_.size() - 1));
        }
        break;
    case ActionKind::Fence:
        add({.kind = EventKind::Fence, .order = a.order, .fence = a.fence}, 0, a);
        break;
    case ActionKind::Spawn:
        spawn(state, a);
        return !found_.unsupported;
    case ActionKind::Alloc:
        allocate(a);
        break;
    case ActionKind::Free: // whether an access comes after it is a question about the whole execution, and not asked here
    case ActionKind::Output:
    case ActionKind::Yield:
    case ActionKind::Detach:
        break;
    case ActionKind::Block:
        found_.cut = found_.cut || !failed_;
        return false;
    case ActionKind::Trap:
        end_path(a);
        if (!a.in_passing) {
            return false;
        }
        failed_ = true;
        break;
    case ActionKind::Exit:
        if (thread_ != 0) { // who waits for its end has no complete path
            give_up("a thread other than main that ends the program");
            return false;
        }
        [[fallthrough]];
    case ActionKind::Done:
        end_path(a);
        return false;
    default:
        if (failed_) {
            return false;
        }
        give_up("an action that the enumeration of executions does not know (an input, an atomic section, an endless loop)");
        return false;
    }
    machine_.resume(state, {});
    return true;
}

std::uint32_t PathFinder::add(Event e, std::uint32_t value, const Action& a) {
    const auto at = static_cast<std::uint32_t>(events_.size());
    e.thread = found_.threads[thread_].id;
    e.index = at;
    events_.push_back(e);
    path_.values.push_back(value);
    depend(shape_.ctrl, a.deps.control, at);
    if (!is_litmus()) { // a litmus test has no private memory, so addr ; po says the same
        depend(shape_.addr_po, a.deps.earlier_addresses, at);
    }
    if (e.is_access()) {
        depend(shape_.addr, a.deps.address, at);
    }
    if (e.kind == EventKind::Write) {
        depend(shape_.data, a.deps.data, at);
        // Counted here and not at the end of a path: one that has to wait for values of later rounds has no end yet.
        const auto writes = std::ranges::count_if(events_, [](const Event& w) { return w.is_write(); });
        most_writes_ = std::max(most_writes_, static_cast<std::size_t>(writes));
    }
    if (events_.size() > kMaxEvents) {
        give_up("a thread that does more than 1000 actions: a loop without end? (--unroll bounds loops)");
    }
    return at;
}

void PathFinder::depend(DependencyLists::List& list, DepSet on, std::size_t event) {
    if (on == 0) {
        return;
    }
    for (const std::uint32_t action : elements(on)) {
        if (action < event_of_.size() && event_of_[action] != kNoEvent) { // else a choice, or what joining a thread gave
            list.emplace_back(event_of_[action], event);
        }
    }
}

const std::vector<std::uint32_t>& PathFinder::elements(DepSet set) {
    const auto [it, fresh] = elements_.try_emplace(set);
    if (fresh) {
        it->second = machine_.deps().elements(set);
    }
    return it->second;
}

Pool& PathFinder::pool(const Action& a) {
    const auto [it, fresh] = found_.locations.try_emplace(a.address);
    if (fresh) {
        it->second = {.size = a.size, .values = {found_.initial.load(a.address, a.size)}};
        const auto next = std::next(it);
        const bool overlaps = (next != found_.locations.end() && next->first < a.address + a.size) ||
                              (it != found_.locations.begin() && std::prev(it)->first + std::prev(it)->second.size > a.address);
        if (overlaps) {
            give_up("accesses of different sizes to the same memory");
        }
    } else if (it->second.size != a.size) {
        give_up("accesses of different sizes to the same memory");
    }
    return it->second;
}

std::uint32_t PathFinder::number_of(std::vector<Value>& values, const Value& v) {
    const auto it = std::ranges::find(values, v);
    const auto number = static_cast<std::uint32_t>(it - values.begin());
    if (it == values.end()) {
        values.push_back(v);
    }
    return number;
}

void PathFinder::load(ThreadState& state, const Action& a) {
    const Pool& p = pool(a);
    const std::size_t visible = p.visible;
    for (std::uint32_t k = 0; k < visible && !found_.unsupported; ++k) {
        const Value v = p.values[k];
        if (!satisfied(a, v)) {
            continue;
        }
        const Mark before = mark();
        const std::uint32_t read =
            add({.kind = EventKind::Read, .order = a.order, .exclusive = a.exclusive, .location = a.address}, k, a);
        name_action(state, read);
        if (a.exclusive) {
            reserved_ = read;
        }
        go_on(state, v);
        take_back(before);
    }
}

void PathFinder::store(const Action& a) {
    if (is_register(a.address)) {
        path_.registers.emplace_back(a.address, a.value);
        return;
    }
    const std::uint32_t value = number_of(pool(a).values, a.value);
    const bool unlocks = a.kind == ActionKind::Unlock;
    Event e{.kind = EventKind::Write, .order = a.order, .exclusive = a.exclusive || unlocks, .location = a.address};
    if (a.exclusive) {
        e.update_read = reserved_;
        reserved_ = kNoEvent;
    }
    add(e, value, a);
}

/// An update is a read and, if it succeeds, a write. The write's value comes from the read (unless it is an exchange), and whether there
/// is a write, of a compare-exchange.
void PathFinder::update(ThreadState& state, const Action& a) {
    Pool& p = pool(a);
    const std::size_t visible = p.visible;
    for (std::uint32_t k = 0; k < visible && !found_.unsupported; ++k) {
        const auto [waits, written, outcome] = effect_of_read(a, p.values[k]);
        if (waits) {
            continue;
        }
        const Mark before = mark();
        const bool takes_lock = a.kind == ActionKind::Lock && written;
        const std::uint32_t read = add({.kind = EventKind::Read,
                                        .order = order_of_read(a, written.has_value()),
                                        .update = true,
                                        .exclusive = takes_lock,
                                        .no_return = a.no_return,
                                        .location = a.address},
                                       k, a);
        name_action(state, read);
        if (written) {
            const std::uint32_t value = number_of(p.values, *written);
            const std::uint32_t write = add({.kind = EventKind::Write,
                                             .order = order_of_write(a),
                                             .update = true,
                                             .exclusive = takes_lock,
                                             .no_return = a.no_return,
                                             .location = a.address,
                                             .update_read = read},
                                            value, a);
            if (a.kind == ActionKind::Rmw && a.rmw != RmwOp::Xchg && a.rmw != RmwOp::CompareExchange) {
                shape_.data.emplace_back(read, write);
            }
            if (a.kind == ActionKind::Lock || a.wait != Wait::None || a.rmw == RmwOp::CompareExchange ||
                a.rmw == RmwOp::AddUnless) { // it is written only because of what was read
                shape_.ctrl.emplace_back(read, write);
            }
        }
        go_on(state, outcome);
        take_back(before);
    }
}

void PathFinder::choose(ThreadState& state, const Action& a) {
    for (std::uint64_t k = 0; k < a.count && !found_.unsupported; ++k) {
        const Mark before = mark();
        if (!is_litmus()) { // of a litmus test, what follows from the choice shows by itself
            add({.kind = EventKind::Choose, .chosen = k}, 0, a);
        }
        go_on(state, {.lo = k});
        take_back(before);
    }
}

void PathFinder::spawn(ThreadState& state, const Action& a) {
    const auto id = names_.child(state.id, a.count);
    if (!id) {
        return give_up("more threads than Heddle can name");
    }
    const Start start{.id = id->index, .function = a.address, .argument = a.value.lo};
    const auto [it, fresh] = start_index_.try_emplace(start, static_cast<std::uint32_t>(starts_.size()));
    if (fresh) {
        starts_.push_back(machine_.start_thread(a, *id));
        found_.threads.push_back({.id = *id, .shapes = {}, .paths = {}});
    }
    add({.kind = EventKind::Spawn, .other = *id}, 0, a);
    shape_.starts.push_back(it->second);
    machine_.resume(state, {.lo = id->index});
}

void PathFinder::join(ThreadState& state, const Action& a) {
    const auto thread = static_cast<std::uint32_t>(a.value.lo);
    const std::size_t visible = results_visible_[thread];
    for (std::uint32_t k = 0; k < visible && !found_.unsupported; ++k) {
        const Mark before = mark();
        add({.kind = EventKind::Join, .other = ThreadId(thread)}, 0, a);
        path_.joined.emplace_back(ThreadId(thread), k);
        go_on(state, found_.results[thread][k]);
        take_back(before);
    }
}

void PathFinder::allocate(const Action& a) {
    if (const Object* o = found_.initial.objects().find(a.address)) { // another path made one here
        if (o->base != a.address || o->size != a.count) {
            give_up("memory whose size depends on what was read");
        }
        return;
    }
    HEDDLE_CHECK(found_.initial.perform(a), "an allocation waits");
}

void PathFinder::end_path(const Action& a) {
    if (failed_) {
        return;
    }
    path_.trap = a.trap;
    path_.result.reset();
    const bool ends = a.kind != ActionKind::Trap;
    if (!is_litmus() && ends) {
        const std::uint32_t id = found_.threads[thread_].id.index;
        path_.result = number_of(found_.results[id], a.value);
        events_.push_back(
            {.kind = EventKind::End, .thread = found_.threads[thread_].id, .index = static_cast<std::uint32_t>(events_.size())});
        path_.values.push_back(0);
    }
    ThreadPaths& thread = found_.threads[thread_];
    path_.shape = shape_number(thread);
    thread.shapes[path_.shape].paths.push_back(static_cast<std::uint32_t>(thread.paths.size()));
    thread.paths.push_back(path_);
    ++ended_;
    if (ended_ > options_.max_paths) {
        give_up(fmt::format("more than {} paths", options_.max_paths));
    }
}

/// Two paths have the same shape when they agree on all that a Shape holds. The key spells that out.
std::uint32_t PathFinder::shape_number(ThreadPaths& thread) {
    std::string key;
    const auto put = [&key](const auto& number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
    for (const Event& e : events_) {
        put(e.kind);
        put(e.order);
        put(e.fence);
        put(static_cast<char>(e.update | e.exclusive << 1 | e.no_return << 2));
        put(e.location);
        put(e.other.index);
        put(e.chosen);
        put(static_cast<std::uint32_t>(e.update_read.value_or(kNoEvent)));
    }
    for (const auto* list : {&shape_.addr, &shape_.data, &shape_.ctrl, &shape_.addr_po}) {
        put(list->size());
        for (const auto& [from, to] : *list) {
            put(static_cast<std::uint32_t>(from));
            put(static_cast<std::uint32_t>(to));
        }
    }
    for (const std::uint32_t start : shape_.starts) {
        put(start);
    }
    const auto [it, fresh] = shape_index_.try_emplace(std::move(key), static_cast<std::uint32_t>(thread.shapes.size()));
    if (fresh) {
        Shape& shape = thread.shapes.emplace_back(shape_);
        shape.events = events_;
        if (options_.depends_on_updates) {
            depend_on_updates(shape.events, shape);
        }
        shape.paths.clear();
    }
    return it->second;
}

} // namespace

Paths find_paths(const Program& program, ThreadNames& names, const PathOptions& options) {
    return PathFinder(program, names, options).run();
}

} // namespace heddle
