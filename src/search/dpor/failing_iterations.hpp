// FailingIterations: might an iteration fail, in the place of one that is in an execution, and race?
//
// Iterations that fail are in no execution that a search builds; explorer_failures.cpp and search/value/value_failures.cpp say why it is enough to ask this at the end of
// executions. Tried is every iteration that fails, each read reading something that does not need the iteration that is there. Of consistency only this is asked: that
// nobody reads what he knows to be overwritten. So the answer may be yes where it should be no, and never the other way round.
#pragma once

#include "graph/clocks.hpp"
#include "model/happens_before.hpp"
#include "model/memory_model.hpp"
#include "search/dpor/steps.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

/// A Host has the execution, and knows where accesses are and what writes store:
///     const ExecutionGraph& graph(); const MemoryModel& model(); const HappensBefore& races(); Steps& steps(); const Value& value_of(EventId write);
///     std::optional<LocationId> place_of(Step& access, part);  the iteration cannot go on there if it is nothing
///     bool fails(const Edge&);               does that end an iteration that is asked about, without success?
///     bool is_part(const Step& next);        is what follows part of the iteration?
///     void reads(Step&, part, EventId source), void passes(Step& fence), void unreads();  who wants to know the iteration keeps a list
///     Value whole(Step&);                    what was read in pieces, when the last of them has been
///     bool is_too_much();                    so many ways have been tried: is that to be taken for a yes?
///     bool is_enough();                      an iteration that fails and might race has been found: is that all one wants to know?
template <class Host> class FailingIterations {
  public:
    /// `clocks` is kept between questions, so that it need not be made each time.
    FailingIterations(Host& host, std::vector<std::uint32_t>& clocks) : host_(host), clocks_(clocks) {}

    /// The iteration that begins with `first` is what is asked about.
    void begin(EventId first) {
        const GraphEvent& read = host_.graph()[first];
        begin(first, read.thread, host_.graph().at(read.thread, read.index - 1)); // a thread has a Begin
    }
    /// The one that the thread would do next.
    void begin(ThreadId thread) { begin(kNoEvent, thread, host_.graph().last(thread)); }
    /// Might one, of which `s` is the first read, fail and race? Pre: it was begun. `any`: each that fails is taken for one that might.
    bool may_race(Step& s, bool any = false) { return go_on(s, any); }

    /// What happens before the iteration, as a row of races().
    [[nodiscard]] ConstClock before_it() const { return row(0); }
    [[nodiscard]] std::size_t width() const { return width_; }
    /// Does the write not need the iteration?
    [[nodiscard]] bool is_there(EventId w) const {
        return first_ == kNoEvent || host_.graph()[w].kind == EventKind::Init ||
               !host_.model().contains(host_.model().prefix(w), first_);
    }

  private:
    static constexpr unsigned kManyWays = 20'000;

    void begin(EventId first, ThreadId thread, EventId before) {
        first_ = first;
        thread_ = thread;
        ways_ = 0;
        const ConstClock known = host_.races().row(before);
        width_ = known.size();
        top_ = 0;
        clocks_.assign(2 * width_, 0);
        copy(row(0), known);
    }

    /// The rest of an iteration of which a read races, or none.
    bool go_on(Step& s, bool races) {
        if (++ways_ > kManyWays && host_.is_too_much()) {
            return true;
        }
        if (s.action.kind == ActionKind::Fence) {
            push();
            if (is_acquire(s.action.order)) {
                join(row(2 * top_), heard());
            }
            host_.passes(s);
            const bool answer = follow(s, host_.steps().having(s, {}), races);
            host_.unreads();
            --top_;
            return answer;
        }
        return go_on(s, 0, races);
    }

    bool go_on(Step& s, std::uint32_t part, bool races) {
        const std::optional<LocationId> l = host_.place_of(s, part);
        if (!l) {
            return false;
        }
        for (std::size_t rank = host_.graph().location(*l).coherence.size(); rank-- > 0;) {
            const EventId w = host_.graph().location(*l).coherence[rank]; // what is looked at further on may be a new location
            if (is_there(w) && !is_overwritten(w) && read(s, part, w, races)) {
                return true;
            }
        }
        return false;
    }

    bool read(Step& s, std::uint32_t part, EventId source, bool races) {
        const LocationId l = host_.graph()[source].location;
        if (s.pieces > 1) { // only plain accesses are in pieces
            host_.reads(s, part, source);
            const bool now = races || is_race(l, Order::NonAtomic);
            const bool answer =
                part + 1u < s.pieces ? go_on(s, part + 1, now) : follow(s, host_.steps().reading(s, host_.whole(s)), now);
            host_.unreads();
            return answer;
        }
        const Edge& edge = host_.steps().reading(s, host_.value_of(source));
        const bool fails = host_.fails(edge);
        if (!fails && (edge.writes || !edge.satisfies())) {
            return false;
        }
        const Order order = order_of_read(s.action, edge.writes && !edge.waits);
        push();
        if (order != Order::NonAtomic && host_.graph()[source].kind == EventKind::Write) {
            const ConstClock message = host_.races().message(source);
            join(row(2 * top_ + 1), message);
            if (is_acquire(order)) {
                join(row(2 * top_), message);
            }
        }
        // One that fails may store what it found, and that races with reads, too.
        const bool now = races || is_race(l, order) || (edge.writes && host_.graph().location(l).plain > 0);
        host_.reads(s, part, source);
        const bool answer = fails ? now && host_.is_enough() : follow(s, host_.steps().reading(s, host_.value_of(source)), now);
        host_.unreads();
        --top_;
        return answer;
    }

    bool follow(Step& s, Edge& edge, bool races) {
        Step& next = *host_.steps().follow(s, edge);
        return host_.is_part(next) && go_on(next, races);
    }

    /// What follows may know and have heard more: two rows for it.
    void push() {
        ++top_;
        clocks_.resize(std::max(clocks_.size(), (top_ + 1) * 2 * width_));
        copy(row(2 * top_), row(2 * top_ - 2));
        copy(row(2 * top_ + 1), row(2 * top_ - 1));
    }

    [[nodiscard]] Clock row(std::size_t k) const { return Clock(clocks_).subspan(k * width_, width_); }
    /// What happens before the thread's next event, as a row of races().
    [[nodiscard]] ConstClock known() const { return row(2 * top_); }
    /// The messages of what this iteration has read, which an acquire fence makes known.
    [[nodiscard]] ConstClock heard() const { return row(2 * top_ + 1); }

    [[nodiscard]] bool is_overwritten(EventId w) const {
        const LocationId l = host_.graph()[w].location;
        const auto& co = host_.graph().location(l).coherence;
        const std::size_t rank = host_.model().tracks_coherence(l) ? host_.graph()[w].rank + 1 : 1;
        return std::any_of(co.begin() + static_cast<std::ptrdiff_t>(rank), co.end(), [&](EventId later) {
            return later != w && host_.races().contains(known(), later) &&
                   (rank > 1 || host_.graph()[w].kind == EventKind::Init || host_.races().at_or_before(w, later));
        });
    }

    /// Does a read of the location, by a thread that knows this, race with something that is there?
    [[nodiscard]] bool is_race(LocationId l, Order order) const {
        const Location& location = host_.graph().location(l);
        if (order != Order::NonAtomic && location.plain == 0) {
            return false;
        }
        return std::any_of(location.coherence.begin() + 1, location.coherence.end(), [&](EventId w) {
            const GraphEvent& write = host_.graph()[w];
            return write.thread != thread_ && (order == Order::NonAtomic || write.order == Order::NonAtomic) &&
                   !host_.races().contains(known(), w) && is_there(w);
        });
    }

    Host& host_;
    EventId first_ = kNoEvent; ///< of the iteration that is there
    ThreadId thread_{};
    std::size_t width_ = 0;
    std::size_t top_ = 0; ///< of clocks_, which has two rows for the beginning and for each event since
    unsigned ways_ = 0;
    std::vector<std::uint32_t>& clocks_;
};

} // namespace heddle
