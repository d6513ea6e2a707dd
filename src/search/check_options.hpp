// What a user may ask of a check, as plain values.
#pragma once

#include "search/check_result.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heddle {

enum class Equivalence : std::uint8_t { Trace, Rf, Value };

/// What makes the search fast, and from when on. No result depends on any of it: a test compares.
struct Tuning {
    bool remember_steps = true; ///< keep what threads do (search/dpor/steps.hpp); false: run them every time
    bool count_last = true;     ///< count the executions that differ in their very last access only; false: build each
    bool count_pairs =
        true; ///< and, under rf, in a last read where coherence is open or with one write behind it; false: build each
    bool count_reads = true; ///< and, under rf, in their last reads where happens-before alone decides; false: build each
    bool share_walks = true; ///< of last writes that need nothing new: what they may revisit is looked for once; false: each time
    bool count_runs = true;  ///< and in a read after which the last thread has one way to its end; false: build each
    bool count_revisits = true; ///< and, under rf, those that a revisit by the last write leads to, if it is one; false: build it
    std::size_t revisits_of_reads =
        1; ///< of a last write that revisits not more than so many reads so that more is to be explored then: what it revisits is found, and offered, before its thread's read is there
    bool narrow_revisits = true; ///< look for reads to revisit where some can be; false: everywhere
    bool whole_iterations =
        true; ///< of loops that only try again: no dead ends there (search/dpor/explorer_iterations.cpp, search/value/value_iterations.cpp)
    bool await_iterations = true; ///< the same of loops that wait (search/dpor/explorer_awaits.cpp); false: they are read by read
    bool await_strangers =
        true; ///< where such a loop reads one location, also writes that know nothing of each other; false: it is read by read if there are any
    bool learn_together =
        true; ///< of such loops: what one has led to is taken to hold for those that look like it; false: each is learnt by itself
    bool learn_more =
        true; ///< rf: where a location turns out to be waited on the search goes on to the end of that execution, for more of these; false: it starts again at once
    bool learn_in_place =
        true; ///< rf: and where the location's coherence was forced at all times it goes on, and what it has found counts; false: it starts again
    bool remember_idle = true;    ///< a thread that waits is not asked about again before something new may let it go on
    bool share_frames = true;     ///< events without a choice belong to the frame before; false: each has one
    bool ends_for_joiners = true; ///< the end of a thread is an event only if somebody joins it; false: always
    bool foresee_updates = true;  ///< an update is not made to read what it could not update; false: it is, and ends with nothing
    bool skip_prologue = true;    ///< what main does before anybody else is there is run without events; false: it has events
    bool keep_sc_order = true;    ///< see ModelWays (model/memory_model.hpp)
    bool judge_cycles = true;     ///< see ModelWays
    bool follow_fences = true;    ///< see ModelWays
    bool ask_the_model = true;    ///< of equivalence rf: see RfModel::Ways (model/rf_model.hpp)
    bool use_blocks = true;       ///< see RfModel::Ways
    bool keep_witness = true;     ///< see RfModel::Ways
    bool search_psc = true;       ///< see RfModel::Ways
    bool move_writes = true;      ///< see RfModel::Ways
    bool try_the_graph = true;    ///< of equivalence rf, where coherence is open: ask the graph's coherence (model/rf_model.hpp)
    bool foresee_reads = true;    ///< see RfModel::Ways
    bool foresee_latest = true;   ///< see RfModel::Ways
    bool saturate = true;         ///< and then what must be (model/saturated_order.hpp); false: the axioms
    bool foresee_ends = true;     ///< the last read of an iteration is not tried where it is certain what comes of it
    bool remember_failures =
        true; ///< iterations that fail are asked about at the end of an execution only where there is something new
    bool foresee_iterations =
        true; ///< what an iteration may read is found out without adding it, where the model can tell (search/dpor/explorer_foresight.cpp)
    std::size_t few_writes = 8;          ///< of a location, up to which they are looked through each time they are asked about
    unsigned look_every = 1024;          ///< steps between looks at the clock and at who wants work
    std::chrono::milliseconds alone{20}; ///< of processor time, before other workers are started
    bool give_all = false;               ///< parts of the search are given away though nobody wants them: for tests of parts
    bool run_the_machine = true;         ///< of the search by values, under models that are machines; false: build executions
    // Of the search by values. These save work; what is found is the same.
    bool quick_answers = true; ///< values that are used up, or that a thread is past, are not asked about
    bool as_if_sc = true;    ///< under rc11 programs without races all of whose atomic accesses are seq_cst are explored under sc
    bool borrow_runs = true; ///< under ra and rc11 a machine that they allow is asked for a run before executions are built
    bool quick_races = true; ///< executions are not built to look for races where happens-before certainly orders all conflicts
    bool race_cases = true;  ///< nor where it certainly does so whatever is assumed that some reads have read
    bool certain_races = true; ///< that it does is first asked of what was read from the only store of its value
    bool harmless_failures =
        true; ///< where iterations that fail read nothing that anybody accesses plainly is found once, not for each history
    bool quick_failures = true; ///< histories with an iteration that fails put in are asked about only if that might race
    bool quick_news = true;     ///< nor whether something could be read before stores that have nothing to do with it
    bool keep_run = true;       ///< a run of the history at hand is kept, and reads are put into it (search/value/known_run.hpp)
    bool keep_execution = true; ///< under ra and rc11 an execution (search/value/known_execution.hpp)
    bool certain_order = true;  ///< nor values that are certainly overwritten (search/value/certain_order.hpp)
    bool forced_order = true;   ///< nor what is a contradiction (search/value/forced_order.hpp)
    bool forced_cases = true;   ///< under ra and rc11 cases of it say yes, too (search/value/forced_order_cases.cpp)
    bool forced_runs = true;    ///< under sc a run is found from what is forced, before the machine is asked for one
    bool keep_forced = true;    ///< what follows from a history is kept for those that go on with it; false: found each time
    bool settled_reads =
        true; ///< of what is forced: reads of which nothing new can follow are not looked at; false: in the end they are, to check that
    bool remember_outlook = true; ///< who stands still, and what may be last, is kept until something changes
    bool quick_runs = true;       ///< runs of a machine: which write comes next is not always a choice
    bool foresight = true;        ///< a read is postponed only if it may get something else
    bool know_by_place = true; ///< what threads may still do is known by where they stand, too (search/value/foreknowledge.hpp)
    bool look_around = true;   ///< after a surprise: what threads do in any executions is seen, before the search starts again
    bool certain_first = true; ///< threads whose reads need not be postponed go first
    // Of the search over states. Its counts of states depend on these, its verdicts do not.
    bool delayed_flushing = true; ///< stores leave buffers when somebody could notice; false: each flush is a step of its own
    bool collapse_local = true;   ///< steps that no other thread can notice are done at once
    bool private_objects = true;  ///< what a thread does to an object that nobody else can reach is such a step
    bool partial_order = true;    ///< so is what nothing that others may still do depends on (search/stateful/independence.hpp)
    // And not even the counts on these.
    bool remember_moves =
        true; ///< what an operation does to pending stores (search/stateful/pending_moves.hpp), or a step to a list of parts, or a store to an object, and who goes on at once (search/stateful/choices.hpp), is looked up
    std::size_t share_from = 1024;        ///< states of a level, from which on it is shared out among workers
    std::size_t forget_from = 200'000;    ///< things that a worker remembers, from which on it forgets them
    std::size_t collect_from = 16u << 20; ///< bytes of parts, from which on those that nobody needs go (with hash_compaction)
};

