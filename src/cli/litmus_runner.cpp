#include "cli/litmus_runner.hpp"

#include "model/cat/cat_execution_judge.hpp"
#include "search/enumerate/enumerate.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <set>
#include <vector>

namespace heddle::cli {
namespace {

using litmus::LitmusTest;
using litmus::Observable;
using litmus::Proposition;

/// What an observable holds, as numbers are compared and ordered: an address as it is, else the number of its type.
std::int64_t number_in(const Observable& o, std::uint64_t value) {
    if (kind_of(value) == AddressKind::Global) {
        return static_cast<std::int64_t>(value);
    }
    const unsigned shift = 64 - std::min<unsigned>(o.bits, o.size * 8u);
    return o.is_signed ? static_cast<std::int64_t>(value << shift) >> shift
                       : static_cast<std::int64_t>((value << shift) >> shift);
}

using State = std::vector<std::int64_t>; ///< by observable

bool holds(const LitmusTest& test, const Proposition& p, const State& state, std::uint32_t at) {
    using Kind = Proposition::Kind;
    const Proposition::Node& n = p.nodes[at];
    const auto equal = [&] { return state[n.left] == number_in(test.observables[n.left], n.value); };
    switch (n.kind) {
    case Kind::True:
        return true;
    case Kind::False:
        return false;
    case Kind::Equal:
        return equal();
    case Kind::NotEqual:
        return !equal();
    case Kind::EqualObservables:
        return state[n.left] == state[n.right];
    case Kind::And:
        return holds(test, p, state, n.left) && holds(test, p, state, n.right);
    case Kind::Or:
        return holds(test, p, state, n.left) || holds(test, p, state, n.right);
    case Kind::Implies:
        return !holds(test, p, state, n.left) || holds(test, p, state, n.right);
    case Kind::Not:
        return !holds(test, p, state, n.left);
    }
    return false;
}
bool holds(const LitmusTest& test, const Proposition& p, const State& state) {
    return p.nodes.empty() || holds(test, p, state, static_cast<std::uint32_t>(p.nodes.size() - 1));
}

LitmusQuestion question_of(litmus::Quantifier q) {
    return q == litmus::Quantifier::Exists      ? LitmusQuestion::Allowed
           : q == litmus::Quantifier::NotExists ? LitmusQuestion::Forbidden
                                                : LitmusQuestion::Required;
}

/// The answer, from how many executions end in each state.
void conclude(const LitmusTest& test, const std::map<State, std::uint64_t>& found, LitmusOutcome& outcome) {
    std::set<State> shown;
    for (const auto& [state, executions] : found) {
        if (test.filter && !holds(test, *test.filter, state)) {
            continue;
        }
        (holds(test, test.condition, state) ? outcome.satisfying : outcome.others) += executions;
        State part;
        for (const std::uint32_t k : test.shown) {
            part.push_back(state[k]);
        }
        shown.insert(std::move(part));
    }
    // In herd's order: numbers by size, addresses after them by name.
    using Shown = std::vector<std::pair<std::int64_t, std::string>>;
    std::set<Shown> ordered;
    for (const State& state : shown) {
        Shown values;
        for (std::size_t k = 0; k < state.size(); ++k) {
            const auto value = static_cast<std::uint64_t>(state[k]);
            const bool address = kind_of(value) == AddressKind::Global;
            values.emplace_back(address ? std::numeric_limits<std::int64_t>::max() : state[k],
                                show_value(test, test.observables[test.shown[k]], value));
        }
        ordered.insert(std::move(values));
    }
    for (const Shown& values : ordered) {
        std::string text;
        for (std::size_t k = 0; k < values.size(); ++k) {
            text += fmt::format("{}{}={};", k == 0 ? "" : " ", test.observables[test.shown[k]].name, values[k].second);
        }
        outcome.states.push_back(std::move(text));
    }
}

/// Every execution of the test, counted by the state that it ends in.
EnumerateResult explore(const LitmusTest& test, ExecutionJudge& judge, const std::function<bool()>& gives_up,
                        std::map<State, std::uint64_t>& found, std::set<std::string>& flags, std::string& trap) {
    EnumerateOptions options;
    options.paths.first_register = test.first_register;
    options.paths.gives_up = gives_up;
    for (const litmus::Thread& thread : test.threads) {
        options.paths.threads.push_back(thread.function);
    }
    for (const Observable& o : test.observables) {
        options.observed.push_back({.address = o.address, .size = o.size});
    }
    State state(test.observables.size());
    ThreadNames names;
    return enumerate(test.program, names, judge, options, [&](const EnumeratedExecution& e) {
        if (e.trap) {
            trap = fmt::format("{}: {}", to_string(test.program, e.trap->stack.front()), e.trap->message);
            return;
        }
        for (std::size_t k = 0; k < state.size(); ++k) {
            state[k] = number_in(test.observables[k], e.observed[k]);
        }
        ++found[state];
        for (std::string& flag : e.judge.flags()) {
            flags.insert(std::move(flag));
        }
    });
}

LitmusResult refused(const std::string& file, LitmusResult::Ending ending, std::string message) {
    return {.file = file, .ending = ending, .outcome = {}, .message = std::move(message)};
}
LitmusResult refused(const std::string& file, const Diagnostic& d) {
    return refused(file,
                   d.kind == Diagnostic::Kind::Unsupported ? LitmusResult::Ending::Unsupported : LitmusResult::Ending::Rejected,
                   d.message);
}

constexpr const char* kUndefined = "undef"; ///< what cat's undefined_unless raises

} // namespace

std::expected<ExecutionJudge*, Diagnostic> LitmusRunner::judge(Architecture architecture) {
    auto& known = judges_[architecture];
    if (!known) {
        const auto model = models_.find(options_.model.empty() ? default_model(architecture) : options_.model);
        if (!model) {
            return std::unexpected(model.error());
        }
        known = cat::judge_by(**model, architecture);
    }
    return known.get();
}

LitmusResult LitmusRunner::run(const std::string& file) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto seconds = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    const auto model = options_.model.empty() ? nullptr : models_.find(options_.model).value_or(nullptr);
    const bool kernel = model != nullptr && model->speaks_of(Architecture::Lkmm);
    const auto test = litmus::load(file, {.unroll = options_.unroll, .kernel = kernel});
    if (!test) {
        return refused(file, test.error());
    }
    if (test->architecture == Architecture::Lkmm && model != nullptr && !kernel && model->speaks_of(Architecture::C)) {
        return refused(file, LitmusResult::Ending::Unsupported,
                       fmt::format("{}: a test in the kernel's C under a model of C11's orders ({}) is not supported", file,
                                   options_.model));
    }
    const auto by = judge(test->architecture);
    if (!by) {
        return refused(file, by.error());
    }
    std::map<State, std::uint64_t> found;
    std::set<std::string> flags;
    std::string trap;
    const auto gives_up = [&] {
        return (options_.timeout > 0 && seconds() > options_.timeout) || (options_.interrupted && options_.interrupted());
    };
    const EnumerateResult result = explore(*test, **by, gives_up, found, flags, trap);
    if (result.unsupported) {
        return *result.unsupported == kStopped
                   ? refused(file, LitmusResult::Ending::OutOfBudget, fmt::format("{}: stopped after {:.1f} s", file, seconds()))
                   : refused(file, LitmusResult::Ending::Unsupported, fmt::format("{}: {}", file, *result.unsupported));
    }
    if (!trap.empty()) {
        return refused(file, LitmusResult::Ending::Unsupported, fmt::format("{}: {}", file, trap));
    }
    LitmusResult answer;
    answer.file = file;
    LitmusOutcome& outcome = answer.outcome;
    outcome.name = test->name;
    outcome.condition = test->condition_text;
    outcome.question = question_of(test->quantifier);
    outcome.loop_cut = result.cut && test->has_loops;
    conclude(*test, found, outcome);
    for (const std::string& flag : flags) {
        outcome.undefined = outcome.undefined || flag == kUndefined;
        outcome.flags.push_back(flag == kUndefined ? "*undef*" : flag); // as herd spells it
    }
    outcome.seconds = seconds();
    return answer;
}

} // namespace heddle::cli
