// There is no global mutable state: several sessions run in one process at the same time, and each run is the same as alone.
#include "frontend/clang/frontend.hpp"
#include "paths.hpp"
#include "search/session.hpp"
#include "search/single/single_run.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <unistd.h>

namespace heddle {
namespace {

std::filesystem::path resources() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "heddle";
}

/// What `heddle run --seed` prints for examples/hello_threads.c, or why not.
std::string run_once(std::uint64_t seed) {
    auto program = clang_frontend::load(
        {.files = {test::source_dir() + "/examples/hello_threads.c"}, .flags = {}, .arguments = {}, .resources = resources()});
    if (!program) {
        return program.error().message;
    }
    Session session(std::move(*program));
    Machine machine(session.program);
    std::string printed;
    SingleRun run(
        machine, session.names,
        {.seed = seed, .timeout = std::nullopt, .leaks = true, .stepwise = false, .output = [&](int, std::string_view text) {
             printed += text;
         }});
    const RunEnd end = run.run();
    return printed + "exit " + std::to_string(end.status);
}

TEST(Session, SeveralAtOnceDoNotDisturbEachOther) {
    std::array<std::string, 4> alone;
    for (std::size_t k = 0; k < alone.size(); ++k) {
        alone[k] = run_once(k);
        EXPECT_TRUE(alone[k].ends_with("counted to 300\nexit 0")) << alone[k];
    }
    std::array<std::string, 4> together;
    std::vector<std::thread> workers;
    for (std::size_t k = 0; k < together.size(); ++k) {
        workers.emplace_back([&together, k] { together[k] = run_once(k); });
    }
    for (std::thread& w : workers) {
        w.join();
    }
    EXPECT_EQ(together, alone);
}

} // namespace
} // namespace heddle
