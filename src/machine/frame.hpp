// Frame: one activation of a function: registers and local variables, in one piece of memory. Shared by reference count, copied on write.
//
// The chain of callers hangs from `parent`. Keeping a thread state keeps the top frame, one increment whatever the depth; the first
// change after that copies one frame.
//
// Two optional shadows follow the registers. `undef` says which bits of a register were never written; frames start without it ("plain")
// and get it when a value with undefined bits first enters them, so that programs without such values pay nothing. `deps` says which
// reads a register depends on; all frames of a machine with Options::dependencies have both shadows.
#pragma once

#include "machine/deps.hpp"
#include "program/program.hpp"
#include "support/ref.hpp"

#include <cstdint>

namespace heddle {

enum class Shadow : std::uint8_t { Plain, Undef, UndefAndDeps };

struct Frame : RefCounted {
    const Function* function;
    Ref<Frame> parent;
    std::uint32_t pc = 0;           ///< the instruction to execute, or standing at as an action; in a caller: its call
    std::uint32_t region_base = 0;  ///< first region (AddressKind::Local) of this frame's locals
    std::uint32_t stack_mark = 0;   ///< how many stack objects there were at entry
    std::uint32_t total_bytes = 0;  ///< of this and all outer frames: the depth of the stack
    std::uint32_t bytes;            ///< of this frame
    Slot result_slot = kNoSlot;     ///< where the caller wants the results
    std::uint16_t result_count = 0; ///< how many it wants
    Shadow shadow;
    // Progress of an instruction that takes several actions (memcpy and its like): zero between instructions.
    DepSet chunk_deps = 0;
    std::uint64_t progress = 0; ///< bytes done, times two; odd: `chunk` is loaded and waits to be stored
    std::uint64_t chunk = 0;
    std::uint64_t chunk_undef = 0;

    /// A frame at the function's first instruction: constants set, locals undefined, everything else zero.
    static Ref<Frame> make(const Function& function, Shadow shadow);
    /// An equal frame that nobody else refers to, with `shadow` (which has at least what `from` has).
    static Ref<Frame> copy(const Frame& from, Shadow shadow);
    static void destroy(Frame* frame);

    // The arrays behind the header.
    std::uint64_t* slots() { return reinterpret_cast<std::uint64_t*>(this + 1); }
    std::uint64_t* undef() { return slots() + function->slots; }
    std::uint8_t* local_bytes() {
        return reinterpret_cast<std::uint8_t*>(slots() + (shadow == Shadow::Plain ? 1 : 2) * std::size_t{function->slots});
    }
    std::uint8_t* local_undef() { return local_bytes() + function->local_bytes; }
    DepSet* slot_deps() {
        return reinterpret_cast<DepSet*>(local_bytes() + ((std::size_t{function->local_bytes} * 2 + 7) & ~std::size_t{7}));
    }
    DepSet* local_deps() { return slot_deps() + function->slots; }
    const std::uint64_t* slots() const { return const_cast<Frame*>(this)->slots(); }
    const std::uint64_t* undef() const { return const_cast<Frame*>(this)->undef(); }
    const std::uint8_t* local_bytes() const { return const_cast<Frame*>(this)->local_bytes(); }
    const std::uint8_t* local_undef() const { return const_cast<Frame*>(this)->local_undef(); }

    [[nodiscard]] const Instr& instr() const { return function->code[pc]; }

  private:
    Frame(const Function& f, Shadow s, std::uint32_t size) : function(&f), bytes(size), shadow(s) {}
    ~Frame() = default;
    static std::uint32_t size_of(const Function& function, Shadow shadow);
    static Frame* allocate(const Function& function, Shadow shadow);
};

} // namespace heddle
