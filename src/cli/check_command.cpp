#include "cli/check_command.hpp"

#include "cli/cat_models.hpp"
#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/validators.hpp"
#include "model/cat/cat_execution_judge.hpp"
#include "model/registry.hpp"
#include "program/compile_atomics.hpp"
#include "report/json.hpp"
#include "report/progress_line.hpp"
#include "report/story.hpp"
#include "report/summary.hpp"
#include "search/check.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <sys/ioctl.h>
#include <thread>
#include <unistd.h>

namespace heddle::cli {
namespace {

/// Native ones, then those that are only written in cat.
std::vector<std::string> model_names() {
    std::vector<std::string> names;
    for (const ModelEntry& model : models()) {
        names.emplace_back(model.name);
    }
    for (std::string& name : cat_models_in(resources() / "models")) {
        if (!find_model(name)) {
            names.push_back(std::move(name));
        }
    }
    return names;
}

constexpr std::array kOthers{Architecture::Lkmm, Architecture::X86,     Architecture::Power,
                             Architecture::Arm,  Architecture::AArch64, Architecture::RiscV};

/// What --without leaves away.
struct Saving {
    const char* word;
    bool Tuning::* tuning;
    bool stateful; ///< of the search over states; else of that by values
};
constexpr std::array kSavings{Saving{"delayed-flushing", &Tuning::delayed_flushing, true},
                              Saving{"local-steps", &Tuning::collapse_local, true},
                              Saving{"private-objects", &Tuning::private_objects, true},
                              Saving{"partial-order", &Tuning::partial_order, true},
                              Saving{"quick-answers", &Tuning::quick_answers, false},
                              Saving{"quick-news", &Tuning::quick_news, false},
                              Saving{"quick-races", &Tuning::quick_races, false},
                              Saving{"certain-races", &Tuning::certain_races, false},
                              Saving{"harmless-failures", &Tuning::harmless_failures, false},
                              Saving{"quick-failures", &Tuning::quick_failures, false},
                              Saving{"known-run", &Tuning::keep_run, false},
                              Saving{"known-execution", &Tuning::keep_execution, false},
                              Saving{"borrowed-runs", &Tuning::borrow_runs, false},
                              Saving{"certain-order", &Tuning::certain_order, false},
                              Saving{"forced-order", &Tuning::forced_order, false},
                              Saving{"forced-cases", &Tuning::forced_cases, false},
                              Saving{"as-if-sc", &Tuning::as_if_sc, false},
                              Saving{"forced-runs", &Tuning::forced_runs, false},
                              Saving{"race-cases", &Tuning::race_cases, false},
                              Saving{"forced-levels", &Tuning::keep_forced, false},
                              Saving{"outlook-memory", &Tuning::remember_outlook, false},
                              Saving{"quick-runs", &Tuning::quick_runs, false},
                              Saving{"foresight", &Tuning::foresight, false},
                              Saving{"iterations", &Tuning::whole_iterations, false},
                              Saving{"places", &Tuning::know_by_place, false},
                              Saving{"looking-around", &Tuning::look_around, false},
                              Saving{"certain-first", &Tuning::certain_first, false}};

std::vector<std::string> words_of_savings() {
    std::vector<std::string> words;
    for (const Saving& s : kSavings) {
        words.emplace_back(s.word);
    }
    return words;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The kernel's high-water mark of this program. (getrusage's includes what whoever started it had before the exec.)
std::uint64_t peak_memory_kb() {
    std::ifstream status("/proc/self/status");
    std::string word;
    std::uint64_t kilobytes = 0;
    while (status >> word) {
        if (word == "VmHWM:") {
            status >> kilobytes;
            break;
        }
    }
    return kilobytes;
}

std::size_t terminal_width() {
    struct winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : StoryOptions{}.width;
}

ColorChoice color_choice(const std::string& word) {
    return word == "always" ? ColorChoice::Always : word == "never" ? ColorChoice::Never : ColorChoice::Auto;
}

struct CloseFile {
    void operator()(std::FILE* file) const {
        if (file != stdout) {
            std::fclose(file);
        }
    }
};

} // namespace

CheckCommand::CheckCommand(CLI::App& app, const std::vector<std::string>& flags, int& status) : flags_(flags) {
    CLI::App* command = app.add_subcommand("check", "explore every execution of a program under a memory model");
    command->footer("Flags for clang follow a double dash: heddle check prog.c -- -O2 -DN=3\n\n"
                    "Exit codes: 0 Safe, 1 Violation, 3 SafeWithinBound, 4 OutOfBudget, 5 Unsupported; 2 bad usage or input.");
    command->add_option("files", files_, "C sources (.c .i), LLVM assembly (.ll) or bitcode (.bc), linked together")->required();
    add_what(*command);
    add_budgets(*command);
    add_reports(*command);
    command->callback([this, &status] { status = execute(); });
}

void CheckCommand::add_what(CLI::App& command) {
    command.add_option("--model", options_.model, "the memory model; `heddle models` lists them")
        ->capture_default_str()
        ->check(CLI::Validator(
            [](std::string& given) {
                return find_model(given) || given.ends_with(".cat") ? std::string() : one_of("model", model_names())(given);
            },
            ""));
    command.add_option("--equivalence", equivalence_, "which executions count as one: trace, rf or value")
        ->capture_default_str()
        ->check(one_of("equivalence", {"trace", "rf", "value"}));
    command
        .add_option("--search", search_,
                    "dpor, stateful (explicit states, for programs that do not end; models sc, tso, pso), or reference (brute "
                    "force, for small programs)")
        ->capture_default_str()
        ->check(one_of("search", {"dpor", "stateful", "reference"}));
    command
        .add_option("--property", property_,
                    "unreach-call: SV-COMP's, instead of what is always checked; with --search stateful also termination, "
                    "besides what is always checked")
        ->check(one_of("property", {"termination", "unreach-call"}));
    command.add_option("--buffer", options_.buffer, "with --search stateful: a store buffer holds at most so many stores")
        ->check(positive());
    command.add_flag("--hash-compaction", options_.hash_compaction,
                     "with --search stateful: keep hashes instead of states; the verdict then says so");
    command
        .add_option(
            "--without", without_,
            "to see what it saves; the verdict is the same. With --search stateful: delayed-flushing, local-steps, "
            "private-objects, partial-order. With --equivalence value: quick-answers, known-run, borrowed-runs, certain-order, "
            "race-cases, forced-order, forced-levels, outlook-memory, quick-runs, foresight, iterations, places, certain-first")
        ->allow_extra_args(false)
        ->check(one_of("optimisation", words_of_savings()));
    command.add_option("--arg", arguments_, "an argument of the program (argv[1], argv[2], ... in order)")
        ->allow_extra_args(false);
    command.add_flag("--races", options_.races, "report data races also under models where they are not errors");
    command.add_flag("--keep-going", options_.keep_going, "do not stop at the first violation: collect the distinct ones");
    command.add_flag("--no-leaks", no_leaks_, "do not report memory that is lost at the end");
    command.add_flag("--spurious-wakeups", options_.spurious_wakeups, "condition variables may wake by themselves");
    command.add_flag("--no-symmetry", no_symmetry_, "accepted, without effect: interchangeable threads are told apart anyway");
    command.add_option("-j,--jobs", jobs_, "workers (default: one a core); a check that takes long is shared out among them")
        ->check(workers());
}

void CheckCommand::add_budgets(CLI::App& command) {
    command.add_option("--unroll", options_.unroll, "cut every loop after so many iterations; the verdict then says so")
        ->check(positive());
    command.add_option("--timeout", options_.timeout, "stop after so many seconds (exit code 4)")->check(positive());
    command.add_option("--max-memory", options_.max_memory_mb, "stop when so many megabytes are in use (exit code 4)")
        ->check(positive());
    command.add_option("--max-executions", options_.max_executions, "stop after so many executions (exit code 4)")
        ->check(positive());
}

void CheckCommand::add_reports(CLI::App& command) {
    command.add_option("--json", json_, "write the result to this file; - is stdout, and then nothing else goes there");
    command.add_option("--progress", progress_, "a live line on stderr: auto (on a terminal), always or never")
        ->capture_default_str()
        ->check(one_of("choice", {"auto", "always", "never"}));
    command.add_option("--color", color_, "auto (on a terminal, unless NO_COLOR is set), always or never")
        ->capture_default_str()
        ->check(one_of("choice", {"auto", "always", "never"}));
    CLI::Option* quiet = command.add_flag("-q,--quiet", quiet_, "the verdict line only");
    command.add_flag("-v,--verbose", verbose_, "whole stories, and where time and memory went")->excludes(quiet);
}

bool CheckCommand::beyond_brute_force() const {
    return options_.races || options_.spurious_wakeups || options_.unroll != 0 || options_.max_memory_mb != 0 ||
           equivalence_ != "trace" || !property_.empty();
}

bool CheckCommand::is_possible() const {
    if (search_ == "reference" && beyond_brute_force()) {
        // Ignoring them would give a verdict on something else than what was asked.
        say("--search reference knows no --races, --spurious-wakeups, --unroll, --max-memory, --equivalence and --property\n");
        return false;
    }
    const bool stateful = search_ == "stateful";
    if (stateful && !has_states(options_.model)) {
        say(fmt::format("--search stateful knows the models sc, tso and pso, not {}\n", options_.model));
        return false;
    }
    if (stateful && (equivalence_ != "trace" || options_.max_executions != 0)) {
        say("--search stateful knows no --equivalence and --max-executions\n");
        return false;
    }
    if (options_.hash_compaction && property_ == "termination") {
        say("--property termination needs the states themselves: it goes without --hash-compaction\n");
        return false;
    }
    if (!stateful && (options_.buffer != 0 || options_.hash_compaction || property_ == "termination")) {
        say("--buffer, --hash-compaction and --property termination are for --search stateful\n");
        return false;
    }
    for (const Saving& s : kSavings) {
        const bool is_there = s.stateful ? stateful : equivalence_ == "value";
        if (!is_there && std::ranges::find(without_, s.word) != without_.end()) {
            say(fmt::format("--without {} is for {}\n", s.word, s.stateful ? "--search stateful" : "--equivalence value"));
            return false;
        }
    }
    return true;
}

CheckOptions CheckCommand::options() const {
    CheckOptions options = options_;
    const bool unreach_call = property_ == "unreach-call";
    options.leaks = !no_leaks_ && !unreach_call;
    options.stuck = !unreach_call;
    options.jobs = jobs_ != 0 ? jobs_ : std::max(1u, std::thread::hardware_concurrency());
    if (search_ == "reference" || options.max_executions != 0) {
        options.jobs = 1; // exactly so many executions, and always the same ones
    }
    options.termination = property_ == "termination";
    for (const Saving& s : kSavings) {
        options.tuning.*s.tuning = std::ranges::find(without_, s.word) == without_.end();
    }
    options.equivalence = equivalence_ == "rf"      ? Equivalence::Rf
                          : equivalence_ == "value" ? Equivalence::Value
                                                    : Equivalence::Trace;
    if (options.equivalence == Equivalence::Value) {
        options.jobs = 1; // what has been found is remembered, and not shared
    }
    return options;
}

int CheckCommand::execute() const {
    if (!is_possible()) {
        return kExitBadUsage;
    }
    // Opened before the work is done: a folder that does not exist should not cost an hour.
    const std::unique_ptr<std::FILE, CloseFile> json(json_.empty()  ? nullptr
                                                     : json_ == "-" ? stdout
                                                                    : std::fopen(json_.c_str(), "w"));
    if (!json_.empty() && !json) {
        say(fmt::format("{} cannot be written: {}\n", json_, std::strerror(errno)));
        return kExitBadUsage;
    }
    auto program = load_program(files_, flags_, arguments_, verbose_, property_ == "unreach-call");
    if (!program) {
        return refuse(program.error(), json.get());
    }
    const CheckOptions asked = options();
    if (!find_model(asked.model)) {
        return execute_cat(std::move(*program), asked, json.get());
    }
    const bool dependencies = find_model(asked.model)->needs_dependencies();
    if (const auto missing = is_litmus(files_) ? beyond_check(*program, dependencies) : std::nullopt) {
        return refuse(*missing, json.get());
    }
    if (dependencies && !is_litmus(files_)) {
        program->assumptions.push_back(compiled_at(flags_));
    }
    compile_atomics(*program, find_model(asked.model)->axioms().architecture);
    return explore(std::move(*program), asked, search_, json.get(), [&](Session& session, const CheckOptions& options) {
        return search_ == "reference"  ? check_by_reference(session, options)
               : search_ == "stateful" ? check_by_states(session, options)
                                       : check(session, options);
    });
}

int CheckCommand::execute_cat(Program program, CheckOptions asked, std::FILE* json) const {
    CatModels models(resources() / "models");
    const auto model = models.find(asked.model);
    if (!model) {
        return refuse(model.error(), json);
    }
    if (is_litmus(files_)) {
        say("a model written in cat takes C programs here; litmus tests are for `heddle litmus`\n");
        return kExitBadUsage;
    }
    if (beyond_brute_force() || asked.max_executions != 0) {
        say("a model written in cat knows no --races, --spurious-wakeups, --unroll, --max-memory, --max-executions, "
            "--equivalence and --property\n");
        return kExitBadUsage;
    }
    const auto speaks_of = [&](Architecture a) { return (*model)->speaks_of(a); };
    if (!speaks_of(Architecture::C) && std::ranges::any_of(kOthers, speaks_of)) {
        return refuse({.kind = Diagnostic::Kind::Unsupported,
                       .message = fmt::format("{} says nothing of C's orders: it is for litmus tests", asked.model)},
                      json);
    }
    const std::string why =
        (*model)->is_monotone()
            ? "its axioms are monotone, but its prefix is not known: complete executions only are judged, all of them"
            : fmt::format("its axioms are not monotone ({}): complete executions only are judged, all of them",
                          (*model)->why_not_monotone());
    const auto judge = cat::judge_by(**model, Architecture::C);
    program.assumptions.push_back(compiled_at(flags_));
    asked.jobs = 1;
    return explore(std::move(program), std::move(asked), "enumeration", json, [&](Session& session, const CheckOptions& options) {
        return check_by_enumeration(session, *judge, options, why);
    });
}

int CheckCommand::explore(Program program, CheckOptions options, const std::string& name, std::FILE* json,
                          const Search& search) const {
    Session session(std::move(program));
    const auto start = std::chrono::steady_clock::now();
    const Interrupt interrupt;
    const bool terminal = isatty(STDERR_FILENO) == 1;
    const bool shows = progress_ == "always" || (progress_ == "auto" && terminal && !quiet_);
    ProgressLine line(stderr, terminal, [start] { return seconds_since(start); });
    options.progress = [&](const Progress& progress) {
        if (shows) {
            line.show(progress);
        }
        return Interrupt::requested();
    };
    CheckResult result = search(session, options);
    if (Interrupt::requested() && result.verdict == Verdict::OutOfBudget) {
        result.reason = "interrupted";
    }
    line.erase();
    return report({.program = session.program,
                   .result = result,
                   .options = options,
                   .files = files_,
                   .search = name,
                   .version = HEDDLE_VERSION,
                   .seconds = seconds_since(start),
                   .peak_memory_kb = peak_memory_kb(),
                   .jobs = options.jobs},
                  json);
}

int CheckCommand::refuse(const Diagnostic& diagnostic, std::FILE* json) const {
    if (diagnostic.kind != Diagnostic::Kind::Unsupported) {
        return explain(diagnostic);
    }
    const Program nothing;
    const CheckOptions asked = options();
    CheckResult result;
    result.verdict = Verdict::Unsupported;
    result.reason = diagnostic.message;
    return report({.program = nothing,
                   .result = result,
                   .options = asked,
                   .files = files_,
                   .search = search_,
                   .version = HEDDLE_VERSION,
                   .peak_memory_kb = peak_memory_kb()},
                  json);
}

int CheckCommand::report(const FinishedCheck& check, std::FILE* json) const {
    if (json != stdout) {
        print(check);
    }
    if (json) {
        const std::string text = to_json(check);
        const bool written = std::fwrite(text.data(), 1, text.size(), json) == text.size() && std::fflush(json) == 0;
        if (!written) {
            say(fmt::format("{} could not be written: {}\n", json_, std::strerror(errno)));
            return kExitBadUsage;
        }
    }
    return exit_code_of(check.result.verdict);
}

void CheckCommand::print(const FinishedCheck& check) const {
    const Paint paint(use_color(color_choice(color_), STDOUT_FILENO));
    std::string text;
    if (quiet_) {
        text = verdict_line(check, paint);
    } else {
        const StoryOptions options{
            .width = terminal_width(), .max_lines = verbose_ ? 0 : StoryOptions{}.max_lines, .paint = paint};
        for (const Violation& violation : check.result.violations) {
            text += story(check.program, violation, options) + "\n";
        }
        text += summary(check, paint, verbose_);
    }
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

} // namespace heddle::cli
