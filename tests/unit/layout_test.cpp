// Layouts: parts of variables by the names that the source has for them.
#include "program/layout.hpp"

#include <gtest/gtest.h>

namespace {

using namespace heddle;

class LayoutTest : public testing::Test {
  protected:
    Layouts layouts;
    /// struct slot { int turn; int value[2]; }
    LayoutId slot = layouts.add_record({{.name = "turn", .offset = 0, .size = 4},
                                        {.name = "value", .offset = 4, .size = 8, .layout = layouts.add_array(4, {})}});
};

TEST_F(LayoutTest, NothingIsKnownOfTheFirst) {
    EXPECT_EQ(layouts.part({}, 0, 4), "");
    EXPECT_EQ(layouts.part({}, 4, 4), "+4");
    EXPECT_EQ(layouts.start({}, 4), "+4");
}

TEST_F(LayoutTest, ElementsAndMembers) {
    const LayoutId queue =
        layouts.add_record({{.name = "head", .offset = 0, .size = 4},
                            {.name = "slots", .offset = 4, .size = 48, .layout = layouts.add_array(12, slot)}});
    EXPECT_EQ(layouts.part(queue, 0, 4), ".head");
    EXPECT_EQ(layouts.part(queue, 4, 4), ".slots[0].turn");
    EXPECT_EQ(layouts.part(queue, 4 + 24 + 8, 4), ".slots[2].value[1]");
    EXPECT_EQ(layouts.part(queue, 4 + 24 + 9, 1), ".slots[2].value[1]+1");
    EXPECT_EQ(layouts.part(queue, 0, 8), "");               // both head and some of slots
    EXPECT_EQ(layouts.part(queue, 4 + 12, 8), ".slots[1]"); // turn and some of value
    EXPECT_EQ(layouts.part(queue, 4 + 12 + 4, 8), ".slots[1].value");
    EXPECT_EQ(layouts.part(queue, 60, 4), "+60"); // behind it
}

TEST_F(LayoutTest, ArraysOfArrays) {
    const LayoutId matrix = layouts.add_array(12, layouts.add_array(4, {}));
    EXPECT_EQ(layouts.part(matrix, 12, 4), "[1][0]");
    EXPECT_EQ(layouts.part(matrix, 20, 4), "[1][2]");
    EXPECT_EQ(layouts.part(matrix, 8, 8), "+8"); // across the end of a row
}

TEST_F(LayoutTest, OfAUnionTheFirstMemberThatIsExactlyThere) {
    const LayoutId half = layouts.add_record({{.name = "lo", .offset = 0, .size = 4}, {.name = "hi", .offset = 4, .size = 4}});
    const LayoutId word = layouts.add_record({{.name = "half", .offset = 0, .size = 8, .layout = half},
                                              {.name = "whole", .offset = 0, .size = 8},
                                              {.name = "again", .offset = 0, .size = 8}});
    EXPECT_EQ(layouts.part(word, 4, 4), ".half.hi");
    EXPECT_EQ(layouts.part(word, 6, 2), ".half.hi+2");
    EXPECT_EQ(layouts.part(word, 0, 4), ".half.lo");
    const LayoutId other =
        layouts.add_record({{.name = "whole", .offset = 0, .size = 8}, {.name = "half", .offset = 0, .size = 8, .layout = half}});
    EXPECT_EQ(layouts.part(other, 4, 4), ".half.hi");
    EXPECT_EQ(layouts.part(other, 0, 8), ".whole");
}

TEST_F(LayoutTest, AnonymousMembersAreSkippedThrough) {
    const LayoutId inner = layouts.add_record({{.name = "i", .offset = 0, .size = 4}, {.name = "f", .offset = 0, .size = 4}});
    const LayoutId outer =
        layouts.add_record({{.name = "before", .offset = 0, .size = 4}, {.name = "", .offset = 4, .size = 4, .layout = inner}});
    EXPECT_EQ(layouts.part(outer, 4, 4), ".i");
    EXPECT_EQ(layouts.start(outer, 4), ".i"); // and not "", which would be all of it
}

TEST_F(LayoutTest, AnArrayWithoutALengthGoesOn) {
    const LayoutId flexible = layouts.add_record({{.name = "count", .offset = 0, .size = 4},
                                                  {.name = "data", .offset = 4, .size = 0, .layout = layouts.add_array(4, {})}});
    EXPECT_EQ(layouts.part(flexible, 4 + 28, 4), ".data[7]");
}

TEST_F(LayoutTest, WhatIsOpaqueHasOneName) {
    const LayoutId lock = layouts.add_opaque(PartOwner::Library);
    const LayoutId account = layouts.add_record(
        {{.name = "balance", .offset = 0, .size = 8}, {.name = "lock", .offset = 8, .size = 40, .layout = lock}});
    EXPECT_EQ(layouts.part(account, 8 + 16, 4), ".lock");
    EXPECT_EQ(layouts.owner(account, 8 + 16, 4), PartOwner::Library);
    EXPECT_EQ(layouts.owner(account, 0, 8), PartOwner::User);
}

TEST_F(LayoutTest, PointersPointToTheLargestPart) {
    const LayoutId slots = layouts.add_array(12, slot);
    EXPECT_EQ(layouts.start(slots, 0), "");
    EXPECT_EQ(layouts.start(slots, 12), "[1]");
    EXPECT_EQ(layouts.start(slots, 16), "[1].value");
    EXPECT_EQ(layouts.start(slots, 20), "[1].value[1]");
    EXPECT_EQ(layouts.start(slots, 21), "[1].value[1]+1");
}

} // namespace
