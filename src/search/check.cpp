#include "search/check.hpp"

#include "model/axioms.hpp"
#include "search/dpor/explorer.hpp"
#include "search/reference/reference_search.hpp"
#include "support/check.hpp"

#include <chrono>

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

CheckResult check_by_reference(Session& session, const CheckOptions& options) {
    const Axioms* axioms = find_axioms(options.model);
    HEDDLE_CHECK(axioms, "no such model");
    const auto started = std::chrono::steady_clock::now();
    const auto gives_up = [&] {
        const bool late = options.timeout > 0 &&
                          std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() > options.timeout;
        return late || (options.progress && options.progress({}));
    };
    const ReferenceResult found =
        reference_search(session, *axioms, 2'000'000, [](const Execution& x) { return canonical(x); }, gives_up);
    CheckResult result;
    result.complete = found.complete.size();
    result.blocked = found.blocked.size();
    result.assumptions = session.program.assumptions;
    result.assumptions.push_back(
        {.kind = "not-judged",
         .place = {},
         .detail = "the reference search finds failed assertions and bad accesses of single threads; it does not judge "
                   "data races, use after free, deadlock, liveness and leaks"});
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

CheckResult check(Session& session, const CheckOptions& options) { return explore(session, options); }

} // namespace heddle
