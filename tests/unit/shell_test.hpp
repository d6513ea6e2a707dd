// Tests that run the heddle binary as a user would: a shell command, its exit code and what it printed.
#pragma once

#include "paths.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::testing_support {

struct Outcome {
    int exit = -1; ///< -1: ended by a signal
    std::string out;
    std::string err;
};

inline std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A test in a folder of its own, which is gone afterwards.
class ShellTest : public ::testing::Test {
  protected:
    ShellTest() { std::filesystem::create_directories(folder_); }
    ~ShellTest() override { std::filesystem::remove_all(folder_); }
    ShellTest(const ShellTest&) = delete;
    ShellTest& operator=(const ShellTest&) = delete;

    /// Runs a shell command in the test's own folder; "heddle" in it is the binary under test.
    [[nodiscard]] Outcome shell(const std::string& command) const {
        const std::string heddle = std::string("heddle() { timeout 60 '") + test::heddle_binary() + "' \"$@\"; }\n";
        const std::filesystem::path out = folder_ / "stdout.txt";
        const std::filesystem::path err = folder_ / "stderr.txt";
        const std::filesystem::path script = folder_ / "script.sh";
        std::ofstream(script) << heddle << command << "\n";
        const int status = std::system(("cd '" + folder_.string() + "' && sh '" + script.string() + "' >'" + out.string() +
                                        "' 2>'" + err.string() + "' </dev/null")
                                           .c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
    }

    void file(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name, std::ios::binary) << text; }
    [[nodiscard]] std::string read(const std::string& name) const { return contents(folder_ / name); }

  private:
    std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("heddle-cli-test-" + std::to_string(getpid()));
};

} // namespace heddle::testing_support
