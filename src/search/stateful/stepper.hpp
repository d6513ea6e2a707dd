// Stepper: what can happen next in a state. One a worker.
//
// A step is an action of one thread that others can notice, and what follows from it at once: the thread runs to its next action, and actions that
// nobody else can notice are done (Tuning::collapse_local). Such an action commutes with everything that others do, cannot be
// prevented by them and prevents nothing, so putting it first loses no state in which others stand somewhere else: making a new object, a
// fence with nothing to drain, starting a thread, ending, joining one that has ended, a choice, an access to an object that nobody else can reach. Accesses that
// nothing that others may still do depends on are done too (Tuning::partial_order, independence.hpp). So many in a row are done at most,
// so a thread that does nothing else is not run for ever.
#pragma once

#include "search/check_options.hpp"
#include "search/session.hpp"
#include "search/stateful/choices.hpp"
#include "search/stateful/independence.hpp"
#include "search/stateful/race_watch.hpp"
#include "search/stateful/renumber.hpp"
#include "search/stateful/shared_memory.hpp"
#include "search/stateful/threads.hpp"
#include "search/stateful/world_pool.hpp"
#include "support/function_ref.hpp"

#include <string>

namespace heddle::stateful {

/// What a race is about.
struct Race {
    PlaceId later{};                     ///< of the access with which it was noticed
    const RaceRecord* earlier = nullptr; ///< the other one; null: it is no race
};

/// What is found out on the way, besides states.
class Findings {
  public:
    Findings() = default;
    Findings(const Findings&) = delete;
    Findings& operator=(const Findings&) = delete;
    virtual ~Findings() = default;
    /// Something is wrong in the state that is being looked at, or with a step from it.
    virtual void wrong(Trap trap, ThreadId thread, std::vector<Violation::Other> also, const Race& race = {}) = 0;
    virtual void stop(Verdict verdict, std::string reason, PlaceId place) = 0;
    /// Whatever else is found, that is the verdict unless there is a violation; the search goes on.
    virtual void doubt(Verdict verdict, std::string reason, PlaceId place) = 0;
    virtual void assume(Assumption assumption) = 0;
};

class Stepper {
  public:
    using Emit = FunctionRef<void(World&)>;

    /// `buffer`: of the model.
    Stepper(Session& session, const CheckOptions& options, Buffer buffer, Parts& parts, Findings& findings);
    Stepper(const Stepper&) = delete;
    Stepper& operator=(const Stepper&) = delete;

    /// Runs what main does by itself; comes before all else. `gives_up`: see run_prologue; then the search is over.
    void prepare(const std::function<bool()>& gives_up);
    /// Every state in which the program may begin; asked once.
    void initial(const Emit& emit);
    /// Every state that one step leads to. What is wrong with the state itself is not judged here.
    void successors(const World& w, const Emit& emit);
    /// Did a thread end the program in an atomic section, or an assumption fail there? Then nobody sees what the section did so far.
    [[nodiscard]] bool is_over(const World& w);

    [[nodiscard]] const Standing& standing(const World& w, std::uint32_t thread) {
        return threads_.at(w.threads[thread], w.objects);
    }
    [[nodiscard]] SharedMemory& memory() { return memory_; }
    [[nodiscard]] Threads& threads() { return threads_; }
    [[nodiscard]] Machine& machine() { return machine_; }
    [[nodiscard]] const ObjectTable& objects(const World& w) { return tables_[w.objects]; }
    /// Who takes the step that is being emitted: a thread, or, by a number above all threads', a buffer that is flushed.
    [[nodiscard]] std::uint32_t mover() const { return mover_; }
    [[nodiscard]] Log& log() { return log_; }
    /// Puts the state into the form in which equal states are equal. (The worlds that `successors` emits are not in it, so that they can be told as a
    /// story.)
    void canonicalise(World& w);
    /// The part of it that is about races; no object is numbered again.
    void settle_races(World& w) {
        if (races_) {
            races_->settle(w);
        }
    }
    [[nodiscard]] LocalParts& locals() { return locals_; }
    /// Between two states: forgets what is remembered if that is much. True: worlds that there were are invalid, and so are all numbers of threads and tables of objects.
    [[nodiscard]] bool trim();

