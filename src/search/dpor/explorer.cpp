#include "search/dpor/explorer.hpp"

#include "model/rf_model.hpp"
#include "search/conclude/conclude.hpp"
#include "search/dpor/endings.hpp"
#include "search/prologue/prologue.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace heddle {

Explorer::Explorer(Session& session, const CheckOptions& options, const ModelEntry& model, Lessons& lessons,
                   ExecutionObserver observer, Crew* crew, unsigned worker)
    : session_(session), options_asked_(options), lessons_(lessons),
      machine_(session.program, {.dependencies = model.needs_dependencies(),
                                 .loops = true,
                                 .spurious_wakeups = options.spurious_wakeups,
                                 .unroll = options.unroll}),
      graph_(model.needs_dependencies()), cells_(graph_, lessons), observer_(std::move(observer)), crew_(crew), worker_(worker),
      idle_lasts_(options.tuning.remember_idle && !model.needs_dependencies() && options.equivalence != Equivalence::Rf),
      memory_(session.program), steps_(machine_, memory_.objects(), options.tuning.remember_steps, lessons),
      last_look_(lessons.started) {
    const Tuning& tuning = options.tuning;
    const ModelWays ways{
        .keep_sc_order = tuning.keep_sc_order, .judge_cycles = tuning.judge_cycles, .follow_fences = tuning.follow_fences};
    if (options.equivalence == Equivalence::Rf) {
        model_ = std::make_unique<RfModel>(
            graph_, model.axioms(), model.make(graph_, ways), [&lessons](Address a) { return lessons.tracked.contains(a); },
            RfModel::Ways{.ask_the_model = tuning.ask_the_model,
                          .use_blocks = tuning.use_blocks,
                          .try_the_graph = tuning.try_the_graph,
                          .foresee_reads = tuning.foresee_reads,
                          .foresee_latest = tuning.foresee_latest,
                          .search_psc = tuning.search_psc,
                          .move_writes = tuning.move_writes,
                          .keep_witness = tuning.keep_witness,
                          .saturate = tuning.saturate ? std::optional(model.buffer.value_or(Buffer::None)) : std::nullopt});
    } else {
        model_ = model.make(graph_, ways);
    }
    races_ = model_->happens_before();
    if (!races_ && options.races) {
        own_hb_ = std::make_unique<HappensBefore>(graph_);
        races_ = own_hb_.get();
    }
    if (!options.races && !model_->races_are_errors()) {
        races_ = nullptr;
    }
}

CheckResult Explorer::run() {
    Prologue prologue = options_asked_.tuning.skip_prologue
                            ? run_prologue(machine_,
                                           [this] {
                                               look_at_budgets();
                                               return stopped_;
                                           })
                            : Prologue{.main = machine_.start_main(), .memory = Memory(machine_.program())};
    memory_ = std::move(prologue.memory);
    memory_.objects().for_each([&](const Object& o) { heap_before_ = heap_before_ || o.kind == ObjectKind::Heap; });
    make_room_for_threads(1);
    stand(ThreadId(0), {.step = steps_.arrive(std::move(prologue.main), {})});
    add({.kind = EventKind::Begin}, 0, {});
    threads_[0].at.index = 1;
    if (worker_ == 0) {
        search();
    }
    while (crew_ && !stopped_) {
        job_ = crew_->take([this] { look_at_budgets(); });
        if (!job_) {
            break;
        }
        repeated_ = 0;
        hopeless_run_ = {};
        search();
    }
    return std::move(result_);
}

void Explorer::search() {
    for (bool forward = true; !stopped_;) {
        if (forward) {
            const Growth growth = grow();
            if (learnt_ && growth != Growth::Grown) {
                throw LessonLearnt{};
            }
            if (growth == Growth::Leaf && !stopped_) {
                leaf();
            }
            result_.dead_ends += growth == Growth::DeadEnd ? 1 : 0;
            forward = growth == Growth::Grown;
        } else {
            if (frames_.empty()) {
                break;
            }
            undo(frames_.size() - 1);
            forward = advance();
        }
        if (--ticks_left_ == 0) {
            // Looking at the clock costs less than a step of the slow kind (rf), and more than one of the fast kind.
            const unsigned often = options_asked_.equivalence == Equivalence::Rf ? 16 : 1;
            ticks_left_ = std::max(1u, options_asked_.tuning.look_every / often);
            look_at_budgets();
        }
    }
    if (learnt_) {
        throw LessonLearnt{};
    }
}

void Explorer::offer_action(ThreadId t) {
    const Action& a = step_of(t).action;
    switch (a.kind) {
    case ActionKind::Load:
        offer_reads(t);
        break;
    case ActionKind::Rmw:
    case ActionKind::Lock:
        threads_[t.index].at.part == 0 ? offer_reads(t) : offer_writes(t);
        break;
    case ActionKind::Store:
    case ActionKind::Unlock:
        offer_writes(t);
        break;
    case ActionKind::Choose:
    case ActionKind::Nondet:
        offer_numbers(a);
        break;
    default:
        offer({});
    }
}

