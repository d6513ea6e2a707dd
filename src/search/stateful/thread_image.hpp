// ThreadImages: a thread between two actions as words, equal for threads that behave equally, and back.
//
// In the image is what the thread can still notice: of each frame the registers and locals that the code from there on may read
// (program/liveness.hpp), its private memory, its stack objects, its numbers of objects and children. Left out: dead registers, the number of its
// actions, dependencies, whether a frame has a shadow that says "all defined". A thread that is made from an image has zeros where
// nothing is live.
#pragma once

#include "machine/thread_state.hpp"
#include "program/liveness.hpp"

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace heddle::stateful {

using Words = std::vector<std::uint64_t>;

class ThreadImages {
  public:
    /// `counters`: the counters of loops matter (there is a bound on iterations).
    ThreadImages(const Program& program, bool counters) : program_(program), live_(program, counters) {}

    void encode(const ThreadState& thread, Words& into);
    ThreadState decode(std::span<const std::uint64_t> words);

    /// Calls `visit(std::uint64_t&)` with every word that may hold an address and can still be read; those of memory at multiples of 8. What is
    /// written to them changes the thread. Pre: nobody shares the frames and blocks of `thread` (as after `decode`), or `visit` changes nothing.
    template <class F> void each_word(const ThreadState& thread, F&& visit);

  private:
    /// What is live in the frame, and what its callee is about to overwrite.
    struct FrameLive {
        const LiveAt* at;
        Slot result_slot;
        std::uint32_t result_count;
        [[nodiscard]] bool is_result(Slot s) const {
            return result_slot != kNoSlot && s >= result_slot && s < std::uint32_t{result_slot} + result_count;
        }
    };
    FrameLive live_in(const Frame& frame, const Frame* callee) {
        // The top frame stands before its instruction; a caller's has read its operands and goes on after it.
        return {.at = &live_.before(*frame.function, callee ? frame.pc + 1 : frame.pc),
                .result_slot = callee ? callee->result_slot : kNoSlot,
                .result_count = callee ? callee->result_count : 0u};
    }
    template <class F> static void each_word_of(std::uint8_t* bytes, std::size_t size, F&& visit) {
        for (std::size_t at = 0; at + 8 <= size; at += 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + at, 8);
            const std::uint64_t before = word;
            visit(word);
            if (word != before) {
                std::memcpy(bytes + at, &word, 8);
            }
        }
    }
    void encode_frame(const Frame& frame, const Frame* callee, Words& into);
    static void encode_memory(const ThreadState& thread, Words& into);

    const Program& program_;
    LiveSets live_;
};

template <class F> void ThreadImages::each_word(const ThreadState& thread, F&& visit) {
    const Frame* callee = nullptr;
    for (Frame* f = thread.top.raw(); f; f = f->parent.raw()) {
        const FrameLive live = live_in(*f, callee);
        for (const Slot s : live.at->slots) {
            if (!live.is_result(s)) {
                visit(f->slots()[s]);
            }
        }
        for (const std::uint32_t l : live.at->locals) {
            const Local& local = f->function->locals[l];
            each_word_of(f->local_bytes() + local.offset, local.size, visit);
        }
        visit(f->chunk);
        callee = f;
    }
    PrivateMemory& memory = *thread.memory;
    for (PrivateBlock& b : memory.blocks) {
        each_word_of(b.data->bytes(), b.data->size(), visit);
    }
    for (StackObject& o : memory.stack) {
        visit(o.address);
    }
    for (Address& a : memory.thread_locals) {
        visit(a);
    }
    auto& result = const_cast<Value&>(thread.result);
    visit(result.lo);
    visit(result.hi);
}

} // namespace heddle::stateful
