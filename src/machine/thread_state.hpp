// ThreadState: everything a thread is between two actions. A value: copying it is two reference counts and a few words.
#pragma once

#include "machine/frame.hpp"
#include "machine/private_memory.hpp"
#include "machine/value.hpp"

#include <cstdint>

namespace heddle {

struct ThreadState {
    Ref<Frame> top; ///< null: the thread has ended
    Ref<PrivateMemory> memory;
    ThreadId id;
    bool exiting = false; ///< on its way out: stack objects are being ended, then it is done
    bool stack_regions_wrapped = false;
    std::uint32_t actions = 0; ///< how many it has done: names the reads in dependencies
    std::uint32_t spawned = 0; ///< how many threads it made
    std::uint32_t next_heap_region = 0;
    std::uint32_t next_stack_region = 0;
    std::uint64_t stack_bytes = 0; ///< of its stack objects (frames count themselves)
    DepSet control = 0;            ///< the reads that decided how it got here
    DepSet addresses = 0;          ///< the reads that decided where it has accessed memory so far, private memory included
    Value result;                  ///< once exiting
};

} // namespace heddle
