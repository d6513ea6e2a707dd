#include "search/stateful/stateful_search.hpp"

#include "model/registry.hpp"
#include "search/conclude/conclude.hpp"
#include "search/stateful/judge.hpp"
#include "search/stateful/replay.hpp"
#include "search/stateful/state_hashes.hpp"
#include "search/stateful/termination.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace heddle {
namespace stateful {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<Buffer> buffer_of(const std::string& model) {
    const ModelEntry* const entry = find_model(model);
    return entry ? entry->buffer : std::nullopt;
}

/// A state that is still to be looked at. Compacted states cannot be had back from the set, so what is waiting is kept here.
struct Waiting {
    StateSet::Id id;
    Packed state;
};

/// What the workers share.
struct Shared {
    Workforce& workforce;
    Session& session;
    const CheckOptions& options;
    Buffer buffer;
    std::unique_ptr<Parts> parts;
    StateSet states;
    std::atomic<bool> stopped = false;
    std::atomic<std::uint64_t> complete = 0, blocked = 0, steps = 0;
    alignas(64) std::atomic<std::size_t> next = 0; ///< of the level's states, the next that nobody has taken
    alignas(64) Clock::time_point started = Clock::now();
    std::mutex telling{}; // of CheckOptions::progress
    std::mutex mutex{};   // of all that follows
    std::vector<Sighting> sightings{};
    std::set<std::string> seen{}; ///< violation_key
    CheckResult result{};
    std::set<std::pair<std::string, std::uint32_t>> assumed{};
};

class Worker final : public Findings {
  public:
    explicit Worker(Shared& shared)
        : shared_(shared), stepper_(shared.session, shared.options, shared.buffer, *shared.parts, *this),
          judge_(stepper_, *this, shared.options, [this] { return gives_up(); }), hashes_(*shared.parts) {
        scratch_.remember = shared.options.tuning.remember_moves;
        stepper_.prepare([this] { return gives_up(); });
    }

    void begin() {
        in_step_ = true;
        stepper_.initial([&](World& w) { add(w, StateSet::kNone, nullptr); });
        in_step_ = false;
    }

    /// Looks at states of the level until there are none left.
    void work(const std::vector<Waiting>& level, std::size_t worker) {
        const Workforce::Shift shift(shared_.workforce, worker);
        look_through(level, worker == 0);
        // Added up once, since all workers would write to the same place.
        shared_.steps += std::exchange(step_count_, 0);
    }

    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    /// A step that may be taken again and again.
    void report_endless(const Step& step) {
        current_ = step.from;
        World w;
        unpack(*shared_.parts, stepper_.locals(), shared_.states.state(step.from), w, scratch_.list);
        const Standing& s = stepper_.standing(w, step.mover);
        wrong(stepper_.machine().trap_here(
                  s.state, TrapKind::NonTermination,
                  fmt::format(
                      "the program need not end: thread {} comes here again and again although everybody who can go on does",
                      step.mover)),
              ThreadId(step.mover), {}, {});
    }

    [[nodiscard]] std::vector<Waiting> take_found() { return std::exchange(found_, {}); }

    void wrong(Trap trap, ThreadId thread, std::vector<Violation::Other> also, const Race& race) override {
        if (trap.kind == TrapKind::Unsupported || trap.kind == TrapKind::OutOfBudget) {
            stop(trap.kind == TrapKind::Unsupported ? Verdict::Unsupported : Verdict::OutOfBudget, trap.message,
                 trap.stack.front());
            return;
        }
        const std::scoped_lock guard(shared_.mutex);
        const bool enough = !shared_.options.keep_going && !shared_.sightings.empty();
        std::vector<PlaceId> about;
        if (race.earlier) {
            about = {race.later, race.earlier->place};
        }
        if (!enough && shared_.seen.insert(violation_key(trap, about)).second) {
            shared_.sightings.push_back({.violation = {.trap = std::move(trap), .thread = thread, .also = std::move(also)},
                                         .at = current_,
                                         .in_step = in_step_,
                                         .places = std::move(about)});
            shared_.stopped = shared_.stopped || !shared_.options.keep_going;
        }
    }
    void stop(Verdict verdict, std::string reason, PlaceId place) override {
        doubt(verdict, std::move(reason), place);
        shared_.stopped = true;
    }
    void doubt(Verdict verdict, std::string reason, PlaceId place) override {
        const std::scoped_lock guard(shared_.mutex);
        if (shared_.result.verdict == Verdict::Safe) {
            shared_.result.verdict = verdict;
            shared_.result.reason = std::move(reason);
            shared_.result.place = place;
        }
    }
    void assume(Assumption a) override {
        const std::scoped_lock guard(shared_.mutex);
        if (shared_.assumed.insert({a.kind, a.place.index}).second) {
            shared_.result.assumptions.push_back(std::move(a));
        }
    }

