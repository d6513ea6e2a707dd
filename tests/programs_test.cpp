// Runs every program under tests/programs through the heddle binary and compares what a user sees with what the program's own comments
// expect:
//   // expect-exit: 0              the exit code (default 0)
//   // expect-output: line         one line of stdout; all of stdout must match when any is given
//   // expect-error: text          stderr contains this
//   // options: --seed 3           options of heddle run
//   // cflags: -DN=3              flags for clang
//   // levels: -O0 -O2             run once with each (default: -O0 only)
//   // seeds: 1 2 3                run once more with each as --seed: what is expected does not depend on the schedule
//   // files: b.c                  further files, beside this one
//   // input: FILE                 run this file instead of the program itself (for inputs that cannot carry comments)
// Files in a folder called `parts` are parts of other tests.
#include "paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

struct Expectation {
    int exit = 0;
    bool has_output = false;
    std::string output;
    std::vector<std::string> errors;
    std::string options;
    std::string cflags;
    std::vector<std::string> levels;
    std::vector<std::string> seeds;
    std::vector<std::string> files;
    std::string input;
};

std::vector<std::string> words(const std::string& line) {
    std::istringstream in(line);
    return {std::istream_iterator<std::string>(in), {}};
}

Expectation read_expectation(const fs::path& path) {
    Expectation e;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const auto colon = line.find(':');
        if (!line.starts_with("// ") || colon == std::string::npos) {
            continue;
        }
        const std::string name = line.substr(3, colon - 3);
        const std::string rest = line.substr(colon + (line.substr(colon).starts_with(": ") ? 2 : 1));
        if (name == "expect-exit") {
            e.exit = std::stoi(rest);
        } else if (name == "expect-output") {
            e.has_output = true;
            e.output += rest + "\n";
        } else if (name == "expect-error") {
            e.errors.push_back(rest);
        } else if (name == "options") {
            e.options = rest;
        } else if (name == "cflags") {
            e.cflags = rest;
        } else if (name == "levels") {
            e.levels = words(rest);
        } else if (name == "seeds") {
            e.seeds = words(rest);
        } else if (name == "files") {
            e.files = words(rest);
        } else if (name == "input") {
            e.input = rest;
        }
    }
    if (e.levels.empty()) {
        e.levels = {"-O0"};
    }
    return e;
}

class ProgramTest : public testing::Test {
  public:
    /// `options` come after the program's own.
    ProgramTest(fs::path path, std::string level, std::string options)
        : path_(std::move(path)), level_(std::move(level)), options_(std::move(options)) {}

    void TestBody() override {
        const Expectation e = read_expectation(path_);
        const fs::path scratch = fs::temp_directory_path() / ("heddle-test-" + std::to_string(getpid()));
        fs::create_directories(scratch);
        const fs::path out = scratch / "out";
        const fs::path err = scratch / "err";
        std::string command = "cd '" + path_.parent_path().string() + "' && timeout 120 '" + heddle::test::heddle_binary() +
                              "' run " + (e.input.empty() ? path_.filename().string() : e.input);
        for (const std::string& file : e.files) {
            command += " " + file;
        }
        command += " " + e.options + " " + options_ + " -- " + level_ + " " + e.cflags + " >'" + out.string() + "' 2>'" +
                   err.string() + "' </dev/null";
        const int status = std::system(command.c_str());
        const std::string errors = contents(err);
        EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, e.exit) << command << "\n" << errors;
        if (e.has_output) {
            EXPECT_EQ(contents(out), e.output) << command << "\n" << errors;
        }
        for (const std::string& text : e.errors) {
            EXPECT_NE(errors.find(text), std::string::npos) << command << "\nexpected on stderr: " << text << "\nfound:\n"
                                                            << errors;
        }
        fs::remove_all(scratch);
    }

  private:
    fs::path path_;
    std::string level_;
    std::string options_;
};

void register_programs() {
    const fs::path root = fs::path(heddle::test::source_dir()) / "tests" / "programs";
    std::vector<fs::path> programs;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
        const fs::path& p = entry.path();
        if (p.extension() == ".c" && p.parent_path().filename() != "parts") {
            programs.push_back(p);
        }
    }
    std::ranges::sort(programs);
    for (const fs::path& p : programs) {
        const Expectation e = read_expectation(p);
        const auto add = [&](const std::string& level, const std::string& options) {
            const std::string name = fs::relative(p, root).string() + level + options;
            testing::RegisterTest("Program", name.c_str(), nullptr, nullptr, p.c_str(), 1,
                                  [=]() -> ProgramTest* { return new ProgramTest(p, level, options); });
        };
        for (const std::string& level : e.levels) {
            add(level, "");
        }
        for (const std::string& seed : e.seeds) {
            add(e.levels.front(), "--seed " + seed);
        }
        // Once more on the loop that tracks dependencies and undefined bits in every frame, stopping at every action: the same must be seen.
        add(e.levels.back(), "--track-dependencies --stepwise");
    }
}

} // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    register_programs();
    return RUN_ALL_TESTS();
}
