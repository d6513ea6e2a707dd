// Realizer: is there an execution with this history?
//
// Two ways to tell. Under the models that are machines with store buffers the machine is run (buffer_realizer.hpp): it does not tell writes of the same
// value apart. Otherwise, and for questions about happens-before, executions are built from what each read may read from (graph_realizer.hpp).
#pragma once

#include "search/value/history.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace heddle {

/// A step of a run.
struct Moment {
    ThreadId thread;
    std::uint32_t op; ///< of the thread's operations
    bool lands =
        false; ///< the write reaches memory; else the operation is done (a write: into the buffer, unless it lands at once)
    std::optional<OpAt> source{}; ///< of a read, if this is no machine: the write that it reads from; nothing: the initial one
};

/// What is asked.
struct Question {
    Lengths lengths; ///< so much of each thread's history
    /// `second` must happen (a write: reach memory) after `first` has. Where no machine tells: `second` must not come before `first` for certain.
    struct Order {
        ThreadId first;
        std::uint32_t first_op;
        ThreadId second;
        std::uint32_t second_op;
    };
    std::optional<Order> order{};
    /// Asked about what each location holds in the end, when all writes have reached memory: is this a run that is looked for? Empty: every run is.
    std::function<bool(const std::function<ValueId(LocationId)>& latest)> ends_well{};
    /// Called for every data race of every execution, the access that came later first, until one is what is looked for. Empty: races are not asked
    /// about.
    std::function<bool(OpAt later, OpAt earlier)> is_race_sought{};
    /// Asked about each execution that is built, when it has been asked about its races: is it one that is looked for? Empty: races decide. Only of a GraphRealizer.
    std::function<bool()> is_sought{};
    /// The run is to be shown: also writes that nobody reads reach memory as the model wants it.
    bool shown = false;
};

class Realizer {
  public:
    /// What a location holds at first.
    using Initial = std::function<ValueId(LocationId)>;
    /// Asked now and then.
    using KeepsGoing = std::function<bool()>;
    /// Thrown by `ask` when it does not keep going.
    struct Abandoned {};

    Realizer() = default;
    Realizer(const Realizer&) = delete;
    Realizer& operator=(const Realizer&) = delete;
    virtual ~Realizer() = default;

    /// Is there an execution? It is then run().
    virtual bool ask(const Question& question) = 0;
    /// What was done in the order in which it was done. Unless this is a machine: of each location the order in which writes land is coherence, and nothing
    /// else is meant by it.
    [[nodiscard]] virtual std::span<const Moment> run() const = 0;
    [[nodiscard]] virtual bool is_machine() const = 0;
};

} // namespace heddle