  private:
    void look_through(const std::vector<Waiting>& level, bool watches) {
        const std::size_t share = std::clamp<std::size_t>(level.size() / 64, 1, 64);
        while (!shared_.stopped) {
            const std::size_t from = shared_.next.fetch_add(share);
            if (from >= level.size()) {
                return;
            }
            const std::size_t end = std::min(from + share, level.size());
            for (std::size_t k = from; k < end && !shared_.stopped; ++k) {
                constexpr std::size_t kAhead = 4;
                if (k + 2 * kAhead < end) {
                    expect(*shared_.parts, level[k + 2 * kAhead].state);
                }
                if (k + kAhead < end) {
                    expect_soon(*shared_.parts, level[k + kAhead].state);
                }
                expand(level[k]);
            }
            if (watches) {
                look_at_budgets(level.size() - std::min(level.size(), from));
            }
        }
    }

    /// True: nobody had found it before.
    bool add(World& w, StateSet::Id parent, const World* from) {
        stepper_.canonicalise(w);
        const Packed packed = pack(*shared_.parts, stepper_.locals(), w, scratch_, from, packed_);
        const StateSet::Found found = shared_.states.is_compacted() ? shared_.states.insert_hash(hashes_.of(packed), parent)
                                                                    : shared_.states.insert(packed, parent);
        if (shared_.options.termination && parent != StateSet::kNone) {
            steps_.push_back({.from = parent, .to = found.id, .mover = stepper_.mover()});
        }
        if (!found.fresh) {
            return false;
        }
        const StateSet::Id before = std::exchange(current_, found.id);
        const bool in_step = std::exchange(in_step_, false);
        if (judge_.look_at(w) == Ending::Complete) {
            ++shared_.complete;
            if (shared_.options.final_memory) {
                shared_.options.final_memory(
                    globals_as_text(shared_.session.program, [&](Address byte) { return stepper_.memory().load(w, byte, 1); }));
            }
        }
        current_ = before;
        in_step_ = in_step;
        found_.push_back({.id = found.id, .state = packed});
        return true;
    }

    void expand(const Waiting& waiting) {
        unpack(*shared_.parts, stepper_.locals(), waiting.state, world_, scratch_.list, has_world_ ? &packed_ : nullptr);
        packed_ = waiting.state;
        has_world_ = true;
        const World& w = world_;
        current_ = waiting.id;
        bool fresh = false;
        try {
            in_step_ = true;
            stepper_.successors(w, [&](World& next) {
                ++step_count_;
                fresh = add(next, waiting.id, &w) || fresh;
            });
            in_step_ = false;
            if (!fresh && judge_.stuck(w) == Ending::Blocked) {
                ++shared_.blocked;
            }
        } catch (const TooManyWays&) {
            stop(Verdict::OutOfBudget,
                 "more stores to the same bytes are pending than their orders can be tried; --buffer bounds them", {});
        }
        if (stepper_.trim()) {
            scratch_.thread_changes = {};
            has_world_ = false;
        }
    }

    [[nodiscard]] bool gives_up() {
        look_at_budgets(0);
        return shared_.stopped;
    }

    void look_at_budgets(std::size_t left) {
        const auto now = Clock::now();
        const CheckOptions& o = shared_.options;
        if (o.timeout > 0 && std::chrono::duration<double>(now - shared_.started).count() > o.timeout) {
            stop(Verdict::OutOfBudget, fmt::format("--timeout {} seconds", o.timeout), {});
        }
        if (last_look_ && now - *last_look_ < std::chrono::milliseconds(100)) {
            return;
        }
        last_look_ = now;
        if (auto reason = out_of_memory(o)) {
            stop(Verdict::OutOfBudget, std::move(*reason), {});
        }
        if (o.progress) {
            std::unique_lock guard(shared_.mutex);
            const std::size_t violations = shared_.sightings.size();
            guard.unlock();
            const Progress p{.complete = shared_.complete,
                             .blocked = shared_.blocked,
                             .violations = violations,
                             .states = shared_.states.size(),
                             .frontier = left + found_.size(),
                             .memory = shared_.states.bytes() + shared_.parts->bytes()};
            const std::scoped_lock telling(shared_.telling);
            if (o.progress(p)) {
                stop(Verdict::OutOfBudget, "interrupted", {});
            }
        }
    }

