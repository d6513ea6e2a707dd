// ValueExplorer: what a read may read.
#include "search/value/value_explorer.hpp"

#include <algorithm>

namespace heddle {

ValueId ValueExplorer::initial(LocationId l) {
    const Location& bytes = places_.location(l);
    if (kind_of(bytes.address) != AddressKind::Global) {
        return history_.id_of(memory_.load(bytes.address, bytes.size)); // another time another object may be there
    }
    if (l.index >= initial_.size()) {
        initial_.resize(l.index + 1);
    }
    if (!initial_[l.index]) {
        initial_[l.index] = history_.id_of(memory_.load(bytes.address, bytes.size));
    }
    return *initial_[l.index];
}

HistoryOp ValueExplorer::read_op(const Position& at, ValueId v) {
    Step& s = *at.step;
    HistoryOp op{.kind = s.action.kind == ActionKind::Load ? OpKind::Read : OpKind::Update,
                 .part = static_cast<std::uint8_t>(at.part),
                 .location = location_of(s, at.part),
                 .read = v,
                 .step = &s};
    if (op.kind == OpKind::Update) {
        const Edge& edge = steps_.reading(s, history_.value(v));
        op.writes = edge.writes;
        if (edge.writes) {
            op.written = history_.id_of(edge.written);
        }
    }
    return op;
}

Value ValueExplorer::whole_of(const Step& s, std::span<const HistoryOp> pieces) const {
    Value whole;
    for (const HistoryOp& op : pieces) {
        const Location& l = places_.location(op.location);
        put_part(whole, static_cast<unsigned>(l.address - s.action.address), l.size, history_.value(op.read));
    }
    return whole;
}

bool ValueExplorer::is_used_up(const HistoryOp& update, const Lengths& lengths) {
    if (!update.stores() || update.written == update.read) {
        return false;
    }
    const auto [replaced, stored] = history_.turnover(update.location, update.read, lengths);
    return replaced >= stored + (initial(update.location) == update.read ? 1 : 0);
}

bool ValueExplorer::ask(const Question& question) { return realizer_for(question).ask(question); }

void ValueExplorer::know_run(const KnownRun::Saved& run) {
    change(ThreadId(0), Edit::Kind::Run);
    runs_before_.push_back(run_.replace(run));
}

void ValueExplorer::know_execution(const KnownExecution::Saved& execution) {
    change(ThreadId(0), Edit::Kind::Execution);
    executions_before_.push_back(execution_.replace(execution));
}

bool ValueExplorer::can_read(ThreadId t, ValueId v, const Baseline* baseline, bool stores) {
    constexpr std::size_t kManyAnswers = 1u << 20;
    HistoryOp op = read_op(t, v);
    const bool as_it_is = stores || !op.writes;
    op.writes = op.writes && stores;
    // The execution, or the run, as it was then is part of the present one, if that is the same.
    const bool is_execution_known =
        baseline ? baseline->is_execution_known && baseline->execution == execution_.version() : execution_.is_known();
    if (is_execution_known && execution_.place_for(t, op, baseline ? &baseline->lengths : nullptr)) {
        return true;
    }
    const bool is_run_known = baseline ? baseline->is_run_known && baseline->run == run_.version() : run_.is_known();
    if (is_run_known && run_.place_for(t, op, baseline ? &baseline->lengths : nullptr)) {
        return true;
    }
    const Fingerprint before = baseline ? baseline->fingerprint : history_.fingerprint();
    const Fingerprint key = before.with((std::uint64_t{t.index} << 33) | (std::uint64_t{v.index} << 1) | (stores ? 1u : 0u));
    if (const auto* known = answers_.find(key)) {
        return *known != 0;
    }
    const bool answer = seek_run(t, op, baseline, as_it_is);
    if (answers_.size() >= kManyAnswers) {
        answers_.clear();
    }
    answers_.insert(key, answer ? 1 : 0);
    return answer;
}

bool ValueExplorer::seek_run(ThreadId t, const HistoryOp& op, const Baseline* baseline, bool as_it_is) {
    Lengths& lengths = lengths_asked_;
    if (baseline) {
        lengths = baseline->lengths;
    } else {
        history_.lengths(lengths);
    }
    if (lengths.size() <= t.index) {
        lengths.resize(t.index + 1);
    }
    if (asked_.tuning.quick_answers && (is_used_up(op, lengths) || history_.is_past(t, op, initial(op.location), lengths))) {
        return false;
    }
    const std::uint32_t tried = baseline ? baseline->tried : 0;
    if (asks_certain_order() && certain_.is_overwritten(t, op, lengths)) {
        return false;
    }
    if (const auto known = decide(t, op, baseline, lengths, as_it_is)) {
        return *known;
    }
    // Where the history has a run of that machine it has mostly one with the read, too.
    const bool may_run = baseline ? baseline->is_run_known : run_.is_known();
    const bool is_borrowed =
        machine_realizer_ && (may_run || !machine_forced_ || !machine_forced_->is_impossible(t, op, lengths, tried));
    history_.push(t, op);
    Question question{.lengths = lengths};
    ++question.lengths[t.index];
    const bool is_run = is_borrowed && machine_realizer_->ask(question);
    const bool answer = is_run || ask(question);
    const Realizer& realizer = is_run ? *machine_realizer_ : *realizer_;
    history_.pop(t);
    if (answer && !baseline && realizer.is_machine()) {
        keep_run(t, op, realizer.run(), question.lengths, as_it_is);
    }
    return answer;
}

void ValueExplorer::keep_run(ThreadId t, const HistoryOp& op, std::span<const Moment> run, const Lengths& lengths,
                             bool as_it_is) {
    if (!asked_.tuning.keep_run) {
        return;
    }
    // A run without the read is a run, without a write it need not be. (If it is known, there is a place for the read in it.)
    const bool is_known_without = !op.stores() && !run_.is_known();
    if (!is_known_without && !as_it_is) {
        return;
    }
    history_.push(t, op);
    KnownRun::Saved saved = run_.saved(run, lengths, is_known_without ? std::optional(t) : std::nullopt);
    history_.pop(t);
    if (is_known_without) {
        know_run(saved);
    } else {
        found_runs_.push_back({t, op.read, std::make_shared<const KnownRun::Saved>(std::move(saved)), {}});
    }
}

std::optional<bool> ValueExplorer::decide(ThreadId t, const HistoryOp& op, const Baseline* baseline, const Lengths& lengths,
                                          bool as_it_is) {
    if (!forced_) {
        return std::nullopt;
    }
    KnownExecution::Saved execution;
    const bool is_kept = !baseline && execution_.is_kept();
    ForcedOrder::RunSought run{.thread = t, .next = op, .lengths = lengths, .known = run_, .run = moments_};
    const bool is_run_sought = asked_.tuning.forced_runs && realizer_->is_machine() && forced_->runs();
    const auto answer = forced_->ask(t, op, lengths, baseline ? baseline->tried : 0, is_kept ? &execution : nullptr,
                                     is_run_sought ? &run : nullptr);
    if (answer != ForcedOrder::Answer::Yes) {
        return answer == ForcedOrder::Answer::No ? std::optional(false) : std::nullopt;
    }
    if (is_run_sought && !baseline) {
        Lengths with = lengths;
        ++with[t.index];
        keep_run(t, op, moments_, with, as_it_is);
    }
    if (is_kept && !op.stores() && !execution_.is_known()) { // without the read it is an execution of the history
        KnownExecution::Saved without = execution;
        without[t.index].pop_back();
        know_execution(without);
    }
    if (is_kept && as_it_is) {
        found_runs_.push_back({t, op.read, {}, std::make_shared<const KnownExecution::Saved>(std::move(execution))});
    }
    return true;
}

std::vector<ValueId> ValueExplorer::values_for(ThreadId t, bool any, bool only_new) {
    const Position& at = threads_[t.index].at;
    Step& s = *at.step;
    const LocationId l = location_of(s, at.part);
    std::vector<ValueId> good;
    any_readable(t, l, [&](ValueId v) {
        if (s.may_wait && s.pieces == 1 && !steps_.reading(s, history_.value(v)).satisfies()) {
            return false;
        }
        if (only_new && !may_be_new(t, v)) {
            return false;
        }
        if (can_read(t, v, nullptr)) {
            good.push_back(v);
            return any;
        }
        if (foresees_) {
            note_prevented_store(t, v);
        }
        return false;
    });
    return good;
}

// Take an execution of the history at hand with the read, and take away what the history did not have at the time of a baseline. What is left is an execution of
// the history as it was, with the read, unless something that is left has read what was taken away: the read itself (or a read of its iteration that is only tried)
// if its value has been stored since, or a read of another thread if somebody has stored since what that had read already (`ousts`). So only with such stores
// need it be asked whether the value could be read before them.
std::uint32_t ValueExplorer::stores_it_may_need(ThreadId t, ValueId v, const Baseline& first) {
    const LocationId l = location_of(step_of(t), threads_[t.index].at.part);
    const auto ops = history_.thread(t);
    const auto tried = ops.subspan(t.index < first.lengths.size() ? first.lengths[t.index] : 0);
    auto k = static_cast<std::uint32_t>(stored_.size());
    for (; k > first.stores; --k) {
        const Stored& s = stored_[k - 1];
        const bool is_read = (s.location == l && s.value == v) || std::ranges::any_of(tried, [&](const HistoryOp& op) {
                                 return op.reads() && op.location == s.location && op.read == s.value;
                             });
        if (s.ousts || is_read) {
            break;
        }
    }
    return k;
}

bool ValueExplorer::is_new(ThreadId t, ValueId v, std::size_t baseline, bool tried) {
    const std::uint32_t enough = asked_.tuning.quick_news && baseline < baselines_.size()
                                     ? stores_it_may_need(t, v, baselines_[baseline])
                                     : static_cast<std::uint32_t>(stored_.size());
    for (std::size_t k = baseline; k < baselines_.size() && baselines_[k].stores < enough; ++k) {
        if (!tried) {
            if (!can_read(t, v, &baselines_[k])) {
                return true;
            }
            continue;
        }
        Baseline with{.lengths = baselines_[k].lengths, .fingerprint = {}, .run = 0, .is_run_known = false};
        with.lengths.resize(std::max<std::size_t>(with.lengths.size(), t.index + 1));
        const auto done = static_cast<std::uint32_t>(history_.thread(t).size());
        with.tried = done - std::exchange(with.lengths[t.index], done);
        with.fingerprint = history_.fingerprint(with.lengths);
        if (!can_read(t, v, &with)) {
            return true;
        }
    }
    return false;
}

ValueExplorer::Reading ValueExplorer::reading(ThreadId t, ValueId v) const {
    const auto found = std::ranges::find_if(found_runs_, [&](const Found& f) { return f.thread == t && f.value == v; });
    return found == found_runs_.end() ? Reading{v} : Reading{v, found->run, found->execution};
}

std::vector<ValueExplorer::Option> ValueExplorer::readings_for(ThreadId t, bool any) {
    if (begins_iteration(t)) {
        return iterations_for(t, false, any);
    }
    std::vector<Option> options;
    for (const ValueId v : values_for(t, any)) {
        options.push_back({.kind = Option::Kind::Reading, .reading = reading(t, v)});
    }
    return options;
}

bool ValueExplorer::may_be_new(ThreadId t, ValueId v) {
    const Baseline& first = baselines_[threads_[t.index].baseline];
    return !asked_.tuning.quick_news || stores_it_may_need(t, v, first) > first.stores;
}

bool ValueExplorer::may_have_news(ThreadId t) {
    if (!asked_.tuning.quick_news) {
        return true;
    }
    const auto since = std::span(stored_).subspan(baselines_[threads_[t.index].baseline].stores);
    if (std::ranges::any_of(since, &Stored::ousts)) {
        return true;
    }
    const auto is_stored_to = [&](LocationId l) { return std::ranges::find(since, l, &Stored::location) != since.end(); };
    if (begins_iteration(t)) {
        return std::ranges::any_of(reads_ahead(t), is_stored_to, &ReadsThere::location);
    }
    return is_stored_to(location_of(step_of(t), threads_[t.index].at.part));
}

std::vector<ValueExplorer::Option> ValueExplorer::new_readings_for(ThreadId t, bool any) {
    if (!may_have_news(t)) {
        return {};
    }
    if (begins_iteration(t)) {
        return iterations_for(t, true, any);
    }
    std::vector<Option> fresh;
    for (const ValueId v : values_for(t, false, true)) {
        if (is_new(t, v, threads_[t.index].baseline, false)) {
            fresh.push_back({.kind = Option::Kind::Reading, .reading = reading(t, v)});
            if (any) {
                break;
            }
        }
    }
    return fresh;
}

} // namespace heddle
