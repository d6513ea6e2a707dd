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
// that one of these reads is not after a plain write to its location (failing_iterations.hpp)?
//
// Ends are much alike, so what has been asked is remembered, twice.
// - An iteration that was there at an earlier end, with no race then, need be asked about again only if there is a new write (ExecutionGraph::settle) that does not need it, to a location
//   that an iteration in its place came to (Note::failures_look_at). Else nothing can be read, or raced with, that could not be then: what has gone since
//   only leaves fewer ways, and what is known on each of them is the same.
// - The answer is decided by the thread's history, what happens before the iteration, and the writes that do not need it, of the locations that iterations in its place come to: where
//   they are in coherence, what they store and what who reads them learns. These locations are known from what was asked before; should an answer
//   depend on more, it is remembered with those (FailureMemo).
#include "search/dpor/explorer.hpp"
#include "search/dpor/failing_iterations.hpp"

#include <algorithm>
#include <cstring>

namespace heddle {

class Explorer::Failures {
  public:
    explicit Failures(Explorer& explorer) : x_(explorer) {}

    /// Might an iteration fail, in the place of the one that begins with `first`, and race?
    bool may_race(EventId first) {
        iterations_.begin(first);
        Step& step = *x_.notes_[first.index].before.step;
        FailureMemo& memo = *x_.failure_memo_;
        looked_at_ = &memo.locations(&step);
        describe(memo.key(), step);
        if (x_.options_asked_.tuning.remember_failures && memo.has_key()) {
            return false;
        }
        const std::size_t so_far = looked_at_->size();
        if (iterations_.may_race(step)) {
            return true;
        }
        if (looked_at_->size() > so_far) {
            describe(memo.key(), step);
        }
        memo.remember_key();
        return false;
    }

    /// The locations that iterations in the place of the last one asked about may come to.
    [[nodiscard]] std::uint64_t looked_at() const {
        std::uint64_t bits = 0;
        for (const LocationId l : *looked_at_) {
            bits |= bit_of(l);
        }
        return bits;
    }
    [[nodiscard]] static std::uint64_t bit_of(LocationId l) { return std::uint64_t{1} << (l.index % 64); }

    // --- for FailingIterations
    [[nodiscard]] const ExecutionGraph& graph() const { return x_.graph_; }
    [[nodiscard]] const MemoryModel& model() const { return *x_.model_; }
    [[nodiscard]] const HappensBefore& races() const { return *x_.races_; }
    [[nodiscard]] Steps& steps() const { return x_.steps_; }
    [[nodiscard]] const Value& value_of(EventId write) const { return x_.value_of(write); }
    [[nodiscard]] static bool fails(const Edge& edge) { return !edge.satisfies(); }
    [[nodiscard]] static bool is_part(const Step& next) { return next.in_iteration >= 2; }
    static void reads(const Step& /*access*/, std::uint32_t /*part*/, EventId /*source*/) {}
    static void passes(const Step& /*fence*/) {}
    static void unreads() {}
    [[nodiscard]] static Value whole(const Step& /*access*/) { return {}; }
    [[nodiscard]] static bool is_too_much() { return true; }
    [[nodiscard]] static bool is_enough() { return true; }
    [[nodiscard]] std::optional<LocationId> place_of(Step& s, std::uint32_t /*part*/) {
        if (s.pieces == 0) {
            if (x_.steps_.arrive_without_object(s)) {
                return std::nullopt;
            }
            x_.locate(s);
        }
        if (s.pieces > 1) {
            return std::nullopt;
        }
        if (std::ranges::find(*looked_at_, s.location) == looked_at_->end()) {
            looked_at_->push_back(s.location);
        }
        return s.location;
    }