    Shared& shared_;
    Stepper stepper_;
    Judge judge_;
    StateHashes hashes_; ///< where states are compacted
    World world_;
    bool has_world_ = false;
    Packed packed_;                          ///< what world_ is made from
    PackScratch scratch_;                    ///< of pack
    StateSet::Id current_ = StateSet::kNone; ///< the state that is being looked at
    bool in_step_ = false;                   ///< and a step from it is being taken
    std::vector<Waiting> found_;             ///< for the next level
    std::uint64_t step_count_ = 0;           ///< not added to those of all yet
    std::vector<Step> steps_;                ///< all that this worker has found, where they are asked for
    std::optional<Clock::time_point> last_look_;
};

/// Where states are compacted, parts are needed only for those that wait. If there have come to be many more parts than that, those that nobody needs go, and with
/// them what workers remember by their numbers.
void collect(Shared& shared, std::vector<Waiting>& level, std::vector<std::unique_ptr<Worker>>& workers, std::size_t& left_last) {
    constexpr std::size_t kManyMore = 4;
    const bool many = shared.parts->bytes() > std::max(kManyMore * left_last, shared.options.tuning.collect_from);
    if (!shared.states.is_compacted() || shared.options.termination || !many) { // steps are remembered by workers
        return;
    }
    std::vector<Packed*> states;
    for (Waiting& w : level) {
        states.push_back(&w.state);
    }
    workers.clear();
    shared.parts = collected(*shared.parts, &shared.workforce, states);
    left_last = shared.parts->bytes();
    workers.push_back(std::make_unique<Worker>(shared));
}

/// Goes through all levels.
void search(Shared& shared) {
    std::size_t left_last = 0; ///< bytes of parts after they were collected last
    std::vector<std::unique_ptr<Worker>> workers;
    workers.push_back(std::make_unique<Worker>(shared));
    if (!shared.stopped) { // by what main does before it starts a thread
        workers[0]->begin();
    }
    std::vector<Waiting> level = workers[0]->take_found();
    while (!level.empty() && !shared.stopped) {
        shared.next = 0;
        if (shared.options.jobs == 1 || level.size() < shared.options.tuning.share_from) {
            workers[0]->work(level, 0);
        } else {
            while (workers.size() < shared.options.jobs) {
                workers.push_back(std::make_unique<Worker>(shared));
            }
            std::mutex mutex; // of `failed`
            std::exception_ptr failed;
            {
                std::vector<std::jthread> threads;
                for (std::size_t k = 1; k < workers.size(); ++k) {
                    threads.emplace_back([&, k] {
                        try {
                            workers[k]->work(level, k);
                        } catch (...) {
                            shared.stopped = true;
                            const std::scoped_lock guard(mutex);
                            failed = std::current_exception();
                        }
                    });
                }
                workers[0]->work(level, 0);
            }
            if (failed) {
                std::rethrow_exception(failed);
            }
        }
        level = workers[0]->take_found(); // mostly as long as those of the others together, or there are no others
        for (std::size_t k = 1; k < workers.size(); ++k) {
            const auto found = workers[k]->take_found();
            level.insert(level.end(), found.begin(), found.end());
        }
        collect(shared, level, workers, left_last);
    }
    if (shared.options.termination && !shared.stopped) {
        std::vector<Step> steps;
        for (const auto& w : workers) {
            steps.insert(steps.end(), w->steps().begin(), w->steps().end());
        }
        if (const auto step = endless_step(steps)) {
            workers[0]->report_endless(*step);
        }
    }
}

} // namespace
} // namespace stateful

bool has_states(const std::string& model) { return stateful::buffer_of(model).has_value(); }

CheckResult explore_states(Session& session, const CheckOptions& asked) {
    using namespace stateful;
    CheckOptions options = asked;
    if (options.termination) {
        options.tuning.partial_order = false; // a cycle is looked at for who takes which step of it
        options.tuning.delayed_flushing =
            false; // whether a buffer is emptied again and again shows only where each flush is a step
    }
    const auto buffer = buffer_of(options.model);
    HEDDLE_CHECK(buffer, "a model without states");
    Workforce workforce(options.jobs);
    Shared shared{.workforce = workforce,
                  .session = session,
                  .options = options,
                  .buffer = *buffer,
                  .parts = std::make_unique<Parts>(&workforce, options.races && options.keep_going),
                  .states = StateSet(options.hash_compaction, &workforce, *buffer != Buffer::None)};
    search(shared);
    CheckResult result = std::move(shared.result);
    result.complete = shared.complete;
    result.blocked = shared.blocked;
    result.states = shared.states.size();
    result.steps = shared.steps;
    result.state_bytes = shared.states.bytes() + shared.parts->bytes();
    for (Sighting& s : shared.sightings) {
        replay(session, options, *buffer, *shared.parts, shared.states, s);
        result.violations.push_back(std::move(s.violation));
    }
    if (shared.parts->objects_made) { // renumber.hpp
        result.assumptions.push_back({.kind = "whole-pointers",
                                      .place = {},
                                      .detail =
                                          "pointers to heap objects and shared locals are kept as they are, at multiples of 8 "
                                          "bytes: not in pieces, not hidden by arithmetic on their bits",
                                      .standing = true});
    }
    if (options.hash_compaction) {
        result.assumptions.push_back({.kind = "hash-compaction",
                                      .place = {},
                                      .detail = "no two of the states have the same 64 bits of hash (--hash-compaction)"});
    }
    if (options.buffer != 0 && *buffer != Buffer::None) {
        result.assumptions.push_back(
            {.kind = "store-buffer",
             .place = {},
             .detail = fmt::format("no store buffer ever holds more than {} stores (--buffer)", options.buffer)});
    }
    conclude(result, session.program);
    return result;
}

} // namespace heddle
