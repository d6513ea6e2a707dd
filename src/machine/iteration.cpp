#include "machine/iteration.hpp"

#include <algorithm>
#include <cstring>

namespace heddle {

namespace {

/// A register with its undefined bits, whatever shadow the frame has: a plain one has none.
bool same_slot(const Frame& a, const Frame& b, Slot s) {
    const std::uint64_t undef_a = a.shadow == Shadow::Plain ? 0 : a.undef()[s];
    const std::uint64_t undef_b = b.shadow == Shadow::Plain ? 0 : b.undef()[s];
    return a.slots()[s] == b.slots()[s] && undef_a == undef_b;
}

bool same_local_bytes(const Frame& a, const Frame& b, std::size_t offset, std::size_t size) {
    return std::memcmp(a.local_bytes() + offset, b.local_bytes() + offset, size) == 0 &&
           std::memcmp(a.local_undef() + offset, b.local_undef() + offset, size) == 0;
}

/// Everything about two activations but their registers and locals.
bool same_activation(const Frame& a, const Frame& b) {
    return a.function == b.function && a.pc == b.pc && a.region_base == b.region_base && a.stack_mark == b.stack_mark &&
           a.total_bytes == b.total_bytes && a.result_slot == b.result_slot && a.result_count == b.result_count &&
           a.progress == b.progress && a.chunk == b.chunk && a.chunk_undef == b.chunk_undef;
}

/// Callers do not run meanwhile, so mostly they are the very same; one that was written through a pointer, or copied, is looked through.
bool same_callers(const Frame* a, const Frame* b) {
    for (; a != b; a = a->parent.raw(), b = b->parent.raw()) {
        if (!a || !b || !same_activation(*a, *b) || !same_local_bytes(*a, *b, 0, a->function->local_bytes)) {
            return false;
        }
        for (unsigned s = 0; s < a->function->first_constant; ++s) {
            if (!same_slot(*a, *b, static_cast<Slot>(s))) {
                return false;
            }
        }
    }
    return true;
}

bool same_live(const Frame& a, const Frame& b, const Loop& loop) {
    return std::ranges::all_of(loop.live, [&](Slot s) { return same_slot(a, b, s); }) &&
           std::ranges::all_of(loop.live_locals, [&](std::uint32_t l) {
               const Local& local = a.function->locals[l];
               return same_local_bytes(a, b, local.offset, local.size);
           });
}

bool same_bytes(const Block& a, const Block& b) {
    if (&a == &b) {
        return true;
    }
    if (a.size() != b.size() || std::memcmp(a.bytes(), b.bytes(), a.size()) != 0) {
        return false;
    }
    if (a.undef() && b.undef()) {
        return std::memcmp(a.undef(), b.undef(), a.size()) == 0;
    }
    return !a.has_undef(0, a.size()) && !b.has_undef(0, b.size());
}

bool same_memory(const PrivateMemory& a, const PrivateMemory& b) {
    if (&a == &b) {
        return true;
    }
    return a.next_region == b.next_region && a.thread_locals == b.thread_locals &&
           std::ranges::equal(
               a.stack, b.stack,
               [](const StackObject& x, const StackObject& y) { return x.address == y.address && x.size == y.size; }) &&
           std::ranges::equal(a.blocks, b.blocks, [](const PrivateBlock& x, const PrivateBlock& y) {
               return x.base == y.base && x.size == y.size && x.kind == y.kind && same_bytes(*x.data, *y.data);
           });
}

bool same_counters(const ThreadState& a, const ThreadState& b) {
    return a.id == b.id && a.exiting == b.exiting && a.stack_regions_wrapped == b.stack_regions_wrapped &&
           a.spawned == b.spawned && a.next_heap_region == b.next_heap_region && a.next_stack_region == b.next_stack_region &&
           a.stack_bytes == b.stack_bytes;
}

} // namespace

std::size_t depth(const ThreadState& thread) {
    std::size_t frames = 0;
    for (const Frame* f = thread.top.raw(); f; f = f->parent.raw()) {
        ++frames;
    }
    return frames;
}

std::optional<LoopHead> loop_head(const ThreadState& thread) {
    if (!thread.top || thread.exiting || thread.top->instr().op != Op::Loop) {
        return std::nullopt;
    }
    return LoopHead{
        .function = thread.top->function, .loop = static_cast<std::uint32_t>(thread.top->instr().imm), .depth = depth(thread)};
}

bool same_iteration(const ThreadState& before, const ThreadState& now) {
    if (!before.top || !now.top || before.top->instr().op != Op::Loop) {
        return false;
    }
    const Frame& a = *before.top;
    const Frame& b = *now.top;
    return same_counters(before, now) && same_activation(a, b) && same_live(a, b, a.function->loops[a.instr().imm]) &&
           same_callers(a.parent.raw(), b.parent.raw()) && same_memory(*before.memory, *now.memory);
}

} // namespace heddle