  private:
    /// Every state that one step of the thread leads to. `now`: the situation.
    void steps_of(const World& w, std::uint32_t thread, Choices::Situation now, const Emit& emit);
    /// Does a thread that stands here run, at an action that it can do? (Whether it must wait there for a value or a lock is seen when it tries.)
    [[nodiscard]] bool is_able(const World& w, const Standing& s);
    /// One action of the thread, in all the ways it can go. The world is used up: it is emitted itself, once and last, if there is only one way to go;
    /// if nothing is emitted it is as it was. Pre: is_able. `s`: where it stands.
    void perform(World& w, std::uint32_t thread, const Standing& s, const Emit& emit);
    void access(World& w, std::uint32_t t, const Standing& s, const Emit& emit);
    void store(World& next, std::uint32_t t, const Standing& s, const Emit& emit);
    void allocate(World& next, std::uint32_t t, const Standing& s, const Emit& emit);
    void choose(const World& w, std::uint32_t t, const Standing& s, const Emit& emit);
    void spawn(World& next, std::uint32_t t, const Standing& s, const Emit& emit);
    /// Pre: who is joined has ended.
    void join(World& next, std::uint32_t t, const Standing& s, const Emit& emit);
    void end(World& next, std::uint32_t t, const Standing& s, const Emit& emit);
    void free(World& next, std::uint32_t t, const Standing& s, const Emit& emit);
    void atomic(World& next, std::uint32_t t, const Standing& s, const Emit& emit);
    /// Is the thread in an atomic section, in which nothing of others has reached memory since it began, or where flushes are steps can do so? Then it works on memory itself.
    [[nodiscard]] bool is_in_section(const World& w, std::uint32_t t) const {
        return w.atomic == t + 1 && (w.depth & World::kTorn) == 0 && memory_.has_buffers();
    }
    /// The thread, which stands at `s`, goes on with this outcome.
    void go_on(World& next, std::uint32_t t, const Standing& s, const Value& outcome, const Emit& emit) {
        next.threads[t] = threads_.after(next.threads[t], s, next.objects, outcome);
        emit(next);
    }
    enum class Went : std::uint8_t {
        Nowhere,   ///< nothing was done
        On,        ///< the world was changed
        Elsewhere, ///< others, made from it, went on and were emitted
    };
    /// How far a step has got.
    struct Course {
        std::uint32_t mover;                     ///< who did its last action
        unsigned done = 0;                       ///< so many were done besides the first
        std::uint64_t ways = 1;                  ///< the choices that were made could have been made in so many ways
        bool looped = false;                     ///< the head of a loop was passed
        std::uint32_t joined = Choices::kNobody; ///< whom that action joined
        Choices::Situation before = Choices::
            kNoSituation; ///< in which it was done; kNoSituation: nobody knows, or more has changed than Choices::Change has
    };
    /// That of an action which the thread is about to do, as the first.
    [[nodiscard]] static Course course_of(const Standing& s, std::uint32_t t, Choices::Situation before);
    /// kNoSituation: none that is remembered.
    [[nodiscard]] Choices::Situation situation(const World& w);
    [[nodiscard]] Choices::Situation situation(const World& w, const Course& course);
    // Who does the next action of the step: a thread, or kNobody. First the one who moved last is asked, then the others in turn.
    static constexpr std::uint32_t kNobody = ~std::uint32_t{0};
    /// As remembered, or found and remembered.
    [[nodiscard]] std::uint32_t choose(const World& w, const Course& course, Choices::Situation now);
    /// Of those who are asked after `last`; kNobody: of all.
    [[nodiscard]] std::uint32_t ask(const World& w, const Course& course, std::uint32_t last);
    [[nodiscard, gnu::always_inline]] std::uint32_t sort(const World& w, std::uint32_t t) {
        const std::uint32_t known = standing(w, t).sort;
        return known != 0 ? known : find_sort(w, t);
    }
    std::uint32_t find_sort(const World& w, std::uint32_t t); ///< Pre: there is reduction
    /// Is the thread at an action to be done at once: an independent one, unless a head of a loop was passed, or with `local` a local one?
    [[nodiscard]] bool goes(const World& w, std::uint32_t t, bool local, const Course& course);
    /// The thread does that action; `course` is what it is then, if it went on.
    Went go(World& w, std::uint32_t t, Course& course, Choices::Situation now, const Emit& emit);
    /// Does what is local or independent, then emits.
    void collapse(World& w, Course course, const Emit& emit);
    // Pre: the thread runs, and stands there.
    [[nodiscard]] bool is_independent(const World& w, std::uint32_t thread, const Standing& s);
    [[nodiscard]] bool is_local(const World& w, std::uint32_t thread, const Standing& s);
    [[nodiscard]] bool is_private(const World& w, std::uint32_t t, const Action& a);
    /// Does the store go to memory at once, past the thread's buffer?
    [[nodiscard]] bool bypasses(const World& w, std::uint32_t t, const Action& a);
    /// Does the access look at part of a pointer? Renumbering would not see such a pointer.
    [[nodiscard]] bool in_pieces(const World& w, const Action& a, const Value& v) {
        return parts_.objects_made && looks_in_pieces(w, a, v);
    }
    [[nodiscard]] bool looks_in_pieces(const World& w, const Action& a, const Value& v);
    [[gnu::always_inline]] void note(Happened::Kind kind, std::uint32_t t, const Action& a, const Value& v,
                                     std::optional<std::uint32_t> tag, bool update, ThreadId other = {}) {
        if (log_.on) {
            log_.note(
                {.kind = kind, .thread = ThreadId(t), .action = a, .value = v, .tag = tag, .update = update, .other = other});
        }
    }

    Session& session_;
    const CheckOptions& options_;
    Parts& parts_;
    Findings& findings_;
    Machine machine_;
    Log log_;
    LocalParts locals_;
    ObjectTables tables_;
    Threads threads_;
    Contents contents_;
    WorldPool pool_;
    SharedMemory memory_;
    Renumbering renumbering_;
    std::optional<Prologue> prologue_;           ///< until `initial`
    std::unique_ptr<Independence> independence_; ///< null: no partial-order reduction
    std::unique_ptr<RaceWatch> races_;           ///< null: nobody asks for races
    Choices choices_;
    bool looked_around_ = false; ///< an answer to `goes` depended on what memory holds
    std::uint32_t mover_ = 0;
};

} // namespace heddle::stateful
