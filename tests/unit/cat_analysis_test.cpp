// Which models imply coherence, and which are monotone.
#include "cat_text.hpp"
#include "paths.hpp"
#include "random_execution.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace heddle {
namespace {

using test::good_cat;
using test::judged;
using testing::HasSubstr;

TEST(CatAnalysis, Coherence) {
    const auto coherent = [](const std::string& text) { return good_cat(text).implies_coherence(); };
    EXPECT_TRUE(coherent("acyclic po-loc | rf | co | fr"));
    EXPECT_TRUE(coherent("acyclic po | com"));
    EXPECT_TRUE(coherent("acyclic (po & loc) | rfe | rfi | coi | coe | fr"));
    EXPECT_TRUE(coherent("irreflexive (po | com)+"));
    EXPECT_TRUE(coherent("acyclic (po-loc | com)+ ; data?"));
    EXPECT_TRUE(coherent("let hb = (po | rf)+ let eco = com+ irreflexive hb ; eco?"));
    EXPECT_TRUE(coherent("let hb = (po | rf)+ irreflexive hb ; com?"));
    EXPECT_TRUE(coherent("let hb = po irreflexive hb ; com+"));

    EXPECT_FALSE(coherent("acyclic po | rf | co"));
    EXPECT_FALSE(coherent("acyclic po | rfe | co | fr")); // rfi may go against po
    EXPECT_FALSE(coherent("flag acyclic po | com as x"));
    EXPECT_FALSE(coherent("~acyclic po | com"));
    EXPECT_FALSE(coherent("irreflexive po ; com"));
    EXPECT_FALSE(coherent("acyclic ([R] ; po-loc) | com"));
    EXPECT_FALSE(coherent("acyclic (po-loc ; rf) | com"));
    EXPECT_FALSE(coherent("irreflexive po | com"));
}

/// A "yes" must be right: executions that such models allow are coherent.
TEST(CatAnalysis, CoherentModelsAllowCoherentExecutionsOnly) {
    const cat::Model coherence = good_cat("acyclic po-loc | com");
    cat::Judge expected(coherence, Architecture::C);
    std::mt19937_64 random(1);
    for (const char* text : {"acyclic po | com", "let hb = (po | rf)+ let eco = com+ irreflexive hb ; eco?",
                             "let hb = (po | rf)+ irreflexive hb ; com?", "irreflexive po ; com+"}) {
        const cat::Model model = good_cat(text);
        cat::Judge judge(model, Architecture::C);
        std::size_t allowed = 0;
        for (int k = 0; k < 3000; ++k) {
            const Execution x = test::random_execution(random, {.accesses = 6});
            if (judged(judge, x)) {
                ++allowed;
                ASSERT_TRUE(judged(expected, x)) << text;
            }
        }
        EXPECT_GT(allowed, 100) << text;
    }
}

TEST(CatAnalysis, Monotone) {
    const auto why = [](const std::string& text) { return good_cat(text).why_not_monotone(); };
    EXPECT_EQ(why("acyclic (po \\ (W * R)) | rf | fr"), "");
    EXPECT_EQ(why("empty rmw & (fre ; coe)"), "");
    EXPECT_EQ(why("irreflexive (po \\ loc) ; ~(po | id) ; [~W]"), "");
    EXPECT_EQ(why("let rec r = po | (r ; rf) acyclic r"), "");
    EXPECT_EQ(why("empty ~(~(po ; po))"), "");
    EXPECT_EQ(why("flag ~empty po \\ (po ; po) as f\nundefined_unless ~acyclic po"), "");

    EXPECT_THAT(why("acyclic po\n\n  acyclic po \\ (po ; po) as immediate"),
                HasSubstr("model.cat:3:3: the check immediate may hold again when events are added: the right-hand side of a "
                          "difference (\\) may grow"));
    EXPECT_THAT(why("empty ~(po ; rf)"), HasSubstr("the operand of a complement (~) may grow"));
    EXPECT_THAT(why("~empty po as some"), HasSubstr("the check some is negated"));
    EXPECT_THAT(why("empty W \\ domain(rf)"), HasSubstr("difference"));
    EXPECT_THAT(why("let rec r = po \\ s and s = rf \\ r acyclic r"), HasSubstr("difference"));
    EXPECT_THAT(why("empty (po \\ rf) ; po"), HasSubstr("difference"));
}

/// The execution without the events from `first` on, which nothing before reads from.
Execution cut(const Execution& x, std::size_t first) {
    Execution part;
    part.events.assign(x.events.begin(), x.events.begin() + static_cast<std::ptrdiff_t>(first));
    for (const auto& [location, writes] : x.coherence) {
        for (const std::size_t w : writes) {
            if (w < first) {
                part.coherence[location].push_back(w);
            }
        }
    }
    const auto keep = [&](const DependencyLists::List& from, DependencyLists::List& to) {
        for (const auto& pair : from) {
            if (pair.second < first) {
                to.push_back(pair);
            }
        }
    };
    keep(x.addr, part.addr);
    keep(x.data, part.data);
    keep(x.ctrl, part.ctrl);
    return part;
}

/// A "yes" must be right: what a part breaks, the whole breaks.
TEST(CatAnalysis, MonotoneModelsNeverForgive) {
    std::mt19937_64 random(2);
    for (const auto& [name, architecture] : {std::pair{"sc", Architecture::C},
                                             {"tso", Architecture::C},
                                             {"pso", Architecture::C},
                                             {"ra", Architecture::C},
                                             {"rc11", Architecture::C},
                                             {"imm", Architecture::C},
                                             {"power", Architecture::Power},
                                             {"power", Architecture::C},
                                             {"armv7", Architecture::Arm},
                                             {"armv8", Architecture::AArch64},
                                             {"riscv", Architecture::RiscV}}) {
        const auto model = cat::Model::load(test::source_dir() + "/models/" + name + ".cat", {});
        ASSERT_TRUE(model.has_value());
        ASSERT_TRUE(model->is_monotone()) << model->why_not_monotone();
        cat::Judge whole(*model, architecture);
        cat::Judge partial(*model, architecture);
        std::size_t broken = 0;
        for (int k = 0; k < 3000; ++k) {
            const Execution x = test::random_execution(random, {.architecture = architecture, .dependencies = true});
            const std::size_t first = x.events.size() - 1 - static_cast<std::size_t>(k) % 3;
            const bool closed = std::ranges::all_of(x.events.begin(), x.events.begin() + static_cast<std::ptrdiff_t>(first),
                                                    [&](const Event& e) { return !e.source || *e.source < first; });
            if (!closed || first == 0) {
                continue;
            }
            const Execution part = cut(x, first);
            if (!judged(partial, part)) {
                ++broken;
                ASSERT_FALSE(judged(whole, x)) << name;
            }
        }
        EXPECT_GT(broken, 20) << name;
    }
}

} // namespace
} // namespace heddle
