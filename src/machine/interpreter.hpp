// Interpreter: one call of Machine::run or Machine::resume. Internal to src/machine.
//
// The hot loop (interpreter.cpp) keeps the top frame's arrays in registers and does the common instructions itself; everything else is a
// call of `slow`, after which the loop reloads, because a slow instruction may have pushed, popped or replaced the top frame.
#pragma once

#include "machine/machine.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace heddle {

class Interpreter {
  public:
    /// `action` is fresh: `run` writes the next action into it. `complete` needs none.
    Interpreter(Machine& machine, ThreadState& thread, const Objects* objects, Memory* direct, Action* action)
        : machine_(machine), program_(machine.program()), thread_(thread), objects_(objects), direct_(direct),
          fuel_(machine.options().patience), iterations_(machine.options().unroll - 1),
          loops_act_(machine.options().loops && !direct), action_(action) {}

    /// See Machine::run.
    void run();
    /// See Machine::resume. `direct_` may be set: then this is the loop finishing an access of its own.
    void complete(const Value& outcome);

  private:
    enum class Next { Go, Stop }; ///< after an instruction: the thread runs on, or stands at `action_`

    // --- interpreter.cpp: the loop
    template <Shadow S> bool loop();
    Next slow(const Instr& i);
    Next arithmetic(const Instr& i);
    Next loop_head(const Instr& i);

    // --- registers, with whatever shadow the top frame has
    Frame& frame() { return *thread_.top; }
    [[nodiscard]] std::uint64_t slot(Slot s) { return frame().slots()[s]; }
    [[nodiscard]] std::uint64_t undef(Slot s) { return frame().shadow == Shadow::Plain ? 0 : frame().undef()[s]; }
    [[nodiscard]] DepSet deps(Slot s) { return frame().shadow == Shadow::UndefAndDeps ? frame().slot_deps()[s] : 0; }
    /// Gives the top frame a shadow when `undef_bits` need one.
    void set(Slot s, std::uint64_t value, std::uint64_t undef_bits, DepSet d);
    [[nodiscard]] Value value_of(Slot s, unsigned size);
    [[nodiscard]] DepSet deps_of(Slot s, unsigned size);
    void set_value(Slot s, const Value& v, unsigned width, DepSet d);
    void advance() { ++frame().pc; }

    // --- interpreter_memory.cpp
    /// Private memory (or constants, or with `direct_` any memory) at hand.
    struct View {
        std::uint8_t* bytes = nullptr;
        std::uint8_t* undef = nullptr; ///< null: all defined (only in views for reading)
        DepSet* deps = nullptr;        ///< null: none kept
    };
    enum class Reach { Here, Elsewhere, Fault };
    /// Finds `size` bytes at `address`: Here (in `view`), Elsewhere (shared: an action is needed) or Fault (for trap_fault).
    Reach reach(Address address, std::uint64_t size, bool write, bool atomic, View& view);
    Reach reach_local(Address address, std::uint64_t size, bool write, View& view);
    Reach reach_block(Address address, std::uint64_t size, bool write, View& view);
    Reach reach_shared(Address address, std::uint64_t size, bool write, bool atomic, View& view);
    Reach fault(Fault what);
    /// The frame that owns the local region `region`, or null; made this thread's own when `write`.
    Frame* frame_of_region(std::uint32_t region, bool write);
    Value load_view(const View& view, unsigned size, DepSet& d) {
        Value v;
        const unsigned low = size < 8 ? size : 8;
        std::memcpy(&v.lo, view.bytes, low);
        if (view.undef) {
            std::memcpy(&v.undef_lo, view.undef, low);
        }
        if (size > 8) {
            std::memcpy(&v.hi, view.bytes + 8, size - 8);
            if (view.undef) {
                std::memcpy(&v.undef_hi, view.undef + 8, size - 8);
            }
        }
        if (view.deps) {
            for (unsigned k = 0; k < size; ++k) {
                d = machine_.deps().unite(d, view.deps[k]);
            }
        }
        return v;
    }
    /// `view` is for writing, so it has a shadow.
    static void store_view(const View& view, unsigned size, const Value& v, DepSet d) {
        const unsigned low = size < 8 ? size : 8;
        std::memcpy(view.bytes, &v.lo, low);
        std::memcpy(view.undef, &v.undef_lo, low);
        if (size > 8) {
            std::memcpy(view.bytes + 8, &v.hi, size - 8);
            std::memcpy(view.undef + 8, &v.undef_hi, size - 8);
        }
        if (view.deps) {
            std::fill_n(view.deps, size, d);
        }
    }
    [[nodiscard]] const Object* shared_object(Address address, unsigned size, Order order) const;
    Action& act_on(ActionKind kind, const Instr& i, Address address, unsigned size);
    Next load(const Instr& i);
    Next store(const Instr& i);
    Next rmw(const Instr& i);
    Next cmpxchg(const Instr& i);
    Next fence(const Instr& i);
    bool undefined_address(Slot address);
    [[nodiscard]] Address checked_pointer(Address from, Address to);
    [[nodiscard]] bool stays_near(Address from, Address to);

