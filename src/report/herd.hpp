// The result of a litmus test in the words and the layout of herd7, which scripts know how to read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// What a test asks about the executions that a model allows.
enum class LitmusQuestion : std::uint8_t {
    Allowed,   ///< exists: does some execution satisfy the condition?
    Forbidden, ///< ~exists: does none?
    Required,  ///< forall: does every one?
};

struct LitmusOutcome {
    std::string name;
    LitmusQuestion question = LitmusQuestion::Allowed;
    std::string condition;           ///< "exists (0:r1=1 /\ [x]=2)"
    std::vector<std::string> states; ///< "0:r1=1; [x]=2;", in order, each once
    std::uint64_t satisfying = 0;    ///< executions whose final state satisfies the condition
    std::uint64_t others = 0;        ///< executions whose final state does not
    bool loop_cut = false;           ///< executions that go round a loop more often were left out
    bool undefined = false;          ///< some execution has undefined behaviour
    std::vector<std::string> flags;  ///< names, in order, each once
    double seconds = 0;

    // Herd counts as positive what speaks for the answer that the question hopes for: of ~exists, what does not satisfy.
    [[nodiscard]] std::uint64_t positive() const { return question == LitmusQuestion::Forbidden ? others : satisfying; }
    [[nodiscard]] std::uint64_t negative() const { return question == LitmusQuestion::Forbidden ? satisfying : others; }
    [[nodiscard]] std::uint64_t executions() const { return satisfying + others; }
};

std::string_view word_of(LitmusQuestion question);
/// "Ok", "No" or "Undef".
std::string_view verdict_of(const LitmusOutcome& outcome);
/// "Always", "Sometimes" or "Never": how often the condition is satisfied. "Never" when there is no execution.
std::string_view observation_of(const LitmusOutcome& outcome);

/// All of it, with the empty line that ends it.
std::string to_herd(const LitmusOutcome& outcome);
/// The same as a record: one line of JSON, in the format that --expect reads. `file` is the test's.
std::string to_record(const LitmusOutcome& outcome, const std::string& file);

} // namespace heddle