Explorer::Growth Explorer::grow() {
    if (steps_.are_too_many()) {
        prune_steps();
    }
    const bool pinned = pinned_.has_value();
    const auto next = pinned ? std::exchange(pinned_, std::nullopt) : next_thread();
    if (!next) {
        return Growth::Leaf;
    }
    const ThreadId t = *next;
    const std::size_t first = options_.size();
    pinned ? offer_found_iterations() : offer_action(t);
    if (pinned && pinned_wait_.kind == Option::Kind::Postpone) {
        offer(pinned_wait_);
    }
    const bool counted = std::exchange(counted_, false);
    if (counted && options_.size() == first) {
        return Growth::Counted;
    }
    // Where the model judges the two halves of an update one by one, a source after which the write has no place is no choice at all: it could
    // have been foreseen at the price of trying.
    const bool second_half = (graph_.may_have_holes() || !lessons_.whole.empty()) && threads_[t.index].at.part > 0;
    if (options_.size() == first + 1 && options_.back().kind != Option::Kind::Revisit && !frames_.empty() &&
        options_asked_.tuning.share_frames) {
        // Nothing to choose: the event belongs to the frame that led here.
        const Option only = options_.back();
        options_.pop_back();
        const std::size_t before = added_.size();
        const std::size_t passed = passed_.size();
        const bool good = only.kind == Option::Kind::Place ? place_offered(only.number) : perform(t, only);
        frames_.back().added += static_cast<std::uint32_t>(added_.size() - before);
        frames_.back().passed += static_cast<std::uint32_t>(passed_.size() - passed);
        return good ? Growth::Grown : second_half || counted ? Growth::Counted : Growth::DeadEnd;
    }
    const bool repeating = is_repeating(); // then other options of this frame were good
    push_frame(t, first);
    return advance() ? Growth::Grown : repeating || second_half || counted ? Growth::Counted : Growth::DeadEnd;
}

void Explorer::offer_numbers(const Action& a) {
    Numbers numbers = numbers_of(a);
    if (numbers.assumption) {
        assume(std::move(*numbers.assumption));
    }
    if (numbers.too_many) {
        stop(Verdict::OutOfBudget, fmt::format("a choice among {} numbers", a.count), a.place);
    }
    for (std::uint32_t k = 0; k < numbers.count; ++k) {
        offer({.kind = Option::Kind::Number, .number = k});
    }
}

void Explorer::push_frame(ThreadId thread, std::size_t first_option) {
    frames_.push_back({.thread = thread,
                       .first_option = first_option,
                       .next_option = first_option,
                       .end_option = options_.size(),
                       .words = static_cast<std::uint32_t>(words_.size())});
    if (is_repeating()) {
        repeat_choice(frames_.back());
    }
}

void Explorer::pop_frame() {
    options_.resize(frames_.back().first_option);
    frames_.pop_back();
}

bool Explorer::advance() {
    const std::size_t frame = frames_.size() - 1;
    while (frames_[frame].next_option < frames_[frame].end_option) {
        if (frames_[frame].next_option > frames_[frame].first_option) {
            hopeless_run_ = {};
        }
        const Option o = options_[frames_[frame].next_option++];
        if (apply(frame, o)) {
            return true;
        }
        undo(frame);
    }
    pop_frame();
    return false;
}

bool Explorer::apply(std::size_t frame, const Option& o) {
    const std::size_t before = added_.size();
    if (o.kind == Option::Kind::Revisit) {
        const bool is_there = o.source == kNoEvent || add_read(frames_[frame].thread, o.source, graph_.size());
        frames_[frame].added = static_cast<std::uint32_t>(added_.size() - before);
        return is_there && begin_revisit(frame, o);
    }
    const std::size_t passed = passed_.size();
    const bool good =
        frames_[frame].revisited != kNoEvent ? place_and_revisit(frame, o.number) : perform(frames_[frame].thread, o);
    frames_[frame].added = static_cast<std::uint32_t>(added_.size() - before);
    frames_[frame].passed = static_cast<std::uint32_t>(passed_.size() - passed);
    return good;
}

bool Explorer::perform(ThreadId t, const Option& o) {
    switch (o.kind) {
    case Option::Kind::Source:
        return add_read(t, o.event, graph_.size());
    case Option::Kind::Postpone:
        add_wait(t, o.event, o.number > 0 ? o.number - 1 : graph_.size());
        return true;
    case Option::Kind::Place: {
        Pending pending = pending_write(t);
        return add_write(pending, o.number);
    }
    case Option::Kind::Iteration:
        return add_iteration(t, o.number);
    case Option::Kind::Void:
        return add_void(t);
    case Option::Kind::Revisit: // see apply
    case Option::Kind::Number:
    case Option::Kind::Only:
        break;
    }
    return add_other(t, o.number);
}

void Explorer::remove_added(std::size_t before) {
    while (added_.size() > before) {
        const EventId e = added_.back();
        added_.pop_back();
        const ThreadId t = graph_[e].thread;
        if (next_index(t) >= graph_[e].index) {
            stand(t, notes_[e.index].before);
        } // else the event was added behind a hole, at which its thread still stands
        if (graph_[e].kind == EventKind::Alloc || graph_[e].kind == EventKind::Free) {
            take_back(e);
        }
        model_->removed(e);
        graph_.remove(e);
    }
}

void Explorer::undo(std::size_t frame) {
    Frame& f = frames_[frame];
    for (; f.passed > 0; --f.passed, passed_.pop_back()) {
        notes_[passed_.back().event.index].before = passed_.back().before;
    }
    if (f.has_cut) {
        end_revisit();
        f.has_cut = false;
    }
    remove_added(added_.size() - f.added); // the read before a write that revisits; others cut nothing away
    f.added = 0;
    words_.resize(f.words);
}

} // namespace heddle
