#include "cli/models_command.hpp"

#include "cli/cat_models.hpp"
#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "search/check.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cli {
namespace {

std::string_view summary_of(std::string_view name) {
    struct Summary {
        std::string_view name, text;
    };
    constexpr std::array<Summary, 6> kSummaries{{
        {"armv7", "ARMv7, as Herding Cats has it"},
        {"armv8", "ARMv8: other-multi-copy atomic, release and acquire"},
        {"imm", "the intermediate model between C11 and processors"},
        {"lkmm", "the Linux kernel, with RCU and locks"},
        {"power", "POWER, as Herding Cats has it"},
        {"riscv", "RISC-V's weak memory order"},
    }};
    const auto* const it = std::ranges::find(kSummaries, name, &Summary::name);
    return it == kSummaries.end() ? "a model of your installation" : it->text;
}

} // namespace

void add_models_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("models", "list the memory models");
    command->callback([&status] {
        const std::filesystem::path folder = resources() / "models";
        const std::vector<std::string> in_cat = cat_models_in(folder);
        const auto print = [](std::string_view name, std::string_view summary, std::string_view how) {
            std::fputs(fmt::format("{:<6} {:<64} {}\n", name, summary, how).c_str(), stdout);
        };
        // Programs are checked under native models, none of which needs dependencies; litmus tests under those written in cat.
        for (const ModelEntry& model : models()) {
            const bool both = std::ranges::find(in_cat, model.name) != in_cat.end();
            print(model.name, model.summary, both ? "native and cat, no dependency tracking" : "native, no dependency tracking");
        }
        for (const std::string& name : in_cat) {
            if (std::ranges::find(models(), name, &ModelEntry::name) == models().end()) {
                print(name, summary_of(name), "cat, dependency tracking");
            }
        }
        status = kExitSafe;
    });
}

} // namespace heddle::cli
