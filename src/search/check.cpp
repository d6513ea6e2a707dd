#include "search/check.hpp"

#include "model/axioms.hpp"
#include "search/reference/reference_search.hpp"
#include "support/check.hpp"

#include <array>

namespace heddle {
namespace {

constexpr std::array kModels{
    ModelSummary{"sc", "sequential consistency"},
    ModelSummary{"tso", "x86-TSO: a store buffer per thread"},
    ModelSummary{"pso", "SPARC PSO: a store buffer per thread and location"},
    ModelSummary{"ra", "release/acquire: all accesses synchronise, no global order"},
    ModelSummary{"rc11", "repaired C11, C++20 release sequences; a data race is an error"},
};

} // namespace

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

std::span<const ModelSummary> models() { return kModels; }

CheckResult check_by_reference(Session& session, const CheckOptions& options) {
    const Axioms* axioms = find_axioms(options.model);
    HEDDLE_CHECK(axioms, "no such model");
    const ReferenceResult found = reference_search(session, *axioms);
    CheckResult result;
    result.complete = found.complete.size();
    result.blocked = found.blocked.size();
    result.assumptions = session.program.assumptions;
    const Violation* stopped = nullptr; // by what is not modelled, or not affordable: traps like any other, but nobody's fault
    for (const Violation& v : found.violations) {
        if (v.trap.kind == TrapKind::Unsupported || v.trap.kind == TrapKind::OutOfBudget) {
            stopped = &v;
        } else {
            result.violations.push_back(v);
        }
    }
    if (found.unsupported) {
        result.verdict = Verdict::Unsupported;
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

CheckResult check(Session& session, const CheckOptions& options) { return check_by_reference(session, options); }

} // namespace heddle
