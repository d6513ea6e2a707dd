// Runs `heddle check` on every program of tests/zoo, tests/counts, tests/value, tests/power, tests/endless, tests/svcomp and examples and compares the answer with what the program's own comments
// expect, one line for each expectation:
//   // check: MODELS [-DFLAGS...] [--options...] => VERDICT [KIND] [complete=N] [blocked=N]
//   // long-check: ...             the same, only when HEDDLE_LONG_TESTS is set
// MODELS is a comma list, each a test of its own; words that start with -D or -O are flags for clang, those that start with -- are options of
// heddle check, and the words up to the next of either belong to the option before them; KIND is a comma list of the kinds that the first violation
// may have. Checks that count nothing are run under equivalences rf and value as well: the verdict must not change. Checks of tests/zoo under
// sc, tso and pso are run with --search stateful too. Every program must have a check; an example need not.
#include "paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Expectation {
    std::vector<std::string> models;
    std::string flags;   ///< for clang
    std::string options; ///< of heddle check
    std::string verdict;
    std::vector<std::string> kinds; ///< acceptable ones; empty: not asked
    std::optional<std::uint64_t> complete;
    std::optional<std::uint64_t> blocked;
    bool is_long = false;
};

std::string contents(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

std::optional<int> exit_code_of(const std::string& verdict) {
    static const std::array<std::pair<const char*, int>, 5> table{
        {{"Safe", 0}, {"Violation", 1}, {"SafeWithinBound", 3}, {"OutOfBudget", 4}, {"Unsupported", 5}}};
    const auto* at = std::ranges::find(table, verdict, &std::pair<const char*, int>::first);
    return at == table.end() ? std::nullopt : std::optional(at->second);
}

/// Nothing for a line that is no check; throws std::invalid_argument for one that is, but cannot be understood: a check that is silently
/// skipped would look like one that passes.
std::optional<Expectation> parse(const std::string& line) {
    Expectation e;
    std::string rest;
    if (line.starts_with("// check:")) {
        rest = line.substr(9);
    } else if (line.starts_with("// long-check:")) {
        rest = line.substr(14);
        e.is_long = true;
    } else {
        return std::nullopt;
    }
    std::istringstream in(rest);
    std::string word;
    in >> word;
    e.models = split(word, ',');
    while (in >> word && word != "=>") {
        const bool flag = word.starts_with("-D") || word.starts_with("-O");
        if (!flag && !word.starts_with("--") && e.options.empty()) {
            throw std::invalid_argument("'" + word + "' belongs to no option: " + line);
        }
        (flag ? e.flags : e.options) += " " + word;
    }
    if (!(in >> e.verdict) || !exit_code_of(e.verdict) || e.models.empty()) {
        throw std::invalid_argument("no verdict: " + line);
    }
    while (in >> word) {
        if (word.starts_with("complete=")) {
            e.complete = std::stoull(word.substr(9));
        } else if (word.starts_with("blocked=")) {
            e.blocked = std::stoull(word.substr(8));
        } else if (e.kinds.empty() && e.verdict == "Violation") {
            e.kinds = split(word, ',');
        } else {
            throw std::invalid_argument("'" + word + "' is not understood: " + line);
        }
    }
    return e;
}

std::vector<Expectation> expectations_of(const fs::path& path) {
    std::vector<Expectation> found;
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        if (auto e = parse(line)) {
            found.push_back(std::move(*e));
        }
    }
    return found;
}

/// The first string or number that follows "name": in the text, from the first occurrence of `after` on; empty when there is none. Enough
/// for a report whose form is a contract; whether it is well-formed JSON is tested elsewhere.
std::string field(const std::string& json, const std::string& name, const std::string& after) {
    const auto start = json.find("\"" + after + "\"");
    if (start == std::string::npos) {
        return "";
    }
    const std::string text = json.substr(start);
    std::smatch match;
    return std::regex_search(text, match, std::regex("\"" + name + "\"\\s*:\\s*\"?([A-Za-z0-9_-]+)")) ? match[1].str() : "";
}

