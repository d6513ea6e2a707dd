#include "cli/run_command.hpp"

#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "cli/validators.hpp"
#include "machine/machine.hpp"
#include "report/trap_text.hpp"
#include "search/session.hpp"
#include "search/single/single_run.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>

namespace heddle::cli {
namespace {

void write_out(int fd, std::string_view text) {
    // Output of the two streams interleaves as the program wrote it.
    std::FILE* to = fd == 2 ? stderr : stdout;
    if (fd == 2) {
        std::fflush(stdout);
    }
    std::fwrite(text.data(), 1, text.size(), to);
}

int report(const Program& program, const RunEnd& end) {
    switch (end.kind) {
    case RunEnd::Kind::Exited:
        return end.status;
    case RunEnd::Kind::Violation:
        say(describe(program, *end.trap, end.thread));
        for (const RunEnd::Other& other : end.also) {
            say(describe(program, other.trap, other.thread));
        }
        return kExitViolation;
    case RunEnd::Kind::Unsupported:
        say(describe(program, *end.trap, end.thread));
        return kExitUnsupported;
    case RunEnd::Kind::OutOfBudget:
        say(end.trap ? describe(program, *end.trap, end.thread) : std::string("out-of-budget: the time limit has passed\n"));
        return kExitOutOfBudget;
    case RunEnd::Kind::Assumption:
        say(fmt::format("the run ends here: an assumption of the program failed at {}\n",
                        to_string(program, end.trap->stack.front())));
        return kExitSafe;
    }
    return kExitInternalError;
}

} // namespace

RunCommand::RunCommand(CLI::App& app, const std::vector<std::string>& flags, int& status) : flags_(flags) {
    CLI::App* run = app.add_subcommand("run", "run a program once, deterministically; its exit code is ours");
    run->footer(
        "Flags for clang follow a double dash: heddle run prog.c -- -O2 -DN=3\n\n"
        "Threads take turns at every step that others can see. What goes wrong (a bad pointer, an uninitialised value that\n"
        "decides something, a deadlock, a failed assertion, a leak, ...) is reported with its source line; exit code 1.");
    run->add_option("files", files_, "C sources (.c .i), LLVM assembly (.ll) or bitcode (.bc), linked together")->required();
    run->add_option("--seed", seed_, "another schedule: threads, choices and inputs at random from this number");
    run->add_option("--arg", arguments_, "an argument of the program (argv[1], argv[2], ... in order)")->allow_extra_args(false);
    run->add_option("--timeout", timeout_, "stop after so many seconds (exit code 4)")->check(positive());
    run->add_flag("--no-leaks", no_leaks_, "do not report memory that is lost at the end");
    run->add_flag("--spurious-wakeups", spurious_wakeups_, "condition variables may wake by themselves");
    run->add_flag("--dump-program", dump_program_, "print the program's code in Heddle's own form instead of running it");
    run->add_flag("-v,--verbose", verbose_, "say where the time went");
    // For tests of Heddle itself: the same run by other parts of the machine. Not shown by --help.
    run->add_flag("--track-dependencies", track_dependencies_, "keep the syntactic dependencies, as some models need them")
        ->group("");
    run->add_flag("--stepwise", stepwise_, "stop at every action, also while there is one thread only")->group("");
    run->callback([this, &status] { status = execute(); });
}

int RunCommand::execute() const {
    auto program = load_program(files_, flags_, arguments_, verbose_);
    if (!program) {
        return explain(program.error());
    }
    Session session(std::move(*program));
    if (dump_program_) {
        for (std::uint32_t k = 0; k < session.program.functions.size(); ++k) {
            std::fputs(disassemble(session.program, FunctionId(k)).c_str(), stdout);
        }
        return kExitSafe;
    }
    Machine machine(session.program, {.dependencies = track_dependencies_, .spurious_wakeups = spurious_wakeups_});
    SingleRun run(machine, session.names,
                  {.seed = seed_, .timeout = timeout_, .leaks = !no_leaks_, .stepwise = stepwise_, .output = write_out});
    const RunEnd end = run.run();
    std::fflush(stdout);
    return report(session.program, end);
}

} // namespace heddle::cli
