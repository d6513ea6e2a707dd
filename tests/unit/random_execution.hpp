// Random executions for tests of models: events of a few threads with random words, random reads-from and coherence. Most of them are small enough
// that about as many are consistent as not.
#pragma once

#include "graph/execution.hpp"

#include <random>

namespace heddle::test {

struct ExecutionShape {
    Architecture architecture = Architecture::C; ///< whose orders and fences occur
    std::size_t threads = 3;
    std::size_t accesses = 8; ///< at most, in all threads
    std::size_t locations = 2;
    bool boundaries = false;   ///< Spawn, Begin, End, Join: thread 0 starts and joins the others
    bool dependencies = false; ///< addr, data, ctrl
};

/// Sources and coherence included. Reads have an Init or Write of their location as source, never their own write.
Execution random_execution(std::mt19937_64& random, const ExecutionShape& shape);

/// Other sources, another coherence, for the same events.
void choose_sources(Execution& x, std::mt19937_64& random);
void choose_coherence(Execution& x, std::mt19937_64& random);

} // namespace heddle::test
