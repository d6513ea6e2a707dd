#include "search/value/graph_realizer.hpp"

#include "property/races.hpp"
#include "search/dpor/steps.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace heddle {

std::unique_ptr<GraphRealizer::Built> GraphRealizer::build(std::function<bool(Address)> is_tracked) const {
    auto built = std::make_unique<Built>();
    built->model = std::make_unique<RfModel>(built->graph, entry_.axioms(), entry_.make(built->graph), std::move(is_tracked),
                                             RfModel::Ways{.saturate = entry_.buffer.value_or(Buffer::None)});
    if (!built->model->happens_before()) {
        built->own_hb = std::make_unique<HappensBefore>(built->graph);
    }
    return built;
}

void GraphRealizer::prepare(const Question& question) {
    writers_.clear();
    std::size_t seq_cst = 0;
    for (std::uint32_t t = 0; t < question.lengths.size(); ++t) {
        for (std::uint32_t k = 0; k < question.lengths[t]; ++k) {
            const HistoryOp& op = op_of(t, k);
            if (op.stores()) {
                writers_[{op.location, op.written}].push_back({ThreadId(t), k});
            }
            seq_cst += op.step->action.order == Order::SeqCst ? 1 : 0;
        }
    }
    hints_.resize(std::max(hints_.size(), question.lengths.size()));
    threads_.resize(std::max(threads_.size(), question.lengths.size()));
    for (std::size_t t = 0; t < question.lengths.size(); ++t) {
        hints_[t].resize(std::max<std::size_t>(hints_[t].size(), question.lengths[t]));
        threads_[t].events.resize(std::max<std::size_t>(threads_[t].events.size(), question.lengths[t]));
    }
    // With coherence open the model would ask the plain axioms there. To be shown, coherence has to be known.
    const bool all = question.shown || entry_.axioms().coherence_orders || seq_cst > 1;
    auto& usual = all ? tracked_ : open_;
    if (!usual) {
        usual = build([all](Address) { return all; });
    }
    at_ = usual.get();
}

bool GraphRealizer::ask(const Question& question) {
    prepare(question);
    std::set<Address> tracked;
    std::unique_ptr<Built> own; // that tracks what the question turns out to need
    for (;;) {
        untracked_.clear();
        const bool found = search(question);
        if (found) {
            remember(question.shown);
        }
        undo(0);
        if (untracked_.empty()) {
            return found;
        }
        for (const LocationId l : untracked_) {
            tracked.insert(places_.location(l).address);
        }
        own = build([tracked](Address a) { return tracked.contains(a); });
        at_ = own.get();
    }
}

bool GraphRealizer::search(const Question& question) {
    constexpr std::uint32_t kNowAndThen = 1024;
    frames_.clear();
    add({.kind = EventKind::Begin}, {});
    threads_[0].begun = true;
    for (;;) {
        if (++ticks_ % kNowAndThen == 0 && !keeps_going_()) {
            undo(0);
            throw Abandoned{};
        }
        const Growth growth = grow(question);
        if (growth == Growth::Complete) {
            const bool accepted = accepts(question);
            if (accepted || !untracked_.empty()) {
                return accepted;
            }
        }
        if (growth != Growth::Grown && !backtrack()) {
            return false;
        }
    }
}

GraphRealizer::Growth GraphRealizer::grow(const Question& question) {
    const auto threads = static_cast<std::uint32_t>(question.lengths.size());
    std::uint32_t chooses = kNothing;
    std::vector<Option> options;
    for (bool moved = true; moved;) {
        moved = false;
        chooses = kNothing;
        for (std::uint32_t t = 0; t < threads; ++t) {
            Stand stand = step(t, question);
            while (stand == Stand::Moved) {
                moved = true;
                stand = step(t, question);
            }
            if (stand == Stand::Dead) {
                return Growth::Dead;
            }
            if (stand == Stand::Chooses && (chooses == kNothing || options_.size() < options.size())) {
                chooses = t;
                options.swap(options_);
            }
        }
    }
    if (chooses == kNothing) {
        for (std::uint32_t t = 0; t < threads; ++t) {
            if (threads_[t].done < question.lengths[t]) {
                return Growth::Dead;
            }
        }
        return Growth::Complete;
    }
    const Thread& thread = threads_[chooses];
    frames_.push_back({.thread = chooses,
                       .events = at_->graph.size(),
                       .limited = thread.limited,
                       .limit = thread.limit,
                       .options = std::move(options)});
    Frame& f = frames_.back();
    return apply(chooses, f.options[f.next++]) ? Growth::Grown : Growth::Dead;
}

