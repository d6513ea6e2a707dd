#include "report/summary.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {
namespace {

std::string counted(std::uint64_t n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

/// " at file:line:column", or nothing.
std::string at(const Program& program, PlaceId place) {
    return program.places[place.index].line == 0 ? "" : " at " + to_string(program, place);
}

std::string first_violation(const FinishedCheck& check) {
    const Trap& trap = check.result.violations.front().trap;
    return fmt::format("{}{}", word_of(trap.kind), at(check.program, trap.stack.front()));
}

std::string reason(const FinishedCheck& check) {
    const std::string place = at(check.program, check.result.place);
    // The search may have put the place into its words already.
    const bool said = !place.empty() && check.result.reason.find(place.substr(4)) != std::string::npos;
    return check.result.reason + (said ? "" : place);
}

std::string meaning(const FinishedCheck& check) {
    const CheckResult& r = check.result;
    switch (r.verdict) {
    case Verdict::Safe:
        return r.states != 0 ? "every state was explored, and none is wrong"
                             : "every execution was explored, and none goes wrong";
    case Verdict::SafeWithinBound:
        return r.assumptions.empty()
                   ? "no execution within the bounds goes wrong"
                   : fmt::format("no execution goes wrong under the {} below", counted(r.assumptions.size(), "assumption"));
    case Verdict::Violation:
        if (r.violations.empty()) {
            return "an execution goes wrong";
        }
        return r.violations.size() == 1
                   ? first_violation(check)
                   : fmt::format("{} different ones, the first: {}", r.violations.size(), first_violation(check));
    case Verdict::OutOfBudget:
    case Verdict::Unsupported:
        return reason(check);
    }
    return "";
}

std::string painted(Verdict verdict, const Paint& paint) {
    switch (verdict) {
    case Verdict::Safe:
        return paint.good(word_of(verdict));
    case Verdict::Violation:
        return paint.bad(word_of(verdict));
    default:
        return paint.doubtful(word_of(verdict));
    }
}

/// What a search that did not come to its end can say.
std::string covered(const CheckResult& r) {
    const std::string so_far = r.violations.empty() ? "no violation" : counted(r.violations.size(), "violation");
    return fmt::format("  covered so far: {}, {} found; what was not explored may still go wrong\n",
                       r.states != 0 ? counted(r.states, "state") : counted(r.complete + r.blocked, "execution"), so_far);
}

std::string executions_line(const FinishedCheck& check) {
    const CheckResult& r = check.result;
    return fmt::format("  {}: {} complete, {} blocked{}; {:.2f} s\n", r.complete + r.blocked == 1 ? "execution" : "executions",
                       r.complete, r.blocked, r.redundant == 0 ? "" : fmt::format(", {} redundant", r.redundant), check.seconds);
}

} // namespace

std::string verdict_line(const FinishedCheck& check, const Paint& paint) {
    if (check.result.states != 0) {
        return fmt::format("{}: {} (model {}, explicit states)\n", painted(check.result.verdict, paint), meaning(check),
                           check.options.model);
    }
    return fmt::format("{}: {} (model {}, equivalence {})\n", painted(check.result.verdict, paint), meaning(check),
                       check.options.model, word_of(check.options.equivalence));
}

std::string summary(const FinishedCheck& check, const Paint& paint, bool verbose) {
    const CheckResult& r = check.result;
    std::string text = verdict_line(check, paint);
    if (r.states != 0) {
        text += fmt::format("  {}, {}: {} final, {} blocked; {:.2f} s\n", counted(r.states, "state"), counted(r.steps, "step"),
                            r.complete, r.blocked, check.seconds);
    } else {
        text += executions_line(check);
    }
    if (verbose && r.states != 0) {
        text += fmt::format("  search {}: {:.0f} states a second, {:.1f} bytes a state; at most {:.1f} MB of memory\n",
                            check.search, static_cast<double>(r.states) / std::max(check.seconds, 1e-6),
                            static_cast<double>(r.state_bytes) / static_cast<double>(r.states),
                            static_cast<double>(check.peak_memory_kb) / 1024);
        verbose = false;
    }
    if (r.verdict == Verdict::OutOfBudget || r.verdict == Verdict::Unsupported) {
        text += covered(r);
    } else if (r.verdict == Verdict::Violation && !r.reason.empty()) { // --keep-going, and something ended the search
        text += fmt::format("  stopped: {}; there may be other violations\n", reason(check));
    }
    if (verbose) {
        text += fmt::format("  search {}: {} added, {}; at most {:.1f} MB of memory\n", check.search, counted(r.events, "event"),
                            counted(r.dead_ends, "dead end"), static_cast<double>(check.peak_memory_kb) / 1024);
    }
    if (!r.assumptions.empty()) {
        text += "Assumptions:\n";
    }
    for (const Assumption& a : r.assumptions) {
        text += fmt::format("  {}{}: {}\n", a.kind, at(check.program, a.place), a.detail);
    }
    return text;
}

} // namespace heddle
