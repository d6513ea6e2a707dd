// ValueExplorer: a run of the history at hand, written down for reports.
#include "search/value/value_explorer.hpp"

#include "search/conclude/names.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace heddle {
namespace {

/// Writes the moments of a run down: events in the order in which threads did them, each read with the write that it sees, and when buffered writes
/// reached memory.
class Scribe {
  public:
    struct Names {
        std::function<WitnessEvent(ThreadId, const HistoryOp&)> event; ///< place, value, size, name
        std::function<WitnessEvent(LocationId)> init;                  ///< of a location
    };

    /// `machine`: this is a run of a machine; else reads come with what they read from, and there are no buffers.
    Scribe(const History& history, const Names& names, bool machine)
        : history_(history), names_(names), machine_(machine), positions_(history.threads()) {
        index_.resize(history.threads());
        for (std::uint32_t t = 0; t < history.threads(); ++t) {
            positions_[t].resize(history.thread(ThreadId(t)).size());
        }
    }

    /// First all that is read before anybody writes it.
    void begin(std::span<const Moment> run) {
        for (const Moment& m : run) {
            const HistoryOp& op = history_.thread(m.thread)[m.op];
            if (op.is_access() && !latest_.contains(op.location)) {
                latest_[op.location] = w_.events.size();
                coherence_[op.location] = {w_.events.size()};
                w_.events.push_back(names_.init(op.location));
            }
        }
        add_thread(ThreadId(0), PlaceId{});
    }
    void add(const Moment& m) {
        const HistoryOp& op = history_.thread(m.thread)[m.op];
        if (m.lands) {
            land(m, op);
            return;
        }
        const std::size_t at = w_.events.size();
        positions_[m.thread.index][m.op] = at;
        WitnessEvent e = names_.event(m.thread, op);
        put(std::move(e), m.thread);
        w_.run.push_back({at, false});
        if (op.kind == OpKind::Spawn) {
            add_thread(op.other, w_.events[at].place);
        } else if (op.reads()) {
            w_.events[at].event.source = machine_ ? seen_by(m.thread, op) : source_of(m, op);
        }
        if (op.kind == OpKind::Update && op.writes) {
            WitnessEvent write = w_.events[at];
            write.event.kind = EventKind::Write;
            write.event.order = order_of_write(op.step->action);
            write.event.source.reset();
            write.event.update_read = at;
            write.value = history_.value(op.written);
            put(std::move(write), m.thread);
            w_.run.push_back({at + 1, false});
        }
        if (op.kind == OpKind::Write) {
            buffered_[{m.thread.index, op.location.index}].push_back(at);
        }
    }
    void end(ThreadId t, PlaceId place) {
        WitnessEvent e{.event = {.kind = EventKind::End}, .place = place};
        w_.run.push_back({w_.events.size(), false});
        put(std::move(e), t);
    }
    [[nodiscard]] std::size_t position(ThreadId t, std::uint32_t op) const { return positions_[t.index][op]; }
    Witness finish() && {
        if (!machine_) {
            w_.run.clear();
        }
        for (auto& [location, writes] : coherence_) {
            if (writes.size() > 1) {
                w_.coherence.push_back(std::move(writes));
            }
        }
        return std::move(w_);
    }

  private:
    void put(WitnessEvent e, ThreadId t) {
        e.event.thread = t;
        e.event.index = index_[t.index]++;
        w_.events.push_back(std::move(e));
    }
    void add_thread(ThreadId t, PlaceId place) {
        if (t.index >= index_.size()) {
            index_.resize(t.index + 1);
        }
        w_.run.push_back({w_.events.size(), false});
        put({.event = {.kind = EventKind::Begin}, .place = place}, t);
    }
    [[nodiscard]] std::size_t seen_by(ThreadId t, const HistoryOp& op) const {
        const auto own = buffered_.find({t.index, op.location.index});
        return own != buffered_.end() && !own->second.empty() ? own->second.back() : latest_.at(op.location);
    }
    [[nodiscard]] std::size_t source_of(const Moment& m, const HistoryOp& op) const {
        return m.source ? write_at(*m.source) : coherence_.at(op.location).front();
    }
    /// Of an update: the write, which stands behind its read.
    [[nodiscard]] std::size_t write_at(OpAt at) const {
        return positions_[at.thread.index][at.op] + (history_.thread(at.thread)[at.op].kind == OpKind::Update ? 1 : 0);
    }
    void land(const Moment& m, const HistoryOp& op) {
        const std::size_t at = write_at({m.thread, m.op});
        latest_[op.location] = at;
        coherence_[op.location].push_back(at);
        if (op.kind == OpKind::Write) {
            std::erase(buffered_[{m.thread.index, op.location.index}], at);
            if (w_.run.back().event != at) { // else it did not stay in the buffer
                w_.run.push_back({at, true});
            }
        }
    }

