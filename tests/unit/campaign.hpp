// Campaigns of random programs: two ways to find a program's executions must agree on each of them.
#pragma once

#include "graph/execution.hpp"
#include "random_program.hpp"
#include "search/check_result.hpp"
#include "search/dpor/cells.hpp"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace heddle::testing_support {

/// The shapes that several searches are tried on.
namespace shapes {
inline constexpr Shape kTwoThreads{.threads = 2, .operations = 4};
inline constexpr Shape kTwoLongThreads{.threads = 2, .operations = 5, .control = true};
inline constexpr Shape kOneLocation{.threads = 3, .operations = 2, .locations = 1, .control = true};
inline constexpr Shape kThreeThreads{.threads = 3, .operations = 2, .control = true};
inline constexpr Shape kThreeLongThreads{.threads = 3, .operations = 3, .locations = 3};
inline constexpr Shape kFourThreads{.threads = 4, .operations = 1, .control = true};
inline constexpr Shape kTwoThreadsThatWait{.threads = 2, .operations = 4, .waits = true, .control = true};
inline constexpr Shape kThreeThreadsThatWait{.threads = 3, .operations = 2, .waits = true};
inline constexpr Shape kFourThreadsThatWait{.threads = 4, .operations = 1, .waits = true};
inline constexpr Shape kWaitingForOneLocation{.threads = 3, .operations = 2, .locations = 1, .waits = true};
inline constexpr Shape kJoining{.threads = 3, .operations = 2, .control = true, .joins = true};
inline constexpr Shape kJoiningAndWaiting{.threads = 2, .operations = 3, .waits = true, .control = true, .joins = true};
inline constexpr Shape kAccessesInPieces{.threads = 2, .operations = 3, .parts = true};
inline constexpr Shape kThreeThreadsInPieces{.threads = 3, .operations = 1, .locations = 1, .joins = true, .parts = true};
inline constexpr Shape kSpawning{.threads = 3, .operations = 2, .control = true, .joins = true, .nests = true};
inline constexpr Shape kTryingAgain{.threads = 2, .operations = 3, .control = true, .retries = true};
inline constexpr Shape kThreeTryingAgain{.threads = 3, .operations = 2, .retries = true};
inline constexpr Shape kTryingAgainAndWaiting{.threads = 3, .operations = 2, .waits = true, .joins = true, .retries = true};
inline constexpr Shape kFewKinds{.threads = 3, .operations = 2, .waits = true, .control = true, .few = true};
inline constexpr Shape kFewKindsInFourThreads{.threads = 4, .operations = 1, .waits = true, .few = true};
inline constexpr Shape kFewKindsTryingAgain{.threads = 3, .operations = 2, .waits = true, .retries = true, .few = true};
inline constexpr Shape kObjects{.threads = 2, .operations = 3, .locations = 1, .heap = true};
inline constexpr Shape kObjectsOfThreeThreads{.threads = 3, .operations = 1, .locations = 1, .control = true, .heap = true};
inline constexpr Shape kObjectsAndWaiting{
    .threads = 2, .operations = 3, .locations = 1, .waits = true, .control = true, .joins = true, .heap = true};
inline constexpr Shape kObjectsAndSpawning{
    .threads = 3, .operations = 1, .locations = 1, .joins = true, .nests = true, .heap = true};
} // namespace shapes

/// What became of a program.
struct Comparison {
    std::string wrong{};    ///< how the two disagree; empty: they do not
    bool too_large = false; ///< for the slower way: nothing compared
    std::size_t executions = 0;
};

/// One thing to compare: a model, an equivalence.
struct Contest {
    std::string name;
    std::function<Comparison(const RandomProgram&)> compare;
    std::uint64_t every = 1; ///< only one program in so many
};

/// How `found`, each of which should be there once, differs from what was wanted: the first few. Empty: it does not.
std::string difference(const std::string& what, const std::set<std::string>& wanted, const std::vector<std::string>& found);
inline std::string difference(const std::string& what, const std::set<std::string>& wanted, const std::set<std::string>& found) {
    return difference(what, wanted, std::vector<std::string>(found.begin(), found.end()));
}

/// Violations, told so that searches can be compared: the kind and, if it is one operation's, where. (A leak, a deadlock are not; and of two frees
/// either may be the second.)
std::set<std::string> told(const Program& program, const std::vector<Violation>& violations);

/// Has an iteration of a Retry failed (see assemble)?
bool has_failed_retry(const RandomProgram& program, const Execution& x);

/// Is the program one that accesses locations in pieces?
bool has_parts(const RandomProgram& program);
/// Where the locations of such a program are cut: the reference search is given the pieces (`halves` of assemble). That a search learns it is another
/// test's business.
Lessons cuts_of(const RandomProgram& program);

/// What an oracle that could not do it says: too large, or something is wrong with it.
Comparison no_oracle(const std::string& unsupported);

/// A loop of which an iteration that fails may be all that races: the reader wants two locations to belong together, and looks at plain data in between; the data is
/// written by who has not been told to be quiet, so that most executions have no race. As in tests/zoo/stale_iteration.c.
RandomProgram with_failing_iterations(std::uint64_t seed);
/// The same, where nothing in the loop need be plain, and what it looks at may depend on what it has read: that there can be a conflict shows only after some executions.
RandomProgram with_late_conflicts(std::uint64_t seed);
/// The same program with every atomic access seq_cst, and no fences.
RandomProgram made_sequential(RandomProgram program);
/// Threads that wait for combinations of two locations. Of each there is one writer, or there are two threads.
RandomProgram with_waiting_iterations(std::uint64_t seed);
/// The same with three threads or four that all write, and know nothing of each other's writes but by what they read.
RandomProgram with_strangers(std::uint64_t seed);
/// Threads that spin on one location.
RandomProgram with_spinning_on_one(std::uint64_t seed);

/// How many programs for a test that usually takes so many: HEDDLE_RANDOM_PROGRAMS, or more for HEDDLE_LONG_TESTS.
std::uint64_t programs(std::uint64_t usual);

/// Compares random programs of the shape, and tells of the smallest that disagrees. At most one pair of program and contest in `few` may be too large.
void expect_agreement(const Shape& shape, std::uint64_t count, const std::vector<Contest>& contests, std::uint64_t few = 20);
/// The same with programs that are made in another way, by seed.
void expect_agreement(const std::function<RandomProgram(std::uint64_t)>& make, std::uint64_t count,
                      const std::vector<Contest>& contests, std::uint64_t few = 20);

} // namespace heddle::testing_support
