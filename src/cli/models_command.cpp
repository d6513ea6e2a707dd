#include "cli/models_command.hpp"

#include "cli/exit_code.hpp"
#include "search/check.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>

namespace heddle::cli {

void add_models_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("models", "list the memory models");
    command->callback([&status] {
        for (const ModelSummary& model : models()) {
            // All models there are today are built in, and none of them needs dependencies.
            std::fputs(fmt::format("{:<6} {:<64} native, no dependency tracking\n", model.name, model.summary).c_str(), stdout);
        }
        status = kExitSafe;
    });
}

} // namespace heddle::cli