bool GraphRealizer::backtrack() {
    while (!frames_.empty()) {
        Frame& f = frames_.back();
        undo(f.events);
        Thread& thread = threads_[f.thread];
        thread.limited = f.limited;
        thread.limit = f.limit;
        if (f.next < f.options.size()) {
            const std::uint32_t t = f.thread;
            const Option o = f.options[f.next++];
            if (apply(t, o)) {
                return true;
            }
        } else {
            frames_.pop_back();
        }
    }
    return false;
}

void GraphRealizer::undo(std::size_t events) {
    ExecutionGraph& graph = at_->graph;
    while (graph.size() > events) {
        const EventId e = graph.order().back();
        const GraphEvent event = graph[e];
        Thread& thread = threads_[event.thread.index];
        if (event.kind == EventKind::Begin) {
            thread.begun = false;
            thread.limited = kNothing;
        } else if (event.kind == EventKind::End) {
            thread.end = kNoEvent;
        } else if (event.update_read == kNoEvent) {
            --thread.done;
        }
        at_->model->removed(e);
        graph.remove(e);
    }
}

// --- events --------------------------------------------------------------------------------------------------------------------------------

LocationId GraphRealizer::location(LocationId l) {
    if (l.index >= at_->locations.size()) {
        at_->locations.resize(l.index + 1);
    }
    auto& known = at_->locations[l.index];
    if (!known) {
        known = at_->graph.location_of(places_.location(l).address, places_.location(l).size);
        at_->theirs.resize(std::max<std::size_t>(at_->theirs.size(), known->index + 1));
        at_->theirs[known->index] = l;
    }
    return *known;
}

ValueId GraphRealizer::value_of(EventId write, LocationId l) const {
    return at_->graph[write].kind == EventKind::Init ? initial_(l) : at_->values[write.index];
}

EventId GraphRealizer::add(GraphEvent e, OpAt at) {
    e.index = static_cast<std::uint32_t>(at_->graph.thread(e.thread).size());
    const EventId id = at_->graph.add(e);
    if (id.index >= at_->ops.size()) {
        at_->ops.resize(at_->graph.slots() * 2);
        at_->values.resize(at_->graph.slots() * 2);
    }
    at_->ops[id.index] = at;
    at_->model->added(id);
    if (at_->own_hb) {
        at_->own_hb->added(id);
    }
    if (e.update_read == kNoEvent && e.kind != EventKind::Begin && e.kind != EventKind::End) {
        threads_[at.thread.index].events[at.op] = id;
        ++threads_[at.thread.index].done;
    }
    return id;
}

bool GraphRealizer::add_write(GraphEvent write, OpAt at, ValueId value) {
    at_->model->placing(write);
    const EventId e = add(write, at);
    at_->values[e.index] = value;
    return at_->model->admits(e);
}

bool GraphRealizer::add_read(std::uint32_t t, const HistoryOp& op, EventId source) {
    const Action& a = op.step->action;
    const OpAt at{ThreadId(t), threads_[t].done};
    const bool updates = op.kind == OpKind::Update;
    const LocationId l = location(op.location);
    const EventId read = add({.kind = EventKind::Read,
                              .order = order_of_read(a, op.writes),
                              .update = updates,
                              .thread = at.thread,
                              .location = l,
                              .source = source},
                             at);
    if (!at_->model->admits(read)) {
        return false;
    }
    if (!op.stores()) {
        return true;
    }
    const auto last = static_cast<std::uint32_t>(at_->graph.location(l).coherence.size());
    return add_write({.kind = EventKind::Write,
                      .order = order_of_write(a),
                      .update = true,
                      .thread = at.thread,
                      .location = l,
                      .update_read = read,
                      .rank = at_->model->tracks_coherence(l) ? at_->graph[source].rank + 1 : last},
                     at, op.written);
}

