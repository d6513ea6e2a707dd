#include "search/value/value_explorer.hpp"

#include "search/conclude/conclude.hpp"
#include "search/dpor/endings.hpp"
#include "search/prologue/prologue.hpp"
#include "search/value/buffer_realizer.hpp"
#include "search/value/graph_realizer.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace heddle {
namespace {

/// Nothing: no execution is kept.
std::optional<KnownExecution::Laws> laws_of_execution(const Tuning& tuning, const ModelEntry& model) {
    const bool is_kept = tuning.keep_execution && !model.buffer;
    return is_kept ? std::optional(KnownExecution::Laws{model.axioms().all_synchronize, model.axioms().orders_seq_cst})
                   : std::nullopt;
}

} // namespace

ValueExplorer::ValueExplorer(Session& session, const CheckOptions& options, const ModelEntry& asked, Lessons& lessons,
                             VectorObserver observer)
    : ValueExplorer(session, options, may_be_sequential(options, asked, lessons) ? *find_model("sc") : asked, lessons,
                    std::move(observer), options.races || asked.axioms().races_are_errors,
                    may_be_sequential(options, asked, lessons)) {}

ValueExplorer::ValueExplorer(Session& session, const CheckOptions& options, const ModelEntry& model, Lessons& lessons,
                             VectorObserver observer, bool judges_races, bool is_sequential)
    : session_(session), asked_(options), lessons_(lessons),
      machine_(session.program, {.loops = true, .spurious_wakeups = options.spurious_wakeups, .unroll = options.unroll}),
      cells_(places_, lessons), memory_(session.program),
      steps_(machine_, memory_.objects(), options.tuning.remember_steps, lessons), observer_(std::move(observer)),
      judges_races_(judges_races), is_sequential_(is_sequential), known_(lessons),
      certain_(history_, model.buffer, model.axioms().all_synchronize, [this](LocationId l) { return this->initial(l); }),
      run_(history_, options.tuning.run_the_machine && options.tuning.keep_run ? model.allows : std::nullopt,
           [this](LocationId l) { return this->initial(l); }),
      execution_(history_, laws_of_execution(options.tuning, model), [this](LocationId l) { return this->initial(l); }),
      last_look_(lessons.started) {
    constexpr unsigned kEnough = 100; // surprises: a program that writes somewhere else all the time
    foresees_ = options.tuning.foresight && lessons.surprises < kEnough;
    if (lessons.look_around && foresees_) {
        look_around();
    }
    const auto initial = [this](LocationId l) { return this->initial(l); };
    const auto keeps_going = [this] {
        look_at_budgets();
        return !stopped_;
    };
    if (options.tuning.forced_order) {
        forced_.emplace(
            history_, ForcedOrder::Laws{model.buffer, model.axioms().all_synchronize, model.axioms().orders_seq_cst}, initial,
            ForcedOrder::Ways{options.tuning.keep_forced, options.tuning.forced_cases, !options.tuning.settled_reads});
    }
    is_certain_of_races_ =
        options.tuning.quick_races && options.tuning.certain_races && !model.buffer && !model.axioms().all_synchronize;
    auto by_graph = std::make_unique<GraphRealizer>(history_, places_, model, initial, keeps_going);
    GraphRealizer* const built = by_graph.get();
    if (model.buffer && options.tuning.run_the_machine) {
        realizer_ =
            std::make_unique<BufferRealizer>(history_, run_, *model.buffer, initial, keeps_going, options.tuning.quick_runs);
        race_realizer_ = judges_races_ ? std::move(by_graph) : nullptr;
    } else {
        realizer_ = std::move(by_graph);
        if (model.allows && options.tuning.run_the_machine && options.tuning.borrow_runs) {
            machine_realizer_ =
                std::make_unique<BufferRealizer>(history_, run_, *model.allows, initial, keeps_going, options.tuning.quick_runs);
            if (options.tuning.forced_order) {
                machine_forced_.emplace(history_, ForcedOrder::Laws{model.allows}, initial,
                                        ForcedOrder::Ways{options.tuning.keep_forced, false, !options.tuning.settled_reads});
            }
        }
    }
    by_graph_ = race_realizer_ || !realizer_->is_machine() ? built : nullptr;
}

CheckResult ValueExplorer::run() {
    Prologue prologue = run_prologue(machine_, [this] {
        look_at_budgets();
        return stopped_;
    });
    memory_ = std::move(prologue.memory);
    memory_.objects().for_each([&](const Object& o) { heap_before_ = heap_before_ || o.kind == ObjectKind::Heap; });
    threads_.resize(1);
    threads_[0] = {.at = {.step = steps_.arrive(std::move(prologue.main), {})}, .exists = true};
    search();
    return std::move(result_);
}

