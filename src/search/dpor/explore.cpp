// The whole search: restarts when something was learnt, workers, and one result out of theirs.
#include "search/dpor/explorer.hpp"

#include "search/conclude/conclude.hpp"
#include "search/dpor/endings.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace heddle {
namespace {

std::string key_of(const Violation& v) {
    std::vector<PlaceId> about;
    for (const std::size_t e : v.about) {
        about.push_back(v.witness.events[e].place);
    }
    return violation_key(v.trap, about);
}

void merge(CheckResult& into, CheckResult from) {
    into.complete += from.complete;
    into.blocked += from.blocked;
    into.redundant += from.redundant;
    into.dead_ends += from.dead_ends;
    into.events += from.events;
    for (Violation& v : from.violations) {
        if (std::ranges::none_of(into.violations, [&](const Violation& w) { return key_of(w) == key_of(v); })) {
            into.violations.push_back(std::move(v));
        }
    }
    for (Assumption& a : from.assumptions) {
        const auto same = [&](const Assumption& b) { return b.kind == a.kind && b.place == a.place; };
        if (std::ranges::none_of(into.assumptions, same)) {
            into.assumptions.push_back(std::move(a));
        }
    }
    if (into.verdict == Verdict::Safe && from.verdict != Verdict::Safe) {
        into.verdict = from.verdict;
        into.reason = std::move(from.reason);
        into.place = from.place;
    }
}

/// One attempt, by `options.jobs` workers. LessonLearnt and TornAtomic are thrown here, whoever met them.
CheckResult attempt(Session& session, const CheckOptions& options, const ModelEntry& model, Lessons& lessons,
                    const ExecutionObserver& observer) {
    const unsigned workers = options.jobs;
    std::vector<Lessons> others(workers, lessons);
    std::mutex mutex; // of what follows
    std::vector<CheckResult> results;
    std::exception_ptr failed;
    std::vector<std::jthread> threads; // joined before all of these go
    std::unique_ptr<Crew> crew;
    const auto work = [&](unsigned worker) {
        try {
            CheckResult r = Explorer(session, options, model, others[worker], observer, crew.get(), worker).run();
            const std::scoped_lock guard(mutex);
            results.push_back(std::move(r));
        } catch (...) {
            crew->stop();
            const std::scoped_lock guard(mutex);
            failed = failed ? failed : std::current_exception();
        }
    };
    if (workers > 1 || options.tuning.give_all) {
        crew = std::make_unique<Crew>(workers, [&] {
            for (unsigned w = 1; w < workers; ++w) {
                threads.emplace_back(work, w);
            }
        });
    }
    CheckResult result;
    try {
        result = Explorer(session, options, model, lessons, observer, crew.get()).run();
    } catch (...) {
        if (crew) {
            crew->stop();
        }
        threads.clear();
        throw;
    }
    threads.clear();
    if (failed) {
        for (const Lessons& learnt : others) {
            for (const auto& [object, cuts] : learnt.cuts) {
                lessons.cuts[object].insert(cuts.begin(), cuts.end());
            }
            lessons.tracked.insert(learnt.tracked.begin(), learnt.tracked.end());
            lessons.waiting.insert(learnt.waiting.begin(), learnt.waiting.end());
            lessons.whole.insert(learnt.whole.begin(), learnt.whole.end());
            lessons.awaiting.insert(learnt.awaiting.begin(), learnt.awaiting.end());
            lessons.scattered.insert(learnt.scattered.begin(), learnt.scattered.end());
        }
        // What one has found to wait the others still take for the other kind: they would learn it again and again.
        for (std::set<LoopKey>* const loops : {&lessons.whole, &lessons.awaiting}) {
            std::erase_if(*loops, [&](const LoopKey& loop) { return lessons.waiting.contains(loop); });
        }
        std::rethrow_exception(failed);
    }
    for (CheckResult& r : results) {
        merge(result, std::move(r));
    }
    return result;
}

} // namespace

CheckResult explore(Session& session, const CheckOptions& options, const ExecutionObserver& observer, Lessons* known) {
    Lessons own;
    Lessons& lessons = known ? *known : own;
    const ModelEntry* model = find_model(options.model);
    HEDDLE_CHECK(model, "no such model");
    if (model->needs_dependencies() && (options.equivalence == Equivalence::Rf || options.races)) {
        CheckResult result;
        result.verdict = Verdict::Unsupported;
        result.reason = fmt::format("{} under {}", options.races ? "--races" : "--equivalence rf", options.model);
        return result;
    }
    HEDDLE_CHECK(options.max_executions == 0 || options.jobs == 1, "a budget of executions is for one worker");
    return attempt_until_learnt(session.program, observer,
                                [&](const Observer& record) { return attempt(session, options, *model, lessons, record); });
}

} // namespace heddle
