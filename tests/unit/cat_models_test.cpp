// The models that are shipped: models/*.cat agree with the axioms in src/model, on random executions.
#include "model/axioms.hpp"
#include "model/cat/judge.hpp"
#include "model/cat/model.hpp"
#include "random_execution.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace heddle {
namespace {

cat::Model load(const std::string& name) {
    auto model = cat::Model::load(std::string(HEDDLE_SOURCE_DIR "/models/") + name + ".cat", {});
    EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
    return *std::move(model);
}

bool judge(cat::Judge& judge, const Execution& x) { return judge.begin(x) && judge.choose_sources() && judge.choose_coherence(); }

class ShippedModel : public testing::TestWithParam<std::string> {};

TEST_P(ShippedModel, AgreesWithTheAxioms) {
    const cat::Model model = load(GetParam());
    const Axioms& axioms = *find_axioms(GetParam());
    cat::Judge judge_of_cat(model, Architecture::C);
    std::mt19937_64 random(5);
    std::size_t consistent = 0;
    constexpr std::size_t kRounds = 20000;
    for (std::size_t k = 0; k < kRounds; ++k) {
        const Execution x = test::random_execution(random, {.accesses = 1 + k % 9, .boundaries = k % 3 == 0});
        const bool expected = !axioms.broken(x).has_value();
        ASSERT_EQ(judge(judge_of_cat, x), expected) << canonical(x) << "\n"
                                                    << axioms.broken(x).value_or("consistent") << "\n"
                                                    << judge_of_cat.broken();
        consistent += expected ? 1 : 0;
    }
    EXPECT_GT(consistent, kRounds / 10);
    EXPECT_LT(consistent, kRounds * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Cat, ShippedModel, testing::Values("sc", "tso", "pso", "ra", "rc11"),
                         [](const auto& i) { return std::regex_replace(i.param, std::regex("-"), "_"); });

class AnyModel : public testing::TestWithParam<std::string> {};

TEST_P(AnyModel, LoadsAndIsCoherent) {
    const cat::Model model = load(GetParam());
    EXPECT_TRUE(model.implies_coherence());
    EXPECT_FALSE(model.name().empty());
    EXPECT_EQ(model.is_monotone(), GetParam() != "lkmm") << model.why_not_monotone();
}

INSTANTIATE_TEST_SUITE_P(Cat, AnyModel,
                         testing::Values("sc", "tso", "pso", "ra", "rc11", "power", "armv7", "armv8", "riscv", "imm", "lkmm",
                                         "rc11-c11"),
                         [](const auto& i) { return std::regex_replace(i.param, std::regex("-"), "_"); });

} // namespace
} // namespace heddle