void ValueExplorer::search() {
    for (bool forward = true; forward && !stopped_;) {
        try {
            forward = grow() || (looks_around_ ? start_over() : backtrack());
        } catch (const Realizer::Abandoned&) {
            HEDDLE_CHECK(stopped_, "a question given up without a reason");
        }
        ++grown_steps_;
        if ((surprised_ || looks_around_) && !stopped_ && (!forward || grown_steps_ >= stop_growing_at_)) {
            start_again();
        }
        if (--ticks_left_ == 0) {
            constexpr std::uint32_t kSlower = 16; // a step here takes longer than one of the other search
            ticks_left_ = std::max(1u, asked_.tuning.look_every / kSlower);
            look_at_budgets();
        }
    }
}

bool ValueExplorer::grow() {
    if (steps_.are_too_many()) {
        prune_steps();
    }
    const auto threads = static_cast<std::uint32_t>(threads_.size());
    for (std::uint32_t k = 0; k < threads; ++k) {
        const ThreadId t(k);
        if (!threads_[k].exists || threads_[k].postponed || finished(t)) {
            continue;
        }
        const ActionKind kind = step_of(t).action.kind;
        if (kind == ActionKind::Choose || kind == ActionKind::Nondet) {
            std::vector<Option> options;
            offer_numbers(step_of(t).action, options);
            return choose(t, std::move(options));
        }
        if (do_at_once(t)) {
            return true;
        }
        if (stopped_) {
            return false;
        }
    }
    for (std::uint32_t k = 0; k < threads; ++k) {
        const ThreadId t(k);
        if (!threads_[k].asks) {
            continue;
        }
        return choose_reading(t, new_readings_for(t), is_worth_postponing(t));
    }
    if (grown_) {
        const bool again = was_here() && !looks_around_;
        if (again || (foresees_ && outlook(std::nullopt) == Outlook::Bad)) {
            if (!again) {
                learn_whole();
            }
            ++result_.dead_ends;
            return false;
        }
    }
    std::optional<ThreadId> first; // the lowest, and if there are some that do not wait, of these
    for (std::uint32_t k = 0; k < threads; ++k) {
        const ThreadId t(k);
        if (!threads_[k].exists || threads_[k].postponed || finished(t) || !stands_at_read(t)) {
            continue;
        }
        first = first && (!step_of(*first).may_wait || step_of(t).may_wait) ? first : t;
        if (!asked_.tuning.certain_first) {
            break;
        }
        if (!is_worth_postponing(t)) {
            if (auto readings = readings_for(t); !readings.empty()) {
                return choose_reading(t, std::move(readings), false);
            }
        }
    }
    if (first) {
        // When the others were asked about first it was found to be so, or it can read nothing.
        return choose_reading(*first, readings_for(*first), asked_.tuning.certain_first ? true : is_worth_postponing(*first));
    }
    leaf();
    return false;
}

bool ValueExplorer::choose_reading(ThreadId t, std::vector<Option> options, bool may_be_postponed) {
    if (options.empty() || may_be_postponed) {
        options.push_back({.kind = Option::Kind::Postpone});
    }
    return choose(t, std::move(options));
}

bool ValueExplorer::choose(ThreadId t, std::vector<Option> options) {
    HEDDLE_CHECK(!options.empty(), "a thread without a choice");
    if (options.size() == 1 || looks_around_) {
        apply(t, options[options.size() == 1 ? 0 : any_number_below(options.size())]);
        return true;
    }
    frames_.push_back({.thread = t, .edits = edits_.size(), .baselines = baselines_.size(), .options = std::move(options)});
    Frame& f = frames_.back();
    apply(t, f.options[f.next++]);
    return true;
}

void ValueExplorer::take(ThreadId t, const Reading& reading) {
    read(t, reading.value);
    if (reading.run && !run_.is_known()) {
        know_run(*reading.run);
    }
    if (reading.execution && !execution_.is_known()) {
        know_execution(*reading.execution);
    }
}

void ValueExplorer::apply(ThreadId t, const Option& o) {
    switch (o.kind) {
    case Option::Kind::Reading:
        take(t, o.reading);
        for (const Reading& reading : o.rest) {
            while (step_of(t).action.kind == ActionKind::Fence) {
                pass_fence(t);
            }
            HEDDLE_CHECK(is_in_iteration(t), "an iteration that ends early");
            take(t, reading);
        }
        break;
    case Option::Kind::Postpone: {
        Thread& thread = change(t);
        // After an answer to what was written the history is one that was_here has not seen; else only who is postponed differs.
        grown_ = thread.asks;
        thread.postponed = true;
        thread.asks = false;
        in_a_row_ = false;
        break;
    }
    case Option::Kind::Number: {
        Step& s = step_of(t);
        push(t, {.kind = OpKind::Local, .chosen = o.number, .step = &s});
        go_past(t, steps_.having(s, {.lo = o.number}));
        break;
    }
    }
}

std::size_t ValueExplorer::any_number_below(std::size_t count) {
    constexpr std::uint64_t kMultiplier =
        6364136223846793005u; // Knuth's linear congruential generator, of which the upper bits are good
    constexpr std::uint64_t kIncrement = 1442695040888963407u;
    constexpr unsigned kUpper = 33;
    random_ = random_ * kMultiplier + kIncrement;
    return static_cast<std::size_t>(random_ >> kUpper) % count;
}