    // --- interpreter_bytes.cpp
    Next copy_bytes(const Instr& i);
    Next set_bytes(const Instr& i);
    void complete_bytes(const Instr& i, const Value& outcome);
    void finish_bytes();

    // --- interpreter_objects.cpp
    Next alloca_object(const Instr& i);
    Next end_stack_objects(std::size_t down_to);
    void forget_stack_object();
    Next thread_local_address(const Instr& i);
    // Where the thread's next object goes. An Alloc action only looks (running a thread again must give the same action again); the counter
    // moves when the action completes.
    [[nodiscard]] std::optional<Address> next_heap_address(std::uint64_t size, std::uint64_t align) const;
    [[nodiscard]] std::optional<Address> next_stack_address(std::uint64_t size, std::uint64_t align) const;
    void take_heap_address(Address address, std::uint64_t size, std::uint64_t align);
    void take_stack_address(Address address, std::uint64_t size, std::uint64_t align);
    /// `action_` becomes an Alloc at `address`; false, and a trap, when there is none.
    bool prepare_alloc(std::optional<Address> address, std::uint64_t size, std::uint64_t align, ObjectKind kind);
    PrivateMemory& own_memory();
    /// Null when the thread's private regions are used up.
    PrivateBlock* new_block(std::uint64_t align, ObjectKind kind, Ref<Block> data);
    [[nodiscard]] static ObjectNote note_of(const PrivateBlock& block, Address address);

    // --- interpreter_calls.cpp
    Next call(const Instr& i, FunctionId callee, unsigned args, unsigned results);
    Next call_pointer(const Instr& i);
    Next ret(const Instr& i);

    // --- interpreter_builtins.cpp
    Next builtin(const Instr& i);
    Next builtin_memory(const Instr& i, Builtin id);
    Next builtin_thread(const Instr& i, Builtin id);
    Next builtin_wait(const Instr& i, Builtin id);
    Next builtin_value(const Instr& i, Builtin id);
    void complete_builtin(const Instr& i, const Value& outcome, DepSet read);
    void complete_exit();
    Next exit_thread();
    std::optional<std::string> private_text(Address address, std::optional<std::uint64_t> size);
    [[nodiscard]] Slot argument(const Instr& i, unsigned n) { return frame().function->operands[i.y() + n]; }

    // --- actions and traps
    void note_address(const Instr& i);
    /// A fresh action at the present place, with the control dependencies.
    Action& act(ActionKind kind);
    /// Carries the action out at once where `direct_` allows, else stops at it.
    Next emit();
    Next trap(TrapKind kind, std::string message, std::optional<ObjectNote> object = {});
    /// See Action::in_passing.
    Next trap_in_passing(TrapKind kind, std::string message);
    void complete_division(const Instr& i);
    Next trap_fault();
    Next trap_undefined(const char* what);
    Next trap_undefined_in_passing(const char* what);

    Machine& machine_;
    const Program& program_;
    ThreadState& thread_;
    const Objects* objects_;
    Memory* direct_;
    std::uint64_t fuel_;             ///< until a Pause
    const std::uint64_t iterations_; ///< a loop whose counter is above must not begin another; unbounded: the largest number
    const bool loops_act_;           ///< an iteration of a loop that acts is an action
    Action* action_;
    bool acted_ = false;           ///< `action_` is not fresh any more
    std::unique_ptr<Fault> fault_; ///< why `reach` failed
};

/// The user's places from the innermost call outwards; runtime functions are left out unless there is nothing else.
std::vector<PlaceId> stack_of(const ThreadState& thread);

} // namespace heddle