class CheckTest : public testing::Test {
  public:
    CheckTest(fs::path path, std::string model, Expectation expected)
        : path_(std::move(path)), model_(std::move(model)), expected_(std::move(expected)) {}

    void TestBody() override {
        const fs::path scratch = fs::temp_directory_path() / ("heddle-zoo-" + std::to_string(getpid()));
        fs::create_directories(scratch);
        const fs::path json = scratch / "report.json";
        const fs::path output = scratch / "output";
        std::string command = "cd '" + path_.parent_path().string() + "' && timeout " + (expected_.is_long ? "1200" : "60") +
                              " '" + heddle::test::heddle_binary() + "' check " + path_.filename().string() + " --model " +
                              model_ + expected_.options + " --json '" + json.string() + "'";
        if (!expected_.flags.empty()) {
            command += " --" + expected_.flags;
        }
        const int status = std::system((command + " >'" + output.string() + "' 2>&1 </dev/null").c_str());
        compare(WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(json), command + "\n" + contents(output));
        fs::remove_all(scratch);
    }

  private:
    void compare(int exit, const std::string& json, const std::string& context) const {
        EXPECT_EQ(exit, *exit_code_of(expected_.verdict)) << (exit == 124 ? "not done in time\n" : "") << context;
        EXPECT_EQ(field(json, "verdict", "verdict"), expected_.verdict) << context;
        if (!expected_.kinds.empty()) {
            const std::string kind = field(json, "kind", "violations");
            const bool expected = std::ranges::find(expected_.kinds, kind) != expected_.kinds.end();
            EXPECT_TRUE(expected) << "the first violation is: " << kind << "\n" << context;
        }
        if (expected_.complete) {
            EXPECT_EQ(field(json, "complete", "executions"), std::to_string(*expected_.complete)) << context;
        }
        if (expected_.blocked) {
            EXPECT_EQ(field(json, "blocked", "executions"), std::to_string(*expected_.blocked)) << context;
        }
    }

    fs::path path_;
    std::string model_;
    Expectation expected_;
};

/// A program whose expectations are missing or cannot be read.
class BadProgram : public testing::Test {
  public:
    explicit BadProgram(std::string message) : message_(std::move(message)) {}
    void TestBody() override { FAIL() << message_; }

  private:
    std::string message_;
};

TEST(ZooLines, AreParsed) {
    EXPECT_FALSE(parse("// checked by hand"));
    const auto plain = parse("// check: sc,rc11 => Safe");
    ASSERT_TRUE(plain);
    EXPECT_EQ(plain->models, (std::vector<std::string>{"sc", "rc11"}));
    EXPECT_FALSE(plain->is_long || plain->complete || plain->blocked);
    const auto all = parse("// long-check: tso -DA -DB=2 --unroll 3 => Violation leak,deadlock complete=7 blocked=0");
    ASSERT_TRUE(all);
    EXPECT_EQ(all->flags, " -DA -DB=2");
    EXPECT_EQ(all->options, " --unroll 3");
    EXPECT_EQ(all->kinds, (std::vector<std::string>{"leak", "deadlock"}));
    EXPECT_EQ(all->complete, 7);
    EXPECT_EQ(all->blocked, 0);
    EXPECT_TRUE(all->is_long);
}

TEST(ZooLines, ThatAreWrongAreNotSkipped) {
    for (const char* line : {"// check:", "// check: sc", "// check: sc => Fine", "// check: sc -x => Safe",
                             "// check: sc => Safe leak", "// check: sc => Safe complete=many"}) {
        EXPECT_THROW(parse(line), std::invalid_argument) << line;
    }
}

