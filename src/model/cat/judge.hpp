// Judge: does an execution satisfy a model written in cat? Asked of many executions that differ little.
//
// The enumeration of executions chooses events first, then reads-from, then coherence. What of the model depends on the events alone is computed
// once for all choices of rf, what depends on rf but not on co once for all choices of co. A check is made as soon as what it
// depends on is chosen.
#pragma once

#include "graph/execution.hpp"
#include "model/cat/model.hpp"

#include <memory>
#include <string>
#include <vector>

namespace heddle::cat {

class Judge {
  public:
    /// The model and the execution must outlive the judge. `architecture` says what the sets of events are called.
    Judge(const Model& model, Architecture architecture);
    ~Judge();

    /// Events and dependencies of `x` are there; sources and coherence are not looked at. False: no choice of them is consistent.
    bool begin(const Execution& x);
    /// The same with the sources of reads. `begin` was called with this execution, and only sources have changed since.
    bool choose_sources();
    /// The same with coherence: is the execution consistent? `choose_sources` was called, and only coherence has changed since.
    bool choose_coherence();

    /// After choose_coherence: the names of the flags that the execution raises (`flag ~empty ... as name`); "undefined_unless" raises "undef".
    [[nodiscard]] std::vector<std::string> flags() const;
    /// The name of the check that failed last.
    [[nodiscard]] const std::string& broken() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace heddle::cat
