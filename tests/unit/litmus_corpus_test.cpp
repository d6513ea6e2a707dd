// The corpora of public litmus tests, when they are there: every test loads, and its question and the shape of its states are those of the
// records.
#include "frontend/litmus/litmus_test.hpp"
#include "paths.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace heddle::litmus {
namespace {

const std::filesystem::path kCorpora = test::litmus_corpora(); // found by CMake, or not

std::string kind_of(Quantifier q) {
    return q == Quantifier::Exists ? "Allowed" : q == Quantifier::NotExists ? "Forbidden" : "Required";
}

/// The names in a recorded state, "0:r1=1; [x]=2" -> "0:r1 [x]".
std::string names_in(const std::string& state) {
    std::string names;
    std::size_t at = 0;
    while (at < state.size()) {
        const std::size_t end = std::min(state.find(';', at), state.size());
        names += state.substr(at, state.find('=', at) - at) + " ";
        at = end + 2;
    }
    return names;
}

std::string names_shown(const LitmusTest& test) {
    std::string names;
    for (const std::uint32_t k : test.shown) {
        names += test.observables[k].name + " ";
    }
    return names;
}

/// Loads all tests of a record. `not_modelled`: names of those that must be refused as Unsupported.
void check_corpus(const std::string& records, const std::vector<std::string>& not_modelled) {
    std::ifstream in(kCorpora / (records + ".jsonl"));
    if (!in) {
        GTEST_SKIP() << "the public corpora, which are not part of the project, are not in " << kCorpora;
    }
    for (std::string line; std::getline(in, line);) {
        const auto record = nlohmann::json::parse(line);
        const std::string name = record["name"];
        const auto test = load(kCorpora / record["file"].get<std::string>(), {});
        if (std::ranges::find(not_modelled, name) != not_modelled.end()) {
            ASSERT_FALSE(test.has_value()) << name;
            EXPECT_EQ(test.error().kind, Diagnostic::Kind::Unsupported) << test.error().message;
            continue;
        }
        if (!test) {
            ADD_FAILURE() << test.error().message;
            continue;
        }
        EXPECT_EQ(test->name, name);
        EXPECT_EQ(kind_of(test->quantifier), record["kind"].get<std::string>()) << name;
        EXPECT_EQ(test->condition_text, record["condition"].get<std::string>()) << name;
        if (!record["states"].empty()) {
            EXPECT_EQ(names_shown(*test), names_in(record["states"][0].get<std::string>())) << name;
        }
    }
}

TEST(LitmusCorpus, C) { check_corpus("c-rc11", {}); }
TEST(LitmusCorpus, Lkmm) { check_corpus("lkmm-lkmm", {}); }
TEST(LitmusCorpus, Ppc) { check_corpus("ppc-power", {}); }
TEST(LitmusCorpus, X86) { check_corpus("x86-tso", {}); }
TEST(LitmusCorpus, X86_64) { check_corpus("x86_64-tso", {}); }
TEST(LitmusCorpus, Arm) { check_corpus("arm-armv7", {}); }
TEST(LitmusCorpus, RiscV) { check_corpus("riscv-riscv", {}); }

// Translation tables, caches of instructions, instructions as data.
TEST(LitmusCorpus, AArch64) {
    check_corpus("aarch64-armv8",
                 {"CoWR+tlbi-sync.ishsptev0p", "DIC1.MP.FF+dmb.st+po", "MP.FF+dc.cvau-dsb.ish-ic.ivau-dsb.ish+po",
                  "MP.V2I+dsb.ish-tlbi.vaae1is-dsh.ish+dsb.ish-isb", "coRR+BBM+W", "coRR-pte9-mod"});
}

} // namespace
} // namespace heddle::litmus