TEST(ZooLines, FieldsOfTheReportAreFound) {
    const std::string json = R"({"verdict": "Violation", "assumptions": [{"kind": "loop-bound"}],
        "executions": {"complete": 12, "blocked": 3}, "violations": [{"kind": "data-race"}, {"kind": "leak"}]})";
    EXPECT_EQ(field(json, "verdict", "verdict"), "Violation");
    EXPECT_EQ(field(json, "kind", "violations"), "data-race");
    EXPECT_EQ(field(json, "blocked", "executions"), "3");
    EXPECT_EQ(field(json, "missing", "executions"), "");
}

#ifdef HEDDLE_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// The sanitized build is ten times slower; what takes a second otherwise is a long test there.
bool runs(const Expectation& e) {
    constexpr std::uint64_t most = kSanitized ? 5000 : ~std::uint64_t{0};
    return std::getenv("HEDDLE_LONG_TESTS") || (!e.is_long && e.complete.value_or(0) <= most);
}

void register_file(const fs::path& path, const fs::path& root, bool must_have_checks) {
    const bool is_zoo = path.parent_path().filename() == "zoo";
    const std::string name = fs::relative(path, root).string();
    const auto bad = [&](const std::string& message) {
        testing::RegisterTest("Zoo", name.c_str(), nullptr, nullptr, path.c_str(), 1,
                              [=]() -> BadProgram* { return new BadProgram(message); });
    };
    std::vector<Expectation> expectations;
    try {
        expectations = expectations_of(path);
    } catch (const std::exception& e) {
        return bad(name + ": " + e.what());
    }
    if (expectations.empty() && must_have_checks) {
        return bad(name + " has no check line");
    }
    const auto add = [&](const Expectation& e) {
        for (const std::string& model : e.models) {
            // What is checked there is Heddle itself: models that share little go through all of it.
            if (kSanitized && !std::getenv("HEDDLE_LONG_TESTS") && model != "pso" && model != "rc11" && model != "power") {
                continue;
            }
            const std::string full = name + " " + model + e.flags + e.options;
            testing::RegisterTest("Zoo", full.c_str(), nullptr, nullptr, path.c_str(), 1,
                                  [=]() -> CheckTest* { return new CheckTest(path, model, e); });
        }
    };
    for (const Expectation& e : expectations) {
        if (!runs(e)) {
            continue;
        }
        add(e);
        const auto asks = [&](const char* option) { return e.options.find(option) != std::string::npos; };
        // The search over states says the same.
        if (is_zoo && !kSanitized && !asks("--search") && !asks("--races") && !asks("--equivalence") &&
            !asks("--max-executions")) {
            Expectation states = e;
            states.options += " --search stateful";
            states.complete.reset();
            states.blocked.reset();
            std::erase_if(states.models, [](const std::string& m) { return m != "sc" && m != "tso" && m != "pso"; });
            add(states);
        }
        // A coarser equivalence visits less and says the same.
        if (!kSanitized && !e.complete && !e.blocked && !asks("--equivalence") && !asks("--search")) {
            for (const char* equivalence : {"rf", "value"}) {
                Expectation coarser = e;
                coarser.options += std::string(" --equivalence ") + equivalence;
                std::erase_if(coarser.models,
                              [](const std::string& m) { return m == "power" || m.starts_with("armv8"); }); // they have none
                add(coarser);
            }
        }
    }
}

void register_all() {
    const fs::path root = heddle::test::source_dir();
    for (const char* folder :
         {"tests/zoo", "tests/counts", "tests/value", "tests/power", "tests/endless", "tests/svcomp", "examples"}) {
        std::vector<fs::path> programs;
        for (const auto& entry : fs::directory_iterator(root / folder)) {
            if (entry.path().extension() == ".c" || entry.path().extension() == ".i") {
                programs.push_back(entry.path());
            }
        }
        std::ranges::sort(programs);
        for (const fs::path& p : programs) {
            register_file(p, root, folder != std::string("examples"));
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    register_all();
    return RUN_ALL_TESTS();
}
