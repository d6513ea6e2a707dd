// The house rules that no compiler checks: which folder of src/ may include which, that LLVM stays in the clang front end,
// that the CMake libraries say the same, and that no file grows without end.
//
// The rules are the table below; `violations` applies them to a tree, and the tests try it on made-up bad trees before the
// real one, so that a checker which finds nothing is noticed.
#include "paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

/// A folder of src/ and what it may include besides itself. A folder below one that is listed belongs to it.
struct Layer {
    std::string_view folder;
    std::vector<std::string_view> may_include;
};

/// In the order of flow: a layer names only layers above it here (Layers.TableFollowsTheFlow).
const std::vector<Layer>& layers() {
    static const std::vector<Layer> table = {
        {"support", {}},
        {"program", {"support"}},
        {"frontend/clang", {"support", "program"}},
        {"frontend/litmus", {"support", "program"}},
        {"frontend/generate", {"support"}},
        {"machine", {"support", "program"}},
        {"graph", {"support", "program"}},
        {"model", {"support", "program", "graph"}},
        {"property", {"support", "program", "graph", "model"}},
        {"search", {"support", "program", "machine", "graph", "model", "property"}},
        {"report", {"support", "program", "machine", "graph", "model", "property", "search"}},
        {"cli",
         {"support", "program", "frontend/clang", "frontend/litmus", "frontend/generate", "machine", "graph", "model", "property",
          "search", "report"}},
    };
    return table;
}

constexpr std::string_view kLlvmFolder = "frontend/clang";
constexpr std::initializer_list<std::string_view> kLlvmHeaders = {"llvm/", "llvm-c/", "clang/", "clang-c/"};
constexpr std::size_t kMaxLines = 900;

bool is_inside(std::string_view path, std::string_view folder) {
    return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

/// The layer of a path relative to src/.
const Layer* layer_of(std::string_view path) {
    const auto at = std::ranges::find_if(layers(), [&](const Layer& l) { return is_inside(path, l.folder); });
    return at == layers().end() ? nullptr : &*at;
}

bool may_include(const Layer& from, const Layer& to) {
    return &from == &to || std::ranges::find(from.may_include, to.folder) != from.may_include.end();
}

bool is_source(const fs::path& file) {
    const std::string e = file.extension();
    return e == ".cpp" || e == ".hpp" || e == ".c" || e == ".h";
}

std::vector<fs::path> files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    if (fs::exists(folder)) {
        for (const auto& entry : fs::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file()) {
                files.push_back(entry.path());
            }
        }
    }
    std::ranges::sort(files);
    return files;
}

