// The layout of herd's output, character by character.
#include "report/herd.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heddle {
namespace {

LitmusOutcome outcome() {
    LitmusOutcome o;
    o.name = "SB";
    o.condition = "exists (0:r1=0 /\\ 1:r1=0)";
    o.states = {"0:r1=0; 1:r1=0;", "0:r1=1; 1:r1=0;"};
    o.satisfying = 1;
    o.others = 3;
    o.seconds = 0.014;
    return o;
}

TEST(Herd, Allowed) {
    EXPECT_EQ(to_herd(outcome()), "Test SB Allowed\n"
                                  "States 2\n"
                                  "0:r1=0; 1:r1=0;\n"
                                  "0:r1=1; 1:r1=0;\n"
                                  "Ok\n"
                                  "Witnesses\n"
                                  "Positive: 1 Negative: 3\n"
                                  "Condition exists (0:r1=0 /\\ 1:r1=0)\n"
                                  "Observation SB Sometimes 1 3\n"
                                  "Time SB 0.01\n"
                                  "\n");
}

TEST(Herd, ForbiddenCountsTheOthersAsPositive) {
    LitmusOutcome o = outcome();
    o.question = LitmusQuestion::Forbidden;
    o.condition = "~exists (true)";
    o.satisfying = 0;
    o.flags = {"data-race"};
    o.loop_cut = true;
    EXPECT_EQ(to_herd(o), "Test SB Forbidden\n"
                          "States 2\n"
                          "0:r1=0; 1:r1=0;\n"
                          "0:r1=1; 1:r1=0;\n"
                          "Loop Ok\n"
                          "Witnesses\n"
                          "Positive: 3 Negative: 0\n"
                          "Flag data-race\n"
                          "Condition ~exists (true)\n"
                          "Observation SB Never 0 3\n"
                          "Time SB 0.01\n"
                          "\n");
}

TEST(Herd, Verdicts) {
    LitmusOutcome o = outcome();
    EXPECT_EQ(verdict_of(o), "Ok");
    o.satisfying = 0;
    EXPECT_EQ(verdict_of(o), "No");
    o.question = LitmusQuestion::Required;
    EXPECT_EQ(verdict_of(o), "No");
    o.others = 0; // of no execution at all everything is true
    EXPECT_EQ(verdict_of(o), "Ok");
    EXPECT_EQ(observation_of(o), "Never");
    o.satisfying = 2;
    EXPECT_EQ(observation_of(o), "Always");
    o.undefined = true;
    EXPECT_EQ(verdict_of(o), "Undef");
}

TEST(Herd, Record) {
    const auto json = nlohmann::json::parse(to_record(outcome(), "a/SB.litmus"));
    EXPECT_EQ(json["file"].get<std::string>(), "a/SB.litmus");
    EXPECT_EQ(json["positive"].get<int>(), 1);
    EXPECT_EQ(json["negative"].get<int>(), 3);
    EXPECT_EQ(json["executions"].get<int>(), 4);
    EXPECT_EQ(json["states"][1].get<std::string>(), "0:r1=1; 1:r1=0");
    EXPECT_FALSE(json.contains("loop"));
}

} // namespace
} // namespace heddle
