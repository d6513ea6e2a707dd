// The question of a litmus test: what it lists, what it filters, what it asks about final states; and how herd prints it.
#pragma once

#include "frontend/litmus/test_builder.hpp"

namespace heddle::litmus {

struct Question {
    Quantifier quantifier = Quantifier::Forall; ///< a test without a question asks whether every state is a state
    Proposition condition;
    std::optional<Proposition> filter;
    std::vector<std::uint32_t> listed; ///< observables of `locations`
};

/// Reads from the tokens behind the program. What follows the question is not read, as in herd.
Question parse_question(Tokens& tokens, TestBuilder& builder);

/// "exists (0:r1=1 /\ ([x]=2 \/ [y]=1))": parentheses only where needed, except around what `not` denies.
std::string text_of(Quantifier quantifier, const Proposition& condition, const LitmusTest& test);

/// The observables that a proposition speaks of, each once, in order of appearance.
std::vector<std::uint32_t> observables_of(const Proposition& proposition);

} // namespace heddle::litmus
