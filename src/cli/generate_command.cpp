#include "cli/generate_command.hpp"

#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "cli/validators.hpp"
#include "frontend/generate/critical_cycles.hpp"
#include "frontend/generate/litmus_text.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <set>
#include <utility>

namespace heddle::cli {
namespace {

using generate::Cycle;
using generate::Relation;
using generate::Vocabulary;

constexpr unsigned kMaxThreads = 16; // more than anybody enumerates; a number with a slip in it should not run for years

std::vector<std::string> architectures() {
    std::vector<std::string> words;
    for (const Vocabulary& vocabulary : generate::vocabularies()) {
        words.emplace_back(vocabulary.word);
    }
    return words;
}

/// Words between blanks and commas.
std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        if (c != ' ' && c != ',' && c != '\t' && c != '\n') {
            words.back() += c;
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) {
        words.pop_back();
    }
    return words;
}

std::optional<unsigned> whole_number(std::string_view text) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool good = error == std::errc() && end == text.data() + text.size();
    return good ? std::optional(number) : std::nullopt;
}

/// "3" or "2..4".
std::optional<std::pair<unsigned, unsigned>> range(std::string_view text) {
    const std::size_t dots = text.find("..");
    const auto first = whole_number(text.substr(0, dots));
    const auto last = dots == std::string_view::npos ? first : whole_number(text.substr(dots + 2));
    const bool good = first && last && *first >= 1 && *first <= *last && *last <= kMaxThreads;
    return good ? std::optional(std::pair(*first, *last)) : std::nullopt;
}

CLI::Validator thread_range() {
    return {[](const std::string& given) {
                return range(given) ? std::string()
                                    : fmt::format("'{}' is no number of threads, like 3, and no range, like 2..4; at most {}",
                                                  given, kMaxThreads);
            },
            ""};
}

/// Where tests go: a folder with a file for each and a list of all, or stdout.
class Writer {
  public:
    Writer(const Vocabulary& vocabulary, std::string out, bool list)
        : vocabulary_(vocabulary), out_(std::move(out)), list_(list) {}

    std::expected<void, Diagnostic> open() {
        if (!to_folder()) {
            return {};
        }
        std::error_code error;
        std::filesystem::create_directories(out_, error);
        index_.open(std::filesystem::path(out_) / "@all");
        return index_ ? std::expected<void, Diagnostic>() : std::unexpected(cannot_write("@all"));
    }

    /// `text` is the test. One that was written before is not written again.
    std::expected<void, Diagnostic> write(const Cycle& cycle, const std::string& text) {
        if (!names_.insert(cycle.name).second) {
            return {};
        }
        if (list_) {
            std::fputs(fmt::format("{:<40} {}\n", cycle.name, generate::to_string(vocabulary_, cycle)).c_str(), stdout);
        } else if (!to_folder()) {
            std::fputs((count_ == 0 ? text : "\n" + text).c_str(), stdout);
        } else {
            const std::string file = cycle.name + ".litmus";
            std::ofstream stream(std::filesystem::path(out_) / file);
            stream << text;
            index_ << file << '\n';
            if (!stream.flush() || !index_) {
                return std::unexpected(cannot_write(file));
            }
        }
        ++count_;
        return {};
    }

    [[nodiscard]] std::uint64_t count() const { return count_; }

  private:
    [[nodiscard]] bool to_folder() const { return out_ != "-" && !list_; }
    [[nodiscard]] Diagnostic cannot_write(const std::string& file) const {
        return {.kind = Diagnostic::Kind::BadInput,
                .message = fmt::format("cannot write {}", (std::filesystem::path(out_) / file).string())};
    }

    const Vocabulary& vocabulary_;
    std::string out_;
    bool list_;
    std::ofstream index_;
    std::uint64_t count_ = 0;
    std::set<std::string> names_;
};

std::expected<Cycle, Diagnostic> cycle_of(const Vocabulary& vocabulary, const std::string& text) {
    std::vector<Relation> relations;
    for (const std::string& word : split(text)) {
        const auto relation = parse_relation(vocabulary, word);
        if (!relation) {
            return std::unexpected(relation.error());
        }
        relations.push_back(*relation);
    }
    return generate::make_cycle(vocabulary, std::move(relations));
}