bool ValueExplorer::start_over() {
    undo(0);
    frames_.clear();
    baselines_.clear();
    in_a_row_ = false;
    grown_ = true;
    return true;
}

bool ValueExplorer::backtrack() {
    while (!frames_.empty()) {
        Frame& f = frames_.back();
        undo(f.edits);
        baselines_.resize(f.baselines);
        in_a_row_ = false;
        if (f.next < f.options.size()) {
            const Option o = std::move(f.options[f.next++]);
            const ThreadId t = f.thread;
            if (f.next == f.options.size()) {
                frames_.pop_back();
            }
            apply(t, o);
            return true;
        }
        frames_.pop_back();
    }
    return false;
}

ValueExplorer::Thread& ValueExplorer::change(ThreadId t, Edit::Kind kind, Address object) {
    is_now_known_ = false;
    edits_.push_back({.thread = t, .before = threads_[t.index], .kind = kind, .object = object});
    return threads_[t.index];
}

void ValueExplorer::undo(std::size_t edits) {
    found_runs_.clear();
    is_now_known_ = false;
    for (; edits_.size() > edits; edits_.pop_back()) {
        const Edit& e = edits_.back();
        threads_[e.thread.index] = e.before;
        if (e.kind == Edit::Kind::Stand) {
            continue;
        }
        if (e.kind == Edit::Kind::Run) {
            run_.restore(std::move(runs_before_.back()));
            runs_before_.pop_back();
            continue;
        }
        if (e.kind == Edit::Kind::Execution) {
            execution_.restore(std::move(executions_before_.back()));
            executions_before_.pop_back();
            continue;
        }
        run_.pop(e.thread);
        execution_.pop(e.thread);
        certain_.pop(e.thread);
        if (forced_) {
            forced_->pop(e.thread);
        }
        if (machine_forced_) {
            machine_forced_->pop(e.thread);
        }
        if (history_.thread(e.thread).back().stores()) {
            stored_.pop_back();
        }
        history_.pop(e.thread);
        if (e.kind == Edit::Kind::Alloc) {
            memory_.forget(e.object);
            --allocs_;
        } else if (e.kind == Edit::Kind::Free) {
            const auto it = frees_.find(e.object); // the last added, since edits are undone in order
            it->second.pop_back();
            if (it->second.empty()) {
                frees_.erase(it);
            }
        }
    }
}

bool ValueExplorer::was_here() {
    grown_ = false;
    constexpr std::size_t kBits = 64;
    if (threads_.size() > kBits) {
        return false;
    }
    std::uint64_t postponed = 0;
    for (std::size_t k = 0; k < threads_.size(); ++k) {
        postponed |= std::uint64_t{threads_[k].postponed ? 1u : 0u} << k;
    }
    std::uint32_t& first = *visited_.insert(history_.fingerprint(), 0).first;
    for (std::uint32_t k = first; k != 0; k = postponed_[k - 1].next) {
        if ((postponed_[k - 1].threads & ~postponed) == 0) {
            return true;
        }
    }
    postponed_.push_back({postponed, first});
    first = static_cast<std::uint32_t>(postponed_.size());
    return false;
}

void ValueExplorer::start_again() {
    lessons_.surprises += surprised_ ? 1 : 0;
    lessons_.look_around = false;
    throw LessonLearnt{};
}

void ValueExplorer::stop(Verdict verdict, std::string reason, PlaceId place) {
    if (looks_around_) {
        start_again(); // what there is to tell is told by the search, in its order
    }
    if (!stopped_) {
        stopped_ = true;
        result_.verdict = verdict;
        result_.reason = std::move(reason);
        result_.place = place;
    }
}

void ValueExplorer::look_at_budgets() {
    const auto now = std::chrono::steady_clock::now();
    const auto stop = [&](std::string reason) {
        looks_around_ = false;
        this->stop(Verdict::OutOfBudget, std::move(reason));
    };
    if (asked_.timeout > 0 && std::chrono::duration<double>(now - lessons_.started).count() > asked_.timeout) {
        stop(fmt::format("--timeout {} seconds", asked_.timeout));
    }
    if (now - last_look_ < std::chrono::milliseconds(100)) {
        return;
    }
    last_look_ = now;
    if (auto reason = out_of_memory(asked_)) {
        stop(std::move(*reason));
    }
    const Progress mine{.complete = result_.complete,
                        .blocked = result_.blocked,
                        .violations = result_.violations.size(),
                        .longest = lengths_.longest()};
    if (asked_.progress && asked_.progress(mine)) {
        stop("interrupted");
    }
}

CheckResult explore_by_value(Session& session, const CheckOptions& options, const VectorObserver& observer, Lessons* known) {
    Lessons own;
    own.is_weak = ValueExplorer::is_weak(session.program);
    Lessons& lessons = known ? *known : own;
    const ModelEntry* model = find_model(options.model);
    HEDDLE_CHECK(model && !model->needs_dependencies(), "a processor's model");
    return attempt_until_learnt(session.program, observer, [&](const Observer& record) {
        return ValueExplorer(session, options, *model, lessons, record).run();
    });
}

} // namespace heddle
