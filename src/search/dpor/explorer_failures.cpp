// Explorer: what iterations do wrong that fail and are in no graph.
//
// In a loop that is done an iteration at a time (explorer_iterations.cpp) failed iterations are left out, which loses no execution. But they read, and a
// read may race with a plain write, or come after a Free, where no iteration that succeeds does. Where that might be so the loop is said to wait:
// then its reads are choices of their own, events or awaited reads, and are judged exactly. So what is asked here may err, in that direction only.
//
// Races. Let a read f of a failed iteration race with a write w. Of such an execution take what f and w need, without failed iterations: f's thread stands at the head of the
// loop, and what is left out of happens-before orders no more than before, so f, done there, still races with w. Let that execution go on to its end. The search finds it, with an
// iteration of the thread there that does not fail, and neither w nor what f reads from needs that iteration, since all of it was there before. Hence it is enough to look, at the
// end of each execution, at each iteration in it: could one that fails have been done in its place, each read reading something that does not need the iteration, such
// that one of these reads is not after a plain write to its location? Of consistency only this is asked: that nobody reads what he knows to be overwritten.
#include "search/dpor/explorer.hpp"

#include <algorithm>

namespace heddle {

class Explorer::Failures {
  public:
    explicit Failures(Explorer& explorer) : x_(explorer) {}

    /// Might an iteration fail, in the place of the one that begins with `first`, and race?
    bool may_race(EventId first) {
        const GraphEvent& read = x_.graph_[first];
        first_ = first;
        thread_ = read.thread;
        ways_ = 0;
        const ConstClock known = x_.races_->row(x_.graph_.at(thread_, read.index - 1)); // a thread has a Begin
        width_ = known.size();
        top_ = 0;
        x_.failure_clocks_.assign(2 * width_, 0);
        copy(row(0), known);
        return go_on(*x_.notes_[first.index].before.step, false);
    }

  private:
    /// The rest of an iteration of which a read races, or none.
    bool go_on(Step& s, bool races) {
        if (++ways_ > kManyWays) {
            return true;
        }
        if (s.action.kind == ActionKind::Fence) {
            push();
            if (is_acquire(s.action.order)) {
                join(row(2 * top_), heard());
            }
            const bool answer = follow(s, x_.steps_.having(s, {}), races);
            --top_;
            return answer;
        }
        if (s.pieces == 0) {
            if (x_.steps_.arrive_without_object(s)) {
                return false;
            }
            x_.locate(s);
        }
        if (s.pieces > 1) {
            return false;
        }
        const LocationId l = s.location;
        for (std::size_t rank = x_.graph_.location(l).coherence.size(); rank-- > 0;) {
            const EventId w = x_.graph_.location(l).coherence[rank]; // see Ways
            if (is_there(w) && !is_overwritten(w) && read(s, w, races)) {
                return true;
            }
        }
        return false;
    }

    bool read(Step& s, EventId source, bool races) {
        const Edge& edge = x_.steps_.reading(s, x_.value_of(source));
        const Order order = order_of_read(s.action, edge.writes && !edge.waits);
        const bool fails = !edge.satisfies();
        if (!fails && edge.writes) {
            return false;
        }
        push();
        if (order != Order::NonAtomic && x_.graph_[source].kind == EventKind::Write) {
            const ConstClock message = x_.races_->message(source);
            join(row(2 * top_ + 1), message);
            if (is_acquire(order)) {
                join(row(2 * top_), message);
            }
        }
        const bool now = races || is_race(s.location, order);
        const bool answer = fails ? now : follow(s, x_.steps_.reading(s, x_.value_of(source)), now);
        --top_;
        return answer;
    }

    bool follow(Step& s, Edge& edge, bool races) {
        Step& next = *x_.steps_.follow(s, edge);
        return next.in_iteration >= 2 && go_on(next, races);
    }

    /// What follows may know and have heard more: two rows for it.
    void push() {
        ++top_;
        x_.failure_clocks_.resize(std::max(x_.failure_clocks_.size(), (top_ + 1) * 2 * width_));
        copy(row(2 * top_), row(2 * top_ - 2));
        copy(row(2 * top_ + 1), row(2 * top_ - 1));
    }

    [[nodiscard]] Clock row(std::size_t k) const { return Clock(x_.failure_clocks_).subspan(k * width_, width_); }
    /// What happens before the thread's next event, as a row of races_.
    [[nodiscard]] ConstClock known() const { return row(2 * top_); }
    /// The messages of what this iteration has read, which an acquire fence makes known.
    [[nodiscard]] ConstClock heard() const { return row(2 * top_ + 1); }

    [[nodiscard]] bool is_there(EventId w) const {
        return x_.graph_[w].kind == EventKind::Init || !x_.model_->contains(x_.model_->prefix(w), first_);
    }

    [[nodiscard]] bool is_overwritten(EventId w) const {
        const LocationId l = x_.graph_[w].location;
        const auto& co = x_.graph_.location(l).coherence;
        const std::size_t rank = x_.model_->tracks_coherence(l) ? x_.graph_[w].rank + 1 : 1;
        return std::any_of(co.begin() + static_cast<std::ptrdiff_t>(rank), co.end(), [&](EventId later) {
            return later != w && x_.races_->contains(known(), later) &&
                   (rank > 1 || x_.graph_[w].kind == EventKind::Init || x_.races_->at_or_before(w, later));
        });
    }

    /// Does a read of the location, by a thread that knows this, race with something that is there?
    [[nodiscard]] bool is_race(LocationId l, Order order) const {
        const Location& location = x_.graph_.location(l);
        if (order != Order::NonAtomic && location.plain == 0) {
            return false;
        }
        return std::any_of(location.coherence.begin() + 1, location.coherence.end(), [&](EventId w) {
            const GraphEvent& write = x_.graph_[w];
            return write.thread != thread_ && (order == Order::NonAtomic || write.order == Order::NonAtomic) &&
                   !x_.races_->contains(known(), w) && is_there(w);
        });
    }

    Explorer& x_;
    EventId first_ = kNoEvent; ///< of the iteration that is there
    ThreadId thread_{};
    std::size_t width_ = 0;
    std::size_t top_ = 0; ///< of failure_clocks_, which has two rows for the beginning and for each event since
    unsigned ways_ = 0;
};

void Explorer::look_at_failures() {
    if (!races_ || lessons_.whole.empty()) {
        return;
    }
    Failures failures(*this);
    for (const EventId e : graph_.order()) {
        if (place_in_iteration(e) == 1 && failures.may_race(e)) {
            learn_waiting(*notes_[e.index].before.step->loops);
        }
    }
}

/// With an iteration that does not certainly come before the Free come the failed ones before it. (Who does an iteration after the Free
/// tries all that may fail, and looks at what it reads.)
void Explorer::look_at_failures(EventId free) {
    for (const EventId e : lessons_.whole.empty() ? std::span<const EventId>{} : graph_.order()) {
        if (place_in_iteration(e) == 1 && graph_[e].thread != graph_[free].thread && !model_->before(e, free)) {
            learn_waiting(*notes_[e.index].before.step->loops);
        }
    }
}

} // namespace heddle
