// How much memory a check may use.
#include "search/conclude/conclude.hpp"
#include "support/resident_memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using testing::HasSubstr;
using testing::Optional;

TEST(MemoryBudget, TheMachineHasMoreThanThisProcessUses) {
    EXPECT_GT(resident_memory(), 0u);
    EXPECT_GT(usable_memory(), resident_memory());
}

TEST(MemoryBudget, WithoutALimitTheMachineIsOne) {
    EXPECT_EQ(out_of_memory(CheckOptions{}), std::nullopt);
    const std::uint64_t used = resident_memory();
    EXPECT_THAT(out_of_memory(CheckOptions{}, used), Optional(HasSubstr("nine tenths of this machine's memory")));
    EXPECT_EQ(out_of_memory(CheckOptions{}, used * 4), std::nullopt);
    EXPECT_EQ(out_of_memory(CheckOptions{}, 0), std::nullopt); // the system does not say
}

TEST(MemoryBudget, ALimitThatIsGivenCounts) {
    EXPECT_THAT(out_of_memory({.max_memory_mb = 1}, ~std::uint64_t{0}), Optional(std::string("--max-memory 1 MB")));
    EXPECT_EQ(out_of_memory({.max_memory_mb = 1'000'000}, 1), std::nullopt);
}

} // namespace
} // namespace heddle