    const History& history_;
    const Names& names_;
    bool machine_;
    Witness w_;
    std::vector<std::uint32_t> index_;                ///< by thread: how many events it has
    std::vector<std::vector<std::size_t>> positions_; ///< by thread and operation
    std::map<LocationId, std::size_t> latest_;        ///< what memory holds
    std::map<LocationId, std::vector<std::size_t>> coherence_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> buffered_; ///< by thread and location
};

} // namespace

Witness ValueExplorer::witness(const Question& question, const std::vector<OpAt>& about, std::vector<std::size_t>& positions) {
    Question shown = question;
    shown.shown = true;
    Realizer& realizer = realizer_for(shown);
    const bool there = ask(shown);
    HEDDLE_CHECK(there, "an execution to be shown does not exist");
    std::vector<Moment> run(realizer.run().begin(), realizer.run().end());
    // What is still in buffers reaches memory in the end, each thread's writes in its order.
    std::vector<std::vector<bool>> landed(history_.threads());
    for (std::uint32_t t = 0; t < history_.threads(); ++t) {
        landed[t].resize(history_.thread(ThreadId(t)).size());
    }
    for (const Moment& m : run) {
        landed[m.thread.index][m.op] = landed[m.thread.index][m.op] || m.lands;
    }
    for (std::uint32_t t = 0; t < history_.threads(); ++t) {
        for (std::uint32_t k = 0; k < landed[t].size(); ++k) {
            if (history_.thread(ThreadId(t))[k].stores() && !landed[t][k]) {
                run.push_back({ThreadId(t), k, true});
            }
        }
    }
    const auto access = [&](WitnessEvent& e, LocationId id) {
        const Location& l = places_.location(id);
        e.event.location = l.address;
        e.size = l.size;
        name_access(e, memory_.objects());
    };
    const Scribe::Names names{
        .event =
            [&](ThreadId, const HistoryOp& op) {
                const Action& a = op.step->action;
                WitnessEvent e{.event = {.kind = op.event_kind()}, .place = a.place};
                e.event.update = op.kind == OpKind::Update;
                e.event.other = op.other;
                e.lock = a.kind == ActionKind::Lock || a.kind == ActionKind::Unlock;
                if (op.is_access()) {
                    e.value = history_.value(op.reads() ? op.read : op.written);
                    access(e, op.location);
                    e.event.order = op.reads() ? order_of_read(a, op.writes) : a.order;
                } else if (e.event.kind == EventKind::Fence) {
                    e.event.order = a.order;
                    e.event.fence = a.fence;
                } else if (e.event.kind == EventKind::Choose) {
                    e.event.chosen = op.chosen;
                    e.value = {.lo = op.chosen};
                } else if (e.event.kind == EventKind::Alloc || e.event.kind == EventKind::Free) {
                    e.event.location = a.address;
                    e.name = name_of(memory_.objects(), a.address);
                }
                return e;
            },
        .init =
            [&](LocationId l) {
                WitnessEvent e{.event = {.kind = EventKind::Init}, .value = history_.value(initial(l))};
                access(e, l);
                return e;
            },
    };
    Scribe scribe(history_, names, realizer.is_machine());
    scribe.begin(run);
    for (const Moment& m : run) {
        scribe.add(m);
    }
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
        if (threads_[t].exists && finished(ThreadId(t))) {
            scribe.end(ThreadId(t), step_of(ThreadId(t)).action.place);
        }
    }
    for (const OpAt& a : about) {
        positions.push_back(scribe.position(a.thread, a.op));
    }
    return std::move(scribe).finish();
}

} // namespace heddle
