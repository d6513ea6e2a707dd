#include "search/check.hpp"

#include "model/axioms.hpp"
#include "model/execution_judge.hpp"
#include "search/dpor/explorer.hpp"
#include "search/enumerate/enumerate.hpp"
#include "search/reference/reference_search.hpp"
#include "search/stateful/stateful_search.hpp"
#include "search/value/value_explorer.hpp"
#include "support/check.hpp"

#include <chrono>
#include <fmt/format.h>

namespace heddle {

std::string_view word_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::Safe:
        return "Safe";
    case Verdict::Violation:
        return "Violation";
    case Verdict::SafeWithinBound:
        return "SafeWithinBound";
    case Verdict::OutOfBudget:
        return "OutOfBudget";
    case Verdict::Unsupported:
        return "Unsupported";
    }
    return "?";
}

std::span<const ModelEntry> models() { return all_models(); }

namespace {

std::function<bool()> patience(const CheckOptions& options) {
    return [&options, started = std::chrono::steady_clock::now()] {
        const bool late = options.timeout > 0 &&
                          std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() > options.timeout;
        return late || (options.progress && options.progress({}));
    };
}

/// As reference_search, for models in which an execution cannot be grown in program order. Executions in which somebody waits for good are
/// not found. What the model flags (a data race, undefined behaviour) is a violation.
ReferenceResult enumerate_all(Session& session, ExecutionJudge& judge, const PathOptions& paths) {
    ReferenceResult result;
    const EnumerateOptions options{.paths = paths, .observed = {}};
    const EnumerateResult found = enumerate(session.program, session.names, judge, options, [&](const EnumeratedExecution& e) {
        if (!e.trap) {
            result.complete.insert(canonical(e.execution));
        } else if (result.traps.insert(to_string(session.program, e.trap->stack.front())).second) {
            result.violations.push_back({.trap = *e.trap});
        }
        for (const std::string& flag : e.judge.flags()) {
            if (result.traps.insert(flag).second) {
                result.violations.push_back({.trap = {.kind = TrapKind::DataRace,
                                                      .message = "the model flags an execution: " + flag,
                                                      .stack = {PlaceId{}},
                                                      .object = {}}});
            }
        }
    });
    if (found.unsupported) {
        result.unsupported = *found.unsupported == kStopped ? std::string(kGaveUp) : *found.unsupported;
    }
    return result;
}

/// The verdict on what brute force has found; `not_judged`: what it does not look at.
CheckResult told(const ReferenceResult& found, const Program& program, std::initializer_list<std::string> not_judged) {
    CheckResult result;
    result.complete = found.complete.size();
    result.blocked = found.blocked.size();
    result.assumptions = program.assumptions;
    for (const std::string& what : not_judged) {
        result.assumptions.push_back({.kind = "not-judged", .place = {}, .detail = what});
    }
    const Violation* stopped = nullptr; // by what is not modelled, or not affordable: traps like any other, but nobody's fault
    for (const Violation& v : found.violations) {
        if (v.trap.kind == TrapKind::Unsupported || v.trap.kind == TrapKind::OutOfBudget) {
            stopped = &v;
        } else {
            result.violations.push_back(v);
        }
    }
    if (found.unsupported) {
        const bool budget = *found.unsupported == kGaveUp || found.unsupported->starts_with("more than");
        result.verdict = budget ? Verdict::OutOfBudget : Verdict::Unsupported;
        result.reason = *found.unsupported;
    } else if (stopped && result.violations.empty()) {
        result.verdict = stopped->trap.kind == TrapKind::Unsupported ? Verdict::Unsupported : Verdict::OutOfBudget;
        result.reason = stopped->trap.message;
        result.place = stopped->trap.stack.front();
    } else if (!result.violations.empty()) {
        result.verdict = Verdict::Violation;
    } else if (!result.assumptions.empty()) {
        result.verdict = Verdict::SafeWithinBound;
    }
    return result;
}

constexpr const char* kNotJudged = "the reference search does not judge data races, deadlock and liveness";
constexpr const char* kOnlySingleThreads =
    "the enumeration finds failed assertions and bad accesses of single threads; it does not judge "
    "data races, use after free, deadlock, liveness and leaks";
constexpr const char* kNoBlocked = "executions in which a thread is blocked are not enumerated";

} // namespace

CheckResult check_by_reference(Session& session, const CheckOptions& options) {
    const Axioms* axioms = find_axioms(options.model);
    HEDDLE_CHECK(axioms, "no such model");
    if (axioms->is_processor()) {
        const auto judge = judge_by(*axioms);
        const PathOptions paths{.depends_on_updates = axioms->depends_on_updates(), .gives_up = patience(options)};
        return told(enumerate_all(session, *judge, paths), session.program, {kOnlySingleThreads, kNoBlocked});
    }
    ReferenceResult found = reference_search(
        session, *axioms, 2'000'000, [](const Execution& x, std::span<const Value>) { return canonical(x); }, patience(options));
    std::erase_if(found.violations, [&](const Violation& v) { return v.trap.kind == TrapKind::Leak && !options.leaks; });
    return told(found, session.program, {kNotJudged});
}

CheckResult check_by_enumeration(Session& session, ExecutionJudge& judge, const CheckOptions& options,
                                 const std::string& complete_only) {
    return told(enumerate_all(session, judge, {.gives_up = patience(options)}), session.program,
                {complete_only, kOnlySingleThreads, kNoBlocked});
}

CheckResult check_by_states(Session& session, const CheckOptions& options) { return explore_states(session, options); }

CheckResult check(Session& session, const CheckOptions& options) {
    if (options.equivalence != Equivalence::Value) {
        return explore(session, options);
    }
    const ModelEntry* model = find_model(options.model);
    HEDDLE_CHECK(model, "no such model");
    if (model->needs_dependencies()) {
        CheckResult result;
        result.verdict = Verdict::Unsupported;
        result.reason = fmt::format("--equivalence value under {}", options.model);
        return result;
    }
    return explore_by_value(session, options);
}

} // namespace heddle
