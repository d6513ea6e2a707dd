// The command line: the only place that exits.
#include "cli/check_command.hpp"
#include "cli/exit_code.hpp"
#include "cli/litmus_command.hpp"
#include "cli/models_command.hpp"
#include "cli/run_command.hpp"
#include "support/check.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle::cli;

/// What follows `--` belongs to clang.
std::vector<std::string> split_off_flags(std::vector<std::string>& arguments) {
    const auto dashes = std::ranges::find(arguments, "--");
    if (dashes == arguments.end()) {
        return {};
    }
    std::vector<std::string> flags(std::next(dashes), arguments.end());
    arguments.erase(dashes, arguments.end());
    return flags;
}

int execute(std::vector<std::string> arguments) {
    const std::vector<std::string> flags = split_off_flags(arguments);
    CLI::App app{"Heddle checks concurrent C programs under weak memory models.", "heddle"};
    app.set_version_flag("--version", "heddle " HEDDLE_VERSION);
    app.require_subcommand(1);
    app.failure_message(CLI::FailureMessage::simple);
    int status = 0;
    CheckCommand check(app, flags, status);
    LitmusCommand litmus(app, status);
    RunCommand run(app, flags, status);
    add_models_command(app, status);
    try {
        std::ranges::reverse(arguments); // CLI11's vector form wants them so
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? kExitSafe : kExitBadUsage;
    }
    return status;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return execute(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const heddle::InternalError& error) {
        std::fprintf(stderr,
                     "heddle: internal error: %s\n"
                     "This is a bug in Heddle, not in your program. Please report it with this message, the input file and the "
                     "command line.\n",
                     error.what());
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "heddle: out of memory\n");
        return kExitOutOfBudget;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "heddle: internal error: %s\n", error.what());
    }
    return kExitInternalError;
}