bool GraphRealizer::apply(std::uint32_t t, const Option& o) {
    Thread& thread = threads_[t];
    const HistoryOp& op = op_of(t, thread.done);
    switch (o.kind) {
    case Option::Kind::Source:
        return add_read(t, op, o.source);
    case Option::Kind::Place:
        return add_write({.kind = EventKind::Write,
                          .order = op.step->action.order,
                          .thread = ThreadId(t),
                          .location = location(op.location),
                          .rank = o.rank},
                         {ThreadId(t), thread.done}, op.written);
    case Option::Kind::Later:
        thread.limited = thread.done;
        thread.limit = static_cast<std::uint32_t>(at_->graph.size());
        return true;
    }
    return false;
}

GraphRealizer::Stand GraphRealizer::step(std::uint32_t t, const Question& question) {
    Thread& thread = threads_[t];
    if (!thread.begun || thread.done >= question.lengths[t]) {
        return Stand::Waits;
    }
    const HistoryOp& op = op_of(t, thread.done);
    const OpAt at{ThreadId(t), thread.done};
    switch (op.kind) {
    case OpKind::Read:
    case OpKind::Update: {
        const Stand stand = find_sources(t, op);
        if (stand != Stand::Chooses || options_.size() > 1) {
            return stand;
        }
        break;
    }
    case OpKind::Write:
        find_places(t, op);
        if (options_.size() > 1) {
            return Stand::Chooses;
        }
        break;
    case OpKind::Spawn: {
        const EventId spawn = add({.kind = EventKind::Spawn, .thread = at.thread, .other = op.other}, at);
        if (op.other.index >= threads_.size()) {
            threads_.resize(op.other.index + 1);
        }
        add({.kind = EventKind::Begin, .thread = op.other, .source = spawn}, {op.other, 0});
        threads_[op.other.index].begun = true;
        return Stand::Moved;
    }
    case OpKind::Join: {
        Thread& other = threads_[op.other.index];
        const bool whole = op.other.index >= question.lengths.size() || other.done == question.lengths[op.other.index];
        if (!whole) {
            return Stand::Waits;
        }
        if (other.end == kNoEvent) {
            other.end = add({.kind = EventKind::End, .thread = op.other}, {op.other, other.done});
        }
        add({.kind = EventKind::Join, .thread = at.thread, .other = op.other, .source = other.end}, at);
        return Stand::Moved;
    }
    default: {
        const Action& a = op.step->action;
        GraphEvent e{.kind = op.event_kind(), .thread = at.thread};
        if (e.kind == EventKind::Fence) {
            e.order = a.order;
            e.fence = a.fence;
        }
        add(e, at);
        return Stand::Moved;
    }
    }
    return apply(t, options_.front()) ? Stand::Moved : Stand::Dead;
}

// --- choices -------------------------------------------------------------------------------------------------------------------------------

bool GraphRealizer::comes_later(std::uint32_t t, LocationId l, ValueId v) const {
    const auto it = writers_.find({l, v});
    return it != writers_.end() && std::ranges::any_of(it->second, [&](const OpAt& w) {
               return w.thread.index != t && threads_[w.thread.index].done <= w.op;
           });
}

GraphRealizer::Stand GraphRealizer::find_sources(std::uint32_t t, const HistoryOp& op) {
    options_.clear();
    const Thread& thread = threads_[t];
    const ExecutionGraph& graph = at_->graph;
    const LocationId l = location(op.location);
    const auto& co = graph.location(l).coherence;
    const GraphEvent read{.kind = EventKind::Read,
                          .order = op.step->action.order,
                          .update = op.kind == OpKind::Update,
                          .thread = ThreadId(t),
                          .index = static_cast<std::uint32_t>(graph.thread(ThreadId(t)).size()),
                          .location = l};
    const std::uint32_t floor = at_->model->floor(read);
    const auto& hint = hints_[t][thread.done];
    for (auto rank = static_cast<std::uint32_t>(co.size()); rank-- > floor;) {
        const EventId w = co[rank];
        if (value_of(w, op.location) != op.read || (thread.limited == thread.done && graph[w].stamp <= thread.limit) ||
            (op.stores() && graph.taker(w) != kNoEvent)) {
            continue;
        }
        options_.push_back({.kind = Option::Kind::Source, .source = w});
        if (hint && graph[w].kind != EventKind::Init && at_->ops[w.index] == *hint) {
            std::swap(options_.front(), options_.back());
        }
    }
    const bool later = comes_later(t, op.location, op.read);
    if (options_.empty()) {
        return later ? Stand::Waits : Stand::Dead;
    }
    if (later) {
        options_.push_back({.kind = Option::Kind::Later});
    }
    return Stand::Chooses;
}

