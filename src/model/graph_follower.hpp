// GraphFollower: keeps something about the events of a graph that is brought up to date when it is asked for, not whenever the graph changes.
//
// What came since is included one by one. When the search has cut events away, what was concluded from them may be wrong: all that was included since the first of them is
// taken back, in the reverse order, and what is left included again.
#pragma once

#include "graph/execution_graph.hpp"

#include <vector>

namespace heddle {

/// When each event was added: slots are used again, births are not.
class Births {
  public:
    void added(EventId e, std::size_t slots) {
        if (of_.size() <= e.index) {
            of_.resize(slots * 2);
        }
        of_[e.index] = ++last_;
    }
    [[nodiscard]] std::uint64_t operator[](EventId e) const { return of_[e.index]; }

  private:
    std::vector<std::uint64_t> of_; ///< by slot
    std::uint64_t last_ = 0;
};

class GraphFollower {
  public:
    GraphFollower(const ExecutionGraph& graph, const Births& births) : graph_(graph), births_(births) {}
    GraphFollower(const GraphFollower&) = delete;
    GraphFollower& operator=(const GraphFollower&) = delete;
    virtual ~GraphFollower() = default;

    /// `e` is about to be removed from the graph.
    void removed(EventId e);

  protected:
    /// An event that is included. It may be gone from the graph, and its slot be another's.
    struct Entry {
        EventId event;
        ThreadId thread;
        std::uint64_t birth;
    };

    /// Includes what is in the graph, and nothing else: each read after its source, otherwise in the order in which it was added.
    void follow();
    /// Includes those of the graph's events that are in a part of it, and nothing else. A part contains what its events need.
    template <class F> void follow_part(F&& is_in_part) {
        list_events();
        std::erase_if(wanted_, [&](EventId e) { return !is_in_part(e); });
        follow_list();
    }
    /// `e` is the newest of the entries.
    virtual void include(EventId e) = 0;
    /// The newest of the entries goes.
    virtual void take_back(const Entry& entry) = 0;

    [[nodiscard]] bool is_included(EventId e) const {
        const GraphEvent& event = graph_[e];
        return event.thread.index < included_.size() && event.index < included_[event.thread.index];
    }
    template <class F> void for_each_read_of(EventId write, F&& visit) const {
        graph_.for_each_reader(write, [&](EventId r) {
            if (graph_[r].is_read() && is_included(r)) {
                visit(r);
            }
        });
    }

    const ExecutionGraph& graph_;
    std::vector<std::uint32_t> included_; ///< by ThreadId: how many of its events are
    std::vector<Entry> entries_;

  private:
    void list_events();
    /// Includes what is listed: what is included already and comes first there may stay.
    void follow_list();
    void push(EventId e);
    void pop();

    const Births& births_;
    std::size_t seen_ = 0;              ///< so much of graph.order() is in entries_, if its revision is still
    std::uint64_t revision_ = ~0ull;    ///< this one
    std::vector<EventId> wanted_;       ///< what is in the graph
    std::vector<EventId> early_;        ///< what is listed when a source is that comes later in the order
    std::vector<std::uint64_t> listed_; ///< by slot: in which listing it was listed last
    std::uint64_t listing_ = 0;
};

} // namespace heddle