struct CheckOptions {
    std::string model = "rc11";
    Equivalence equivalence = Equivalence::Trace;
    bool races = false;      ///< report data races also under models where they are not errors
    bool keep_going = false; ///< collect the distinct violations instead of stopping at the first
    bool leaks = true;
    bool stuck = true; ///< report deadlocks, and threads that spin for ever
    bool spurious_wakeups = false;
    std::uint64_t unroll = 0;         ///< cut loops after so many iterations; 0: do not
    std::uint64_t max_executions = 0; ///< 0: no limit
    std::uint64_t max_memory_mb = 0;  ///< of the process; 0: nine tenths of what the machine has
    double timeout = 0;               ///< seconds; 0: no limit
    unsigned jobs = 1;                ///< workers
    // Of the search over states:
    std::uint64_t buffer = 0;     ///< stores that a buffer holds at most; 0: any number
    bool hash_compaction = false; ///< keep a hash of each state instead of the state
    bool termination = false;     ///< report executions that never end although every thread that can go on does
    Tuning tuning{};
    /// Called about ten times a second. True: stop with what is known (the user pressed ctrl-C).
    std::function<bool(const Progress&)> progress{};
    /// For tests, and with one worker: called with the global variables' bytes (globals_as_text) at the end of executions in which every thread
    /// ended, at least once for each such text that there is. (The DPOR search needs count_last to be off.)
    std::function<void(const std::string&)> final_memory{};
};

} // namespace heddle