void GraphRealizer::find_places(std::uint32_t t, const HistoryOp& op) {
    options_.clear();
    const ExecutionGraph& graph = at_->graph;
    const LocationId l = location(op.location);
    const auto& co = graph.location(l).coherence;
    const auto last = static_cast<std::uint32_t>(co.size());
    if (!at_->model->tracks_coherence(l)) {
        options_.push_back({.kind = Option::Kind::Place, .rank = last});
        return;
    }
    const GraphEvent write{.kind = EventKind::Write,
                           .order = op.step->action.order,
                           .thread = ThreadId(t),
                           .index = static_cast<std::uint32_t>(graph.thread(ThreadId(t)).size()),
                           .location = l};
    for (std::uint32_t rank = last; rank > at_->model->floor(write); --rank) {
        if (graph.taker(co[rank - 1]) == kNoEvent) {
            options_.push_back({.kind = Option::Kind::Place, .rank = rank});
        }
    }
}

// --- is it what is looked for? -------------------------------------------------------------------------------------------------------------

bool GraphRealizer::ends_well(const Question& question) {
    const ExecutionGraph& graph = at_->graph;
    const bool good = question.ends_well([&](LocationId l) {
        const LocationId here = location(l);
        const auto& co = graph.location(here).coherence;
        const ValueId last = value_of(co.back(), l);
        // Which write is the last one may depend on coherence, and whether that matters.
        if (!at_->model->tracks_coherence(here) &&
            std::any_of(co.begin() + 1, co.end(), [&](EventId w) { return value_of(w, l) != last; })) {
            untracked_.insert(l);
        }
        return last;
    });
    return good && untracked_.empty();
}

bool GraphRealizer::has_race(const Question& question) {
    const ExecutionGraph& graph = at_->graph;
    const HappensBefore& hb = happens_before();
    for (const EventId e : graph.order()) {
        if (!graph[e].is_access() || graph.location(graph[e].location).plain == 0) {
            continue;
        }
        races_with(graph, hb, e, racing_);
        for (const EventId other : racing_) { // each pair comes up twice
            if (graph[other].stamp < graph[e].stamp && question.is_race_sought(at_->ops[e.index], at_->ops[other.index])) {
                return true;
            }
        }
    }
    return false;
}

bool GraphRealizer::accepts(const Question& question) {
    if (const auto& o = question.order) {
        const EventId first = threads_[o->first.index].events[o->first_op];
        const EventId second = threads_[o->second.index].events[o->second_op];
        const EventId write = at_->graph.write_of_update(second);
        if (at_->model->before(write != kNoEvent ? write : second, first)) {
            return false;
        }
    }
    if (question.ends_well && !ends_well(question)) {
        return false;
    }
    const bool any = !question.is_race_sought && !question.is_sought;
    return any || (question.is_race_sought && has_race(question)) || (question.is_sought && question.is_sought());
}

void GraphRealizer::remember(bool shown) {
    const ExecutionGraph& graph = at_->graph;
    run_.clear();
    for (const EventId e : graph.order()) {
        const GraphEvent& event = graph[e];
        if (event.kind == EventKind::Begin || event.kind == EventKind::End || event.update_read != kNoEvent) {
            continue;
        }
        const OpAt at = at_->ops[e.index];
        Moment m{.thread = at.thread, .op = at.op};
        if (event.is_read()) {
            if (graph[event.source].kind != EventKind::Init) {
                m.source = at_->ops[event.source.index];
            }
            hints_[at.thread.index][at.op] = m.source;
        }
        if (shown) {
            run_.push_back(m);
        }
    }
    for (std::uint32_t l = 0; shown && l < graph.locations(); ++l) {
        const auto& co = graph.location(LocationId(l)).coherence;
        for (std::size_t rank = 1; rank < co.size(); ++rank) {
            const OpAt at = at_->ops[co[rank].index];
            run_.push_back({.thread = at.thread, .op = at.op, .lands = true});
        }
    }
}

} // namespace heddle
