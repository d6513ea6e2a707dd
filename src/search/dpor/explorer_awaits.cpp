// Explorer: loops that wait, an iteration at a time.
//
// A loop such as
//     while (load(flag) && load(turn) == other) {}
// waits until what it reads of several locations lets it out. Read by read, a thread that has read an old `flag` waits at `turn`, and if only `flag` changes,
// the exploration ends with nothing. Where the reads are one choice (explorer_iterations.cpp) the thread waits at the *head* of the loop: an
// iteration is read if it succeeds; if the latest writes make it fail, one branch leaves the thread standing there (a Wait), and it goes on in place with an iteration of which
// one source at least is new. A write u that makes the latest iteration fail takes the chance of an iteration that is there: it revisits it by turning it
// into a Wait because of u, what u needs being kept. At the end a thread that waits is blocked for good if the latest iteration fails, and otherwise can go on: no
// exploration ends with nothing.
//
// That each execution is reached one way only needs a condition. Let the writes that an iteration could read, that were added after it was decided and that do not need it, be a *chain*
// u1, u2, ... : each needs the one before. Let k be the first for which the latest iteration of what was there and of what uk needs fails. An execution in which the
// iteration's newest source is uj is found by revisiting the iteration with uj if j <= k (it was canonical then: it read the latest of what u(j-1) leaves), and from the Wait because of uk if j > k; so
// is one in which the thread waits for good. If there were only one location, coherence would do instead of need (explorer_waits.cpp). With writes u and v that know nothing of each
// other, of which each takes the chance away, there are executions with u only, with v only, and with both; those with both would be found by way of either, and to leave one way out means that
// it may end with nothing, since whether the other write still comes depends on what others will read. So when such writes are met (`meets_stranger_` in Ways, and below) the
// loop is left to reads one by one. With two threads there are none, nor with one writer and many that wait.
//
// Could an exploration know that it will end with nothing? After a Wait because of v only what is without u may count, so one would have to know whether there is an execution with v and
// without u. That is what a search finds out. Nor does the order in which threads go on matter: with threads that stand at the head of such a loop going on after all
// others, szymanski(3) has the same 1,213 dead ends for its 17,771 executions, under sc and rc11.
//
// A rule for strangers that comes near, and is not used. Let a Wait blame not a write but an iteration F that fails. Say that an iteration N was decided when P was there; X is what its sources need that is not in P, and its
// newest sources are those that no other one needs. Take one of these away: the first, from the highest thread down, without which the latest iteration of P and X fails; if there is none, the highest thread's. The latest iteration of P and the rest
// of X came before N, and so on down to P. The iterations on this way that fail directly after one that succeeds are the setbacks of N. A write e that is the highest thread's newest source of N revisits an iteration (what is kept: X)
// if N has none; if N fails, is the latest, and is its own only setback, it makes a Wait of it that blames N; a thread that waits goes on with N if each of its Waits blames the first setback of N as seen from there, and may stay if the latest
// iteration fails or is not one of these. A Wait may be cut away if what it blames is the first setback of the latest iteration L of what was before it and is kept, and if L fails, or is what the thread went on with (then it needs no other excuse). filter_lock.c: 2,029 dead
// ends to 560; in random programs like those of Dpor.WaitingForACombination, with strangers: one dead end for 150 executions, and 10,000 pairs of a program and a model without a difference. But of some 20,000 programs of Dpor.WaitingForStrangers under sc two miss an execution:
//     T: g0 = 1; do {} while (g1 == 1 && g0 == 1)    U: r = g0    A: g1 = 1; g0 = 2    B: g1 = 1; g0 = 1
// T waits, blaming A's first write; goes on with A's second, the only one there is; B comes, and would revisit U's read. What T has done goes and was not canonical, since with B's first write T would have stayed: its latest iteration
// would have had another first setback. Not tried: to let it be cut away all the same. To let T wait until nobody else can go on finds that one, and misses others (three in some 17,000 programs).
// (In filter_lock.c and szymanski(3) an iteration moreover ends at the head of the loop over the other threads, so that all but its first read are read by read. Not tried: to go on through it.)
//
// Loops that wait for one location (Step::awaits_one), read it several times and may end with an update of it (a reader-writer lock in one word), need none of that: coherence orders strangers. The rule is
// that of explorer_waits.cpp. The decision is at the first read of the iteration; let P be what was there before it, and say that a write lets the thread go on if an iteration succeeds all of whose
// reads read it. A write u is *eligible* if it is not in P, does not need the iteration, does not let the thread go on, and comes last in coherence of P and of what u needs. Let N be the sources of
// an iteration that are not in P, and L the latest of all its sources in coherence. The way to it is by the Wait because of the first eligible write in coherence if some eligible one
// comes before L, or is in N, or is needed by one of N; otherwise by a revisit. A thread that waits for good is found by way of the first eligible write: the latest of all is eligible.
//  - No revisit leads to what is found by way of a Wait. A write w that revisits must not be eligible (find_revisited). Nor is anything else that is kept: let u be, and let M be the latest write of P and of what is
//    kept without w. Seen from w the iteration was canonical, so all its reads read M, which comes after u. If u was there when M revisited, M needs it, or u would have been cut away, and this was
//    refused then, by induction; if it was added later, that was refused (takes_chance_of_reader), unless the iteration is settled, and then w cannot revisit it.
//    An eligible write that is not kept, and comes later, is refused each place before L. (Where L is in P, it has none.)
//  - What is not found by way of a Wait is found by revisits: whatever part of what is kept is there, as long as the part needs nothing outside of it, its latest write is in P or not eligible, hence lets the thread go
//    on. So the canonical iterations that the argument about loops that try again relies on exist, and comes_last tells one order among them.
//  - From a Wait because of u the thread goes on with what comes after u, reads it or needs it, or needs another eligible write (`wakes`), if u was the first; if a write that should have been first comes, it is refused
//    its place. One source at least is new since the thread was last asked. If the read was itself a place where the thread had gone on, the same holds there (find_revisited asks `wakes`); what is eligible
//    there was eligible at the Wait before it.
//  - No exploration ends with nothing: the latest place is never refused, and if the latest write lets a waiting thread go on, it came after the thread was last asked, comes after u, and is consistent.
// The first counterexample to a rule that only asked whether the latest write of what is kept lets the thread go on was the write 1 put before a write 0 that the iteration reads last, with
// 1 in between of two reads of 0 (Disagreements.AWriteBetweenTheReadsOfAnIteration).
// That a loop is one of these is taken for granted until it leads to a dead end, or an iteration is known to fail at another location; then it waits for several. Its iterations end where another location is read, which
// mostly is behind the loop: what comes after an iteration is ordinary.
//
// Iterations that fail are in no graph, so they must not be able to be wrong: such an iteration consists of atomic loads of globals (Steps::arrive ends it before anything
// else, and updates only where the loop waits for one location), and if one of these is also accessed plainly, which could be a race, the loop is left to reads one by one too.
#include "search/dpor/explorer.hpp"

