// ExecutionJudge: is an execution consistent? What an enumeration of executions asks of a model, whichever way the model is written.
//
// The enumeration chooses events first, then the sources of reads, then coherence, and asks after each: what a model can say early is computed
// once for all choices that follow.
#pragma once

#include "graph/execution.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

struct Axioms;

class ExecutionJudge {
  public:
    ExecutionJudge() = default;
    ExecutionJudge(const ExecutionJudge&) = delete;
    ExecutionJudge& operator=(const ExecutionJudge&) = delete;
    virtual ~ExecutionJudge() = default;

    /// Events and dependencies of `x` are there; sources and coherence are not looked at. `x` must stay where it is. False: whatever is chosen,
    /// no execution with these events is consistent.
    virtual bool begin(const Execution& x) = 0;
    /// The sources of reads are there. Pre: since `begin`, only sources and coherence have changed. False: no coherence makes it consistent.
    virtual bool choose_sources() = 0;
    /// Coherence is there: is the execution consistent? Pre: since `choose_sources`, only coherence has changed.
    virtual bool choose_coherence() = 0;

    /// Does consistent imply acyclic (po-loc | rf | co | fr)? Then other executions need not be asked about.
    [[nodiscard]] virtual bool implies_coherence() const = 0;
    /// What the execution that was found consistent last is flagged with: data races, undefined behaviour.
    [[nodiscard]] virtual std::vector<std::string> flags() const { return {}; }
};

/// By the plain axioms of a model.
std::unique_ptr<ExecutionJudge> judge_by(const Axioms& axioms);

} // namespace heddle
