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
// Not done: a loop whose iterations read one location only, several times, and may end with a compare-exchange (a reader-writer lock in one word: 6 dead ends for 34 executions). There coherence
// orders strangers, so that the rule of explorer_waits.cpp should carry over, with "the thread would go on if all its reads read u" for "u satisfies it", and the latest of its sources for the one
// that is read. What it takes: updates in such iterations (Steps::arrive), the first read of an iteration as the mark in takes_chance_of_reader, `wakes` in brings_news, who goes on at once in finds_iterations.
//
// Iterations that fail are in no graph, so they must not be able to be wrong: such an iteration consists of atomic loads of globals (Steps::arrive ends it before anything
// else), and if one of these is also accessed plainly, which could be a race, the loop is left to reads one by one too.
#include "search/dpor/explorer.hpp"

#include <algorithm>

namespace heddle {

void Explorer::learn_awaiting(const LoopKey& loop) {
    if (lessons_.awaiting.contains(loop)) {
        return;
    }
    if (!options_asked_.tuning.await_iterations) {
        learn_waiting(loop);
    }
    lessons_.awaiting.insert(loop);
    throw LessonLearnt{};
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
    const EventId because = wait == kNoEvent ? kNoEvent : graph_[wait].source;
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

bool Explorer::brings_news(EventId wait) const {
    if (wait == kNoEvent) {
        return true;
    }
    const EventId because = graph_[wait].source;
    return std::ranges::any_of(trial_, [&](EventId s) {
        return s != kNoEvent && graph_[s].stamp > graph_[wait].stamp &&
               (because == kNoEvent || (s != because && model_->contains(model_->prefix(s), because)));
    });
}

bool Explorer::finds_iterations(ThreadId t) {
    const std::size_t words = words_.size();
    const EventId wait = threads_[t.index].at.waiting;
    find_iterations(t, graph_.size(), [&](std::size_t) { return brings_news(wait); });
    words_.resize(words);
    return !iterations_.empty();
}

} // namespace heddle