std::vector<std::string> lines_of(const fs::path& file) {
    std::ifstream in(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// The header an #include line names, without its brackets or quotes; nothing on any other line.
std::optional<std::string> included(const std::string& line) {
    static const std::regex pattern(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"].*)");
    std::smatch match;
    return std::regex_match(line, match, pattern) ? std::optional(match[1].str()) : std::nullopt;
}

/// What is wrong with `header` in a file of layer `from`; empty when it is allowed.
std::string complaint(const fs::path& src, const Layer& from, const std::string& header) {
    if (std::ranges::any_of(kLlvmHeaders, [&](std::string_view h) { return header.starts_with(h); })) {
        return from.folder == kLlvmFolder ? "" : header + " is LLVM's; only src/frontend/clang may include it";
    }
    const Layer* to = layer_of(header);
    if (!to) {
        // Ours are named from src/: a bare "neighbour.hpp" would hide which layer it is of.
        return fs::exists(src / from.folder / header) ? header + " must be included by its path from src/" : "";
    }
    return may_include(from, *to) ? "" : std::string(from.folder) + " may not include " + header;
}

void check_includes(const fs::path& root, std::vector<std::string>& found) {
    const fs::path src = root / "src";
    for (const fs::path& file : files_below(src)) {
        if (!is_source(file)) {
            continue;
        }
        const std::string name = fs::relative(file, root);
        const Layer* layer = layer_of(fs::relative(file, src).string());
        if (!layer) {
            found.push_back(name + ": its folder is not in the table of tests/layers_test.cpp");
            continue;
        }
        std::size_t number = 0;
        for (const std::string& line : lines_of(file)) {
            ++number;
            const auto header = included(line);
            const std::string what = header ? complaint(src, *layer, *header) : "";
            if (!what.empty()) {
                found.push_back(name + ":" + std::to_string(number) + ": " + what);
            }
        }
    }
}

void check_sizes(const fs::path& root, std::vector<std::string>& found) {
    for (const char* folder : {"src", "tests", "bench", "include", "runtime"}) {
        for (const fs::path& file : files_below(root / folder)) {
            const std::string name = fs::relative(file, root);
            const bool data = is_inside(name, "tests/programs"); // programs that are checked, not code of ours
            const std::size_t lines = is_source(file) && !data ? lines_of(file).size() : 0;
            if (lines > kMaxLines) {
                found.push_back(name + ": " + std::to_string(lines) + " lines, more than " + std::to_string(kMaxLines));
            }
        }
    }
}

/// The name of the library that the folder (relative to src/) holds.
std::string library_of(std::string_view folder) {
    std::string name = "heddle_" + std::string(folder);
    std::ranges::replace(name, '/', '_');
    return name;
}

/// Each folder's `heddle_library(NAME DEPENDS ...)` must be named after the folder and depend on layers it may include.
void check_libraries(const fs::path& root, std::vector<std::string>& found) {
    static const std::regex call(R"(heddle_library\(\s*(\w+)(?:\s+DEPENDS\s+([^)]*))?\))");
    const fs::path src = root / "src";
    for (const fs::path& file : files_below(src)) {
        const std::string folder = fs::relative(file.parent_path(), src);
        const Layer* layer = layer_of(folder);
        std::ostringstream text;
        text << std::ifstream(file).rdbuf();
        std::smatch match;
        const std::string content = text.str();
        if (file.filename() != "CMakeLists.txt" || !layer || !std::regex_search(content, match, call)) {
            continue;
        }
        const std::string name = fs::relative(file, root);
        if (match[1] != library_of(folder)) {
            found.push_back(name + ": the library should be called " + library_of(folder));
        }
        std::istringstream depends(match[2]);
        for (std::string dependency; depends >> dependency;) {
            const auto to = std::ranges::find_if(layers(), [&](const Layer& l) {
                const std::string library = library_of(l.folder);
                return dependency == library || dependency.starts_with(library + "_");
            });
            if (to != layers().end() && !may_include(*layer, *to)) {
                found.push_back(name + ": " + library_of(folder) + " may not depend on " + dependency);
            }
        }
    }
}

/// Everything in the tree at `root` that breaks a rule, one line each.
std::vector<std::string> violations(const fs::path& root) {
    std::vector<std::string> found;
    check_includes(root, found);
    check_libraries(root, found);
    check_sizes(root, found);
    return found;
}

/// A made-up tree for one test.
class Tree {
  public:
    Tree() {
        std::string name = (fs::temp_directory_path() / "heddle_layers_XXXXXX").string();
        root_ = mkdtemp(name.data());
    }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;
    ~Tree() {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    Tree& with(const std::string& path, const std::string& text) {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
        return *this;
    }
    [[nodiscard]] std::vector<std::string> violations() const { return ::violations(root_); }

  private:
    fs::path root_;
};

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Layers, TableFollowsTheFlow) {
    for (std::size_t i = 0; i < layers().size(); ++i) {
        for (const std::string_view lower : layers()[i].may_include) {
            const std::span above(layers().data(), i);
            EXPECT_TRUE(std::ranges::any_of(above, [&](const Layer& l) { return l.folder == lower; }))
                << layers()[i].folder << " names " << lower << ", which does not come before it";
        }
    }
}

TEST(Layers, AcceptsDownwardIncludes) {
    EXPECT_THAT(Tree()
                    .with("src/support/a.hpp", "#pragma once\n#include <vector>\n")
                    .with("src/machine/b.cpp", "#include \"machine/b.hpp\"\n#include \"support/a.hpp\"\n")
                    .with("src/frontend/clang/c.cpp", "#include <llvm/IR/Module.h>\n#include \"program/p.hpp\"\n")
                    .with("src/search/single/d.cpp", "#include \"search/single/d.hpp\"\n#include \"machine/b.hpp\"\n")
                    .with("src/machine/CMakeLists.txt", "heddle_library(heddle_machine DEPENDS heddle_program fmt::fmt)\n")
                    .violations(),
                IsEmpty());
}

TEST(Layers, FindsUpwardIncludes) {
    EXPECT_THAT(Tree()
                    .with("src/support/a.hpp", "\n#include \"program/p.hpp\"\n")
                    .with("src/frontend/clang/b.cpp", "#include \"machine/m.hpp\"\n")
                    .with("src/machine/c.cpp", "  #  include \"frontend/clang/frontend.hpp\" // why not\n")
                    .with("src/graph/d.cpp", "#include <machine/m.hpp>\n")
                    .violations(),
                ElementsAre("src/frontend/clang/b.cpp:1: frontend/clang may not include machine/m.hpp",
                            "src/graph/d.cpp:1: graph may not include machine/m.hpp",
                            "src/machine/c.cpp:1: machine may not include frontend/clang/frontend.hpp",
                            "src/support/a.hpp:2: support may not include program/p.hpp"));
}

TEST(Layers, FindsLlvmOutsideItsFolder) {
    EXPECT_THAT(Tree().with("src/program/a.cpp", "#include \"llvm/IR/Module.h\"\n").violations(),
                ElementsAre("src/program/a.cpp:1: llvm/IR/Module.h is LLVM's; only src/frontend/clang may include it"));
}

TEST(Layers, FindsBareNeighboursAndUnknownFolders) {
    EXPECT_THAT(Tree()
                    .with("src/machine/a.hpp", "")
                    .with("src/machine/b.cpp", "#include \"a.hpp\"\n")
                    .with("src/misc/c.cpp", "")
                    .violations(),
                ElementsAre("src/machine/b.cpp:1: a.hpp must be included by its path from src/",
                            "src/misc/c.cpp: its folder is not in the table of tests/layers_test.cpp"));
}

TEST(Layers, FindsUpwardLibraries) {
    EXPECT_THAT(
        Tree()
            .with("src/program/CMakeLists.txt", "heddle_library(heddle_program DEPENDS\n  heddle_support heddle_machine)\n")
            .with("src/machine/CMakeLists.txt", "heddle_library(heddle_engine)\n")
            .violations(),
        ElementsAre("src/machine/CMakeLists.txt: the library should be called heddle_machine",
                    "src/program/CMakeLists.txt: heddle_program may not depend on heddle_machine"));
}

TEST(Layers, FindsLongFiles) {
    std::string lines;
    for (std::size_t i = 0; i <= kMaxLines; ++i) {
        lines += "//\n";
    }
    EXPECT_THAT(Tree().with("runtime/long.c", lines).with("tests/programs/long.c", lines).violations(),
                ElementsAre("runtime/long.c: 901 lines, more than 900"));
}

TEST(Layers, HeddleFollowsTheRules) {
    ASSERT_TRUE(fs::exists(fs::path(heddle::test::source_dir()) / "src/support"));
    for (const std::string& violation : violations(heddle::test::source_dir())) {
        ADD_FAILURE() << violation;
    }
}

} // namespace