#include <algorithm>

namespace heddle {

void Explorer::learn_awaiting(const Step& first) {
    const LoopKey loop = loop_of(first);
    if (lessons_.awaiting.contains(loop)) {
        return;
    }
    if (!options_asked_.tuning.await_iterations) {
        learn_waiting(loop);
    }
    lessons_.awaiting.insert(loop);
    if (!options_asked_.tuning.await_strangers || fails_elsewhere(first, first.location)) {
        lessons_.scattered.insert(loop);
    }
    throw LessonLearnt{};
}

bool Explorer::fails_elsewhere(const Step& s, LocationId l) {
    const bool elsewhere = s.pieces > 0 && s.location != l;
    return std::ranges::any_of(s.edges, [&](const Edge& e) {
        return (elsewhere && e.futile) || (e.next && e.next->in_iteration >= 2 && fails_elsewhere(*e.next, l));
    });
}

void Explorer::look_at_awaited(const Step& s) {
    const LoopKey loop = loop_of(s);
    if (races_ && graph_.location(s.location).plain > 0) {
        learn_waiting(loop);
    }
    awaited_.try_emplace(s.location.index, loop);
}

void Explorer::look_at_awaited(const Step& s, EventId wait) {
    look_at_awaited(s);
    const EventId because = wait == kNoEvent || s.awaits_one ? kNoEvent : graph_[wait].source;
    if (because == kNoEvent) {
        return;
    }
    for (const EventId w : graph_.location(s.location).coherence) {
        if (graph_[w].stamp > graph_[wait].stamp && w != because && !model_->contains(model_->prefix(w), because) &&
            !model_->contains(model_->prefix(because), w)) {
            learn_waiting(loop_of(s));
        }
    }
}

EventId Explorer::mark_of(EventId e) const {
    const Step& s = *notes_[e.index].before.step;
    return s.awaits_one && graph_[e].is_read() ? graph_.at(graph_[e].thread, graph_[e].index + 1 - s.in_iteration) : e;
}

bool Explorer::brings_news(EventId wait) {
    if (wait == kNoEvent) {
        return true;
    }
    const auto is_new = [&](EventId s) { return s != kNoEvent && graph_[s].stamp > graph_[wait].stamp; };
    if (notes_[wait.index].before.step->awaits_one) {
        return std::ranges::any_of(trial_, is_new) && wakes(wait);
    }
    const EventId because = graph_[wait].source;
    return std::ranges::any_of(trial_, [&](EventId s) {
        return is_new(s) && (because == kNoEvent || (s != because && model_->contains(model_->prefix(s), because)));
    });
}

bool Explorer::wakes(EventId wait) {
    return wait == kNoEvent || std::ranges::any_of(trial_, [&](EventId s) {
               return s != kNoEvent && graph_[s].kind == EventKind::Write && (s == graph_[wait].source || wakes(s, wait));
           });
}

bool Explorer::needs(EventId write) const {
    return std::ranges::any_of(trial_, [&](EventId s) {
        return s != kNoEvent && graph_[s].kind == EventKind::Write && (s == write || model_->contains(model_->prefix(s), write));
    });
}

bool Explorer::finds_iterations(ThreadId t, bool at_the_end) {
    const std::size_t words = words_.size();
    const EventId wait = threads_[t.index].at.waiting;
    const EventId because = graph_[wait].source;
    const bool any = at_the_end || because == kNoEvent || !step_of(t).awaits_one;
    find_iterations(t, graph_.size(), [&](std::size_t) { return brings_news(wait) && (any || needs(because)); });
    words_.resize(words);
    return !iterations_.empty();
}

} // namespace heddle
