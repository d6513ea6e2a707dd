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
    constexpr std::array<Summary, 5> kSummaries{{
        {"armv7", "ARMv7: as POWER, with its fences"},
        {"imm", "the intermediate model between C11 and processors"},
        {"lkmm", "the Linux kernel, with RCU and locks"},
        {"rc11-c11", "rc11 with the release sequences of C11"},
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
            std::fputs(fmt::format("{:<9} {:<70} {}\n", name, summary, how).c_str(), stdout);
        };
        // Programs are checked under native models, litmus tests under those written in cat.
        for (const ModelEntry& model : models()) {
            const bool both = std::ranges::find(in_cat, model.name) != in_cat.end();
            print(
                model.name, model.summary,
                fmt::format("native{}, {}dependency tracking", both ? " and cat" : "", model.needs_dependencies() ? "" : "no "));
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