  private:
    /// What the answer depends on, as far as it is about the locations that have been looked at.
    void describe(std::vector<std::uint64_t>& key, const Step& step) const {
        const std::size_t width = iterations_.width();
        std::size_t most = 1 + width / 2;
        for (const LocationId l : *looked_at_) {
            most += 1 + x_.graph_.location(l).coherence.size() * (5 + width);
        }
        key.resize(most);
        std::uint64_t* end = key.data();
        const auto put = [&](std::uint64_t word) { *end++ = word; };
        const auto put_row = [&](ConstClock clock) {
            std::memcpy(end, clock.data(), clock.size_bytes());
            end += clock.size() / 2; // rows are whole blocks
        };
        put(reinterpret_cast<std::uintptr_t>(&step)); // its address: those of steps that are gone are forgotten
        put_row(iterations_.before_it());
        for (const LocationId l : *looked_at_) {
            put(~std::uint64_t{l.index}); // no write begins so
            const bool tracked = x_.model_->tracks_coherence(l);
            for (const EventId w : x_.graph_.location(l).coherence) {
                if (!iterations_.is_there(w)) {
                    continue;
                }
                const GraphEvent& write = x_.graph_[w];
                const bool init = write.kind == EventKind::Init;
                const Value& value = x_.value_of(w);
                const bool narrow = value.hi == 0 && value.defined();
                put(std::uint64_t{write.thread.index} << 32 | std::uint64_t{write.index} << 4 | std::uint64_t{init} << 3 |
                    std::uint64_t{narrow} << 2 | std::uint64_t{write.order == Order::NonAtomic} << 1 | std::uint64_t{tracked});
                put(value.lo);
                if (!narrow) {
                    put(value.hi);
                    put(value.undef_lo);
                    put(value.undef_hi);
                }
                if (!init) {
                    put_row(x_.races_->message(w));
                    if (!tracked) {
                        put_row(x_.races_->row(w));
                    }
                }
            }
        }
        key.resize(static_cast<std::size_t>(end - key.data()));
    }

    Explorer& x_;
    std::vector<LocationId>* looked_at_ = nullptr; ///< by iterations in this place, now and before
    FailingIterations<Failures> iterations_{*this, x_.failure_clocks_};
};

void Explorer::look_at_failures() {
    if (!races_ || lessons_.whole.empty()) {
        return;
    }
    for (const auto& [location, loop] : awaited_) {
        if (graph_.location(LocationId(location)).plain > 0) {
            learn_waiting(loop);
        }
    }
    if (!failure_memo_) {
        failure_memo_ = std::make_unique<FailureMemo>();
    }
    Failures failures(*this);
    const std::span<const EventId> events = graph_.order();
    const std::size_t settled = options_asked_.tuning.remember_failures ? graph_.settled() : 0;
    const auto gives_new_ways = [&](EventId first) {
        return std::ranges::any_of(events.subspan(settled), [&](EventId w) {
            return graph_[w].kind == EventKind::Write &&
                   (notes_[first.index].failures_look_at & Failures::bit_of(graph_[w].location)) != 0 &&
                   !model_->contains(model_->prefix(w), first);
        });
    };
    for (std::size_t k = 0; k < events.size(); ++k) {
        const EventId e = events[k];
        if (place_in_iteration(e) != 1 || (k < settled && !gives_new_ways(e))) {
            continue;
        }
        if (failures.may_race(e)) {
            learn_waiting(loop_of(*notes_[e.index].before.step));
        }
        notes_[e.index].failures_look_at |= failures.looked_at(); // what was asked before counts again when a cut is undone
    }
    graph_.settle();
}

/// With an iteration that does not certainly come before the Free come the failed ones before it. (Who does an iteration after the Free
/// tries all that may fail, and looks at what it reads.)
void Explorer::look_at_failures(EventId free) {
    for (const EventId e : lessons_.whole.empty() ? std::span<const EventId>{} : graph_.order()) {
        const bool may_read_it = place_in_iteration(e) == 1 && !awaits(*notes_[e.index].before.step);
        if (may_read_it && graph_[e].thread != graph_[free].thread && !model_->before(e, free)) {
            learn_waiting(loop_of(*notes_[e.index].before.step));
        }
    }
}

} // namespace heddle