std::expected<std::vector<Relation>, Diagnostic> relations_of(const Vocabulary& vocabulary, const std::string& text) {
    std::vector<Relation> relations;
    for (const std::string& word : split(text)) {
        const auto some = parse_relations(vocabulary, word);
        if (!some) {
            return std::unexpected(some.error());
        }
        relations.insert(relations.end(), some->begin(), some->end());
    }
    return relations;
}

} // namespace

GenerateCommand::GenerateCommand(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("generate", "litmus tests from cycles of relations");
    command->footer(
        "One test:       heddle generate --arch PPC --cycle \"LwSyncdWW Rfe DpAddrdR Fre\"\n"
        "Many:           heddle generate --arch AArch64 --relations \"Rfe Fre Coe Pod** DMB.SYd**\" --threads 2..3 --out "
        "tests\n\n"
        "Relations are named as diy names them; a name that the architecture does not have is answered with those it has.");
    command->add_option("--arch", architecture_, "PPC, X86, X86_64, ARM, AArch64, RISCV or C")
        ->required()
        ->check(one_of("architecture", architectures()));
    CLI::Option* cycle =
        command->add_option("--cycle", cycles_, "the test of this cycle; repeat for more")->allow_extra_args(false);
    command
        ->add_option("--relations", relations_,
                     "all critical cycles of these; * is R and W. Default: all that change the location, without marks")
        ->excludes(cycle);
    command->add_option("--threads", threads_, "so many threads: a number, or a range like 2..4; default 2")
        ->check(thread_range())
        ->excludes(cycle);
    command->add_option("--length", length_, "at most so many relations in a cycle; default twice the number of threads")
        ->check(positive())
        ->excludes(cycle);
    command->add_option("--max", max_, "stop after so many tests")->check(positive());
    command->add_option("--out", out_, "a folder: one file a test, and their list in @all; - is stdout, the default");
    command->add_flag("--list", list_, "print name and cycle of each test instead of writing it");
    command->callback([this, &status] { status = execute(); });
}

int GenerateCommand::execute() const {
    const Vocabulary& vocabulary = *generate::find_vocabulary(architecture_);
    Writer writer(vocabulary, out_, list_);
    std::optional<Diagnostic> trouble;
    std::uint64_t too_large = 0; // of all critical cycles, those with more accesses in a thread than there are registers
    const auto write = [&](const Cycle& cycle) {
        if (max_ && writer.count() >= *max_) {
            return false;
        }
        const auto text = generate::litmus_text(vocabulary, cycle);
        if (!text && cycles_.empty()) {
            ++too_large;
            return true;
        }
        const auto written = text ? writer.write(cycle, *text) : std::unexpected(text.error());
        if (!written) {
            trouble = written.error();
        }
        return written.has_value();
    };
    std::vector<Cycle> cycles;
    for (const std::string& text : cycles_) {
        auto cycle = cycle_of(vocabulary, text);
        if (!cycle) {
            return explain(cycle.error());
        }
        cycles.push_back(std::move(*cycle));
    }
    auto relations = relations_ ? relations_of(vocabulary, *relations_) : generate::usual_relations(vocabulary);
    if (!relations) {
        return explain(relations.error());
    }
    if (const auto opened = writer.open(); !opened) {
        return explain(opened.error());
    }
    bool complete = true;
    if (cycles_.empty()) {
        const auto [min_threads, max_threads] = *range(threads_);
        complete = for_each_critical_cycle(vocabulary,
                                           {.relations = std::move(*relations),
                                            .min_threads = min_threads,
                                            .max_threads = max_threads,
                                            .max_length = length_.value_or(2 * max_threads)},
                                           write);
    } else {
        complete = std::ranges::all_of(cycles, write);
    }
    if (trouble) {
        return explain(*trouble);
    }
    if (too_large > 0) {
        say(fmt::format("{} cycles left out: a thread would need more registers than there are\n", too_large));
    }
    if (!complete) {
        say(fmt::format("stopped after {} tests, as --max says; there are more\n", writer.count()));
    } else if (writer.count() == 0) {
        say("no cycle can be made of these relations with so many threads and so short a length\n");
    } else if (out_ != "-" && !list_) {
        say(fmt::format("{} {} written to {}\n", writer.count(), writer.count() == 1 ? "test" : "tests", out_));
    }
    return kExitSafe;
}

} // namespace heddle::cli
