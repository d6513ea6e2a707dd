#include "cli/models_command.hpp"

#include "cli/cat_models.hpp"
#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "search/check.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>

namespace heddle::cli {

void add_models_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("models", "list the memory models");
    command->callback([&status] {
        // The native ones first: programs are checked under them, and none of them needs dependencies.
        for (const ModelEntry& model : models()) {
            std::fputs(fmt::format("{:<6} {:<64} native, no dependency tracking\n", model.name, model.summary).c_str(), stdout);
        }
        CatModels cat(resources() / "models");
        for (const std::string& name : cat_models_in(resources() / "models")) {
            const auto model = cat.find(name);
            const std::string summary = model ? (*model)->name() : "cannot be read: " + model.error().message;
            std::fputs(fmt::format("{:<6} {:<64} cat, for litmus tests\n", name, summary).c_str(), stdout);
        }
        status = kExitSafe;
    });
}

} // namespace heddle::cli
