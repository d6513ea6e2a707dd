// The models that are shipped: models/*.cat agree with the axioms in src/model, on random executions.
#include "cat_text.hpp"
#include "model/axioms.hpp"
#include "model/cat/judge.hpp"
#include "model/cat/model.hpp"
#include "paths.hpp"
#include "random_execution.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>

namespace heddle {
namespace {

cat::Model load(const std::string& name) {
    auto model = cat::Model::load(test::source_dir() + "/models/" + name + ".cat", {});
    EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().message);
    return *std::move(model);
}

bool judge(cat::Judge& judge, const Execution& x) { return judge.begin(x) && judge.choose_sources() && judge.choose_coherence(); }

class ShippedModel : public testing::TestWithParam<std::string> {};

TEST_P(ShippedModel, AgreesWithTheAxioms) {
    const cat::Model model = load(GetParam());
    const Axioms& axioms = *find_axioms(GetParam());
    cat::Judge judge_of_cat(model, axioms.architecture);
    std::mt19937_64 random(5);
    std::size_t consistent = 0;
    constexpr std::size_t kRounds = 20000;
    for (std::size_t k = 0; k < kRounds; ++k) {
        const Execution x = test::random_execution(
            random, {.architecture = axioms.architecture, .accesses = 1 + k % 9, .boundaries = k % 3 == 0, .dependencies = true});
        const bool expected = !axioms.broken(x).has_value();
        ASSERT_EQ(judge(judge_of_cat, x), expected) << canonical(x) << "\n"
                                                    << axioms.broken(x).value_or("consistent") << "\n"
                                                    << judge_of_cat.broken();
        consistent += expected ? 1 : 0;
    }
    EXPECT_GT(consistent, kRounds / 10);
    EXPECT_LT(consistent, kRounds * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Cat, ShippedModel, testing::Values("sc", "tso", "pso", "ra", "rc11", "power", "armv8", "armv8-lse"),
                         [](const auto& i) { return std::regex_replace(i.param, std::regex("-"), "_"); });

class AnyModel : public testing::TestWithParam<std::string> {};

TEST_P(AnyModel, LoadsAndIsCoherent) {
    const cat::Model model = load(GetParam());
    EXPECT_TRUE(model.implies_coherence());
    EXPECT_FALSE(model.name().empty());
    EXPECT_EQ(model.is_monotone(), GetParam() != "lkmm") << model.why_not_monotone();
}

INSTANTIATE_TEST_SUITE_P(Cat, AnyModel,
                         testing::Values("sc", "tso", "pso", "ra", "rc11", "power", "armv7", "armv8", "armv8-lse", "riscv", "imm",
                                         "lkmm", "rc11-c11"),
                         [](const auto& i) { return std::regex_replace(i.param, std::regex("-"), "_"); });

// armv8.cat and riscv.cat say some rules otherwise than the manuals, so that they are monotone. They come to the same.

std::string text_of(const std::string& name) {
    std::ifstream in(test::source_dir() + "/models/" + name + ".cat");
    return {std::istreambuf_iterator<char>(in), {}};
}

void compare_with_manual(const std::string& name, Architecture architecture,
                         const std::vector<std::pair<std::string, std::string>>& as_in_the_manual) {
    std::string text = text_of(name);
    for (const auto& [ours, manual] : as_in_the_manual) {
        const std::size_t at = text.find(ours);
        ASSERT_NE(at, std::string::npos) << ours;
        text.replace(at, ours.size(), manual);
    }
    const auto literal = cat::Model::load(test::write_cat("manual.cat", text), {test::source_dir() + "/models"});
    ASSERT_TRUE(literal.has_value()) << literal.error().message;
    EXPECT_FALSE(literal->is_monotone());
    const cat::Model ours = load(name);
    cat::Judge judge_of_ours(ours, architecture);
    cat::Judge judge_of_manual(*literal, architecture);
    std::mt19937_64 random(9);
    std::size_t consistent = 0;
    for (std::size_t k = 0; k < 20000; ++k) {
        const Execution x =
            test::random_execution(random, {.architecture = architecture, .accesses = 1 + k % 9, .dependencies = true});
        const bool expected = judge(judge_of_manual, x);
        ASSERT_EQ(judge(judge_of_ours, x), expected) << canonical(x);
        consistent += expected ? 1 : 0;
    }
    EXPECT_GT(consistent, 2000);
}

TEST(CatModels, LocalReadSuccessorsOfArm) {
    const std::string lrs = "(po-loc & (W * R) \\ (po-loc ; [W] ; po-loc))";
    compare_with_manual("armv8", Architecture::AArch64,
                        {{"(addr | data) ; rfi", "(addr | data) ; " + lrs}, {"rmw ; rfi ;", "rmw ; " + lrs + " ;"}});
}

TEST(CatModels, RuleTwoOfRiscV) {
    compare_with_manual("riscv", Architecture::RiscV,
                        {{"po-loc & (fr ; rfe)", "([R] ; (po-loc \\ (po-loc ; [W] ; po-loc)) ; [R]) \\ (rf^-1 ; rf)"}});
}

} // namespace
} // namespace heddle
