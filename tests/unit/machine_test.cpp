// The machine by itself: what is an action and what is not, states as values, names, dependencies, undefined bits.
#include "assembler.hpp"
#include "machine/machine.hpp"
#include "machine/thread_names.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using testing_support::Assembler;
using testing_support::global_address;
using testing_support::make_program;

/// Runs the thread to its end, with SC memory, and returns what it ended with.
Value finish(Machine& machine, ThreadState& thread, Memory& memory) {
    for (;;) {
        const Action a = machine.run(thread, memory.objects());
        if (a.kind == ActionKind::Done) {
            return a.value;
        }
        EXPECT_NE(a.kind, ActionKind::Trap) << a.trap->message;
        if (a.kind == ActionKind::Trap) {
            return {};
        }
        machine.resume(thread, *memory.perform(a));
    }
}

TEST(Machine, SharedAccessesAreActionsAndRepeatUntilResumed) {
    Assembler f("main");
    const Slot g = f.constant(global_address(0));
    const Slot v = f.load(g, 4, Order::Acquire);
    f.store(g, v, 8);
    f.exit(v);
    const Program p = make_program({f.finish()}, 1);
    Machine machine(p);
    const Memory memory(p);
    ThreadState t = machine.start_main();

    for (int again = 0; again < 2; ++again) {
        const Action a = machine.run(t, memory.objects());
        EXPECT_EQ(a.kind, ActionKind::Load);
        EXPECT_EQ(a.order, Order::Acquire);
        EXPECT_EQ(a.address, global_address(0));
        EXPECT_EQ(a.size, 4);
    }
    machine.resume(t, {.lo = 7});
    const Action store = machine.run(t, memory.objects());
    EXPECT_EQ(store.kind, ActionKind::Store);
    EXPECT_EQ(store.value.lo, 7u);
    machine.resume(t, {});
    EXPECT_EQ(machine.run(t, memory.objects()).value.lo, 7u);
    EXPECT_EQ(machine.run(t, memory.objects()).kind, ActionKind::Done);
}

TEST(Machine, PrivateAccessesAreNot) {
    Assembler f("main");
    const auto local = f.local(16);
    const Slot p = f.slot();
    f.emit(Op::LocalAddr, p, 0, 0, local);
    const Slot q = f.slot();
    f.emit(Op::PtrAdd, q, p, 0, 8);
    f.store(q, f.constant(42), 8);
    const Slot v = f.load(q, 8);
    f.exit(v);
    const Program program = make_program({f.finish()});
    Machine machine(program);
    const Memory memory(program);
    ThreadState t = machine.start_main();
    const Action a = machine.run(t, memory.objects());
    EXPECT_EQ(a.kind, ActionKind::Done);
    EXPECT_EQ(a.value.lo, 42u);
}

/// main calls add(x) = x + local, where local was written before the action: the kept state must keep it.
Program nested_program() {
    Assembler inner("inner", 1, 1);
    const Slot g = inner.constant(global_address(0));
    const auto local = inner.local(8);
    inner.emit(Op::StoreLocal, 0, static_cast<Slot>(local), 0, Instr::pack(0, 8u | (64u << 16)));
    const Slot v = inner.load(g, 8);
    const Slot kept = inner.slot();
    inner.emit(Op::LoadLocal, kept, static_cast<Slot>(local), 0, Instr::pack(0, 8u | (64u << 16)));
    const Slot sum = inner.slot();
    inner.emit(Op::Add, sum, v, kept, ~std::uint64_t{0});
    inner.emit(Op::StoreLocal, 0, static_cast<Slot>(local), sum, Instr::pack(0, 8u | (64u << 16)));
    const Slot w = inner.load(g, 8);
    const Slot again = inner.slot();
    inner.emit(Op::LoadLocal, again, static_cast<Slot>(local), 0, Instr::pack(0, 8u | (64u << 16)));
    inner.emit(Op::Add, sum, w, again, ~std::uint64_t{0});
    inner.emit(Op::Ret, 0, 1, 0, Instr::pack(0, inner.operands({sum})));

    Assembler outer("main");
    const Slot r = outer.slot();
    outer.emit(Op::Call, r, 1, 0, Instr::pack(1, outer.operands({outer.constant(100)})));
    outer.exit(r);
    return make_program({outer.finish(), inner.finish()}, 1);
}

TEST(Machine, KeptStatesAreIndependent) {
    const Program p = nested_program();
    Machine machine(p);
    const Memory memory(p);
    ThreadState t = machine.start_main();
    (void)machine.run(t, memory.objects());
    const ThreadState first = t;
    machine.resume(t, {.lo = 1});
    (void)machine.run(t, memory.objects());
    const ThreadState second = t;
    machine.resume(t, {.lo = 10});
    EXPECT_EQ(machine.run(t, memory.objects()).value.lo, 111u);

    ThreadState again = second;
    machine.resume(again, {.lo = 20});
    EXPECT_EQ(machine.run(again, memory.objects()).value.lo, 121u);
    ThreadState from_first = first;
    machine.resume(from_first, {.lo = 5});
    (void)machine.run(from_first, memory.objects());
    machine.resume(from_first, {.lo = 7});
    EXPECT_EQ(machine.run(from_first, memory.objects()).value.lo, 112u);
    again = second;
    machine.resume(again, {.lo = 30});
    EXPECT_EQ(machine.run(again, memory.objects()).value.lo, 131u);
}

TEST(Machine, AddressesDependOnTheThreadAlone) {
    Assembler f("main");
    const Slot a = f.builtin(Builtin::Alloc, {f.constant(24), f.constant(16), f.constant(0)});
    f.store(f.constant(global_address(0)), a, 8);
    const Slot b = f.builtin(Builtin::Alloc, {f.constant(10000), f.constant(16), f.constant(0)});
    f.exit(b);
    const Function code = f.finish();
    const Program p = make_program({code}, 1);
    Machine machine(p);
    const auto names_of = [&](bool first_thread_first) {
        Memory memory(p);
        std::array<ThreadState, 2> threads{machine.start_main(), machine.start_main()};
        threads[1].id = ThreadId(1);
        std::array<std::uint64_t, 2> results{};
        const std::size_t first = first_thread_first ? 0 : 1;
        results[first] = finish(machine, threads[first], memory).lo;
        results[1 - first] = finish(machine, threads[1 - first], memory).lo;
        return results;
    };
    EXPECT_EQ(names_of(true), names_of(false));
    EXPECT_NE(names_of(true)[0], names_of(true)[1]);
}

TEST(Machine, DependencySetsAreSets) {
    DepPool pool;
    const DepSet ab = pool.unite(pool.single(3), pool.single(1));
    const DepSet ba = pool.unite(pool.single(1), pool.single(3));
    const DepSet all = pool.unite(pool.unite(ab, pool.single(2)), pool.unite(ba, pool.single(7)));
    EXPECT_EQ(pool.elements(0), (std::vector<std::uint32_t>{}));
    EXPECT_EQ(pool.elements(pool.single(0)), (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(pool.elements(ba), pool.elements(ab));
    EXPECT_EQ(pool.elements(all), (std::vector<std::uint32_t>{1, 2, 3, 7}));
    EXPECT_EQ(pool.unite(ab, pool.single(1)), ab);
    EXPECT_EQ(pool.unite(pool.single(1), ab), ab);
    EXPECT_EQ(pool.unite(0, ab), ab);
}

TEST(Machine, ThreadNamesDependOnParentAndIndex) {
    ThreadNames names;
    const auto a = names.child(ThreadId(0), 0);
    const auto b = names.child(ThreadId(0), 1);
    const auto c = names.child(*a, 0);
    EXPECT_EQ(names.child(ThreadId(0), 1), b);
    EXPECT_EQ(names.child(*a, 0), c);
    EXPECT_EQ(names.child(ThreadId(0), 0), a);
}

TEST(Machine, DependenciesAreSyntactic) {
    // r = load g0; s = load [g1 + (r ^ r)]; if (r) ; store g2 = s (data), after the branch (control)
    Assembler f("main");
    const Slot r = f.load(f.constant(global_address(0)), 8);
    const Slot zero = f.slot();
    f.emit(Op::Xor, zero, r, r);
    const Slot address = f.slot();
    f.emit(Op::Gep, address, f.constant(global_address(1)), zero, Instr::pack(1, 0));
    const Slot s = f.load(address, 8);
    const auto local = f.local(8);
    f.emit(Op::StoreLocal, 0, static_cast<Slot>(local), s, Instr::pack(0, 8u | (64u << 16))); // through private memory
    const Slot t = f.slot();
    f.emit(Op::LoadLocal, t, static_cast<Slot>(local), 0, Instr::pack(0, 8u | (64u << 16)));
    f.emit(Op::Br, 0, r, 0, Instr::pack(f.here() + 1, f.here() + 1));
    f.store(f.constant(global_address(2)), t, 8);
    f.exit(t);
    const Program p = make_program({f.finish()}, 3);
    Machine machine(p, {.dependencies = true});
    const Memory memory(p);
    ThreadState thread = machine.start_main();
    const auto set = [&](DepSet d) { return machine.deps().elements(d); };
    using Reads = std::vector<std::uint32_t>;

    const Action first = machine.run(thread, memory.objects());
    EXPECT_EQ(set(first.deps.address), Reads{});
    machine.resume(thread, {.lo = 1});
    const Action second = machine.run(thread, memory.objects());
    EXPECT_EQ(set(second.deps.address), Reads{0});
    EXPECT_EQ(set(second.deps.control), Reads{});
    machine.resume(thread, {.lo = 2});
    const Action store = machine.run(thread, memory.objects());
    EXPECT_EQ(store.kind, ActionKind::Store);
    EXPECT_EQ(set(store.deps.data), Reads{1});
    EXPECT_EQ(set(store.deps.control), Reads{0});
    EXPECT_EQ(set(store.deps.address), Reads{});
}

TEST(Machine, ControlDependenciesEndWhereTheyAreToldTo) {
    // r = load g0; s = load g1; if (s) { if (r) store g2 } store g3: the inner condition ends at the inner join, the outer one goes on
    Assembler f("main");
    const Slot r = f.load(f.constant(global_address(0)), 8);
    const Slot s = f.load(f.constant(global_address(1)), 8);
    f.emit(Op::Br, 0, s, 0, Instr::pack(f.here() + 1, f.here() + 1));
    const Slot mark = f.slot();
    f.emit(Op::ControlMark, mark);
    f.emit(Op::Br, 0, r, 0, Instr::pack(f.here() + 1, f.here() + 1));
    f.store(f.constant(global_address(2)), f.constant(1), 8);
    f.emit(Op::ControlEnd, 0, mark);
    f.store(f.constant(global_address(3)), f.constant(1), 8);
    f.exit(f.constant(0));
    const Program p = make_program({f.finish()}, 4);
    Machine machine(p, {.dependencies = true});
    const Memory memory(p);
    ThreadState thread = machine.start_main();
    std::vector<std::vector<std::uint32_t>> control;
    for (Action a = machine.run(thread, memory.objects()); a.kind != ActionKind::Done;
         a = machine.run(thread, memory.objects())) {
        control.push_back(machine.deps().elements(a.deps.control));
        machine.resume(thread, {.lo = 1});
    }
    const std::vector<std::vector<std::uint32_t>> expected = {{}, {}, {0, 1}, {1}};
    EXPECT_EQ(control, expected);
}

TEST(Machine, AddUnlessAddsOrStops) {
    Assembler f("main");
    const Slot old = f.slot(2);
    const auto flags = static_cast<std::uint16_t>(static_cast<unsigned>(Order::Relaxed) | kUnless);
    f.emit(Op::CmpXchg, old, f.constant(global_address(0)), f.constant(5),
           Instr::pack(f.constant(3), static_cast<std::uint16_t>(Order::SeqCst), 4, flags));
    const Slot both = f.slot(); // old * 10 + success
    f.emit(Op::Mul, both, old, f.constant(10), ~std::uint64_t{0});
    f.emit(Op::Add, both, both, static_cast<Slot>(old + 1), ~std::uint64_t{0});
    f.exit(both);
    const Program p = make_program({f.finish()}, 1);
    for (const bool alone : {false, true}) { // as an action, and in memory at once
        for (const std::uint64_t start : {4, 5}) {
            Machine machine(p);
            Memory memory(p);
            memory.store(global_address(0), 4, {.lo = start});
            ThreadState t = machine.start_main();
            if (!alone) {
                const Action a = machine.run(t, memory.objects());
                ASSERT_EQ(a.kind, ActionKind::Rmw);
                const auto fresh = updated(a, {.lo = start});
                EXPECT_EQ(fresh.has_value(), start == 4);
                EXPECT_EQ(order_of_read(a, fresh.has_value()), start == 4 ? Order::SeqCst : Order::Relaxed);
                machine.resume(t, *memory.perform(a));
            }
            const Action end = machine.run(t, memory);
            EXPECT_EQ(end.value.lo, start == 4 ? 41u : 50u);
            EXPECT_EQ(memory.load(global_address(0), 4).lo, start == 4 ? 7u : 5u);
        }
    }
}

/// Copies 21 bytes within a shared object from offset `from` to `to`, word by word, and compares with memmove.
void check_shared_copy(std::uint64_t from, std::uint64_t to) {
    Assembler f("main");
    const Slot object = f.builtin(Builtin::Alloc, {f.constant(64), f.constant(16), f.constant(1)});
    f.store(f.constant(global_address(0)), object, 8);
    const Slot source = f.slot();
    f.emit(Op::PtrAdd, source, object, 0, from);
    const Slot target = f.slot();
    f.emit(Op::PtrAdd, target, object, 0, to);
    f.emit(Op::MemMove, 0, target, source, Instr::pack(f.constant(21), 0, 0, 0));
    f.exit(object);
    const Program p = make_program({f.finish()}, 1);
    Machine machine(p);
    Memory memory(p);
    ThreadState t = machine.start_main();
    machine.resume(t, *memory.perform(machine.run(t, memory.objects()))); // the allocation
    std::array<std::uint8_t, 64> expected{};
    const Action store = machine.run(t, memory.objects());
    for (unsigned k = 0; k < 64; ++k) {
        expected[k] = static_cast<std::uint8_t>(k + 1);
        memory.store(store.value.lo + k, 1, {.lo = k + 1});
    }
    std::memmove(expected.data() + to, expected.data() + from, 21);
    const Address base = finish(machine, t, memory).lo;
    for (unsigned k = 0; k < 64; ++k) {
        EXPECT_EQ(memory.load(base + k, 1).lo, expected[k]) << "offset " << k << " copying from " << from << " to " << to;
    }
}

TEST(Machine, CopiesOverlapLikeMemmove) {
    check_shared_copy(0, 32);
    check_shared_copy(0, 3);
    check_shared_copy(3, 0);
    check_shared_copy(8, 16);
    check_shared_copy(16, 8);
    check_shared_copy(5, 5);
}

TEST(Machine, CopiesAlignedWordsWhole) {
    Assembler f("main");
    f.emit(Op::MemCpy, 0, f.constant(global_address(0)), f.constant(global_address(1)), Instr::pack(f.constant(8), 0, 0, 0));
    f.exit(f.constant(0));
    const Program p = make_program({f.finish()}, 2);
    Machine machine(p);
    const Memory memory(p);
    ThreadState t = machine.start_main();
    const Action load = machine.run(t, memory.objects());
    EXPECT_EQ(load.kind, ActionKind::Load);
    EXPECT_EQ(load.size, 8);
    machine.resume(t, {.lo = 99, .undef_lo = 0xff00});
    const Action store = machine.run(t, memory.objects());
    EXPECT_EQ(store.kind, ActionKind::Store);
    EXPECT_EQ(store.value.lo, 99u);
    EXPECT_EQ(store.value.undef_lo, 0xff00u); // copying is not deciding
    machine.resume(t, {});
    EXPECT_EQ(machine.run(t, memory.objects()).kind, ActionKind::Done);
}

/// What a thread does with a loaded value of which the bits `undef` are undefined: computes with `op` and a constant, then branches.
ActionKind after_branch_on(Op op, std::uint64_t constant, std::uint64_t imm, std::uint64_t undef) {
    Assembler f("main");
    const Slot v = f.load(f.constant(global_address(0)), 8);
    const Slot r = f.slot();
    f.emit(op, r, v, f.constant(constant), imm);
    f.emit(Op::BrNe, 64, r, f.constant(0), Instr::pack(f.here() + 1, f.here() + 1));
    f.exit(f.constant(0));
    const Program p = make_program({f.finish()}, 1);
    Machine machine(p);
    const Memory memory(p);
    ThreadState t = machine.start_main();
    (void)machine.run(t, memory.objects());
    machine.resume(t, {.lo = 0, .undef_lo = undef});
    return machine.run(t, memory.objects()).kind;
}

TEST(Machine, UndefinedBitsMatterOnlyWhereTheyDecide) {
    constexpr std::uint64_t all = ~std::uint64_t{0};
    EXPECT_EQ(after_branch_on(Op::And, 0x0f, 0, 0xf0), ActionKind::Done); // masked away
    EXPECT_EQ(after_branch_on(Op::And, 0xff, 0, 0xf0), ActionKind::Trap);
    EXPECT_EQ(after_branch_on(Op::Or, 0x01, 0, 0xf0), ActionKind::Done); // a defined bit already says "not zero"
    EXPECT_EQ(after_branch_on(Op::Shl, 60, 64, 0xf0), ActionKind::Done); // shifted out
    EXPECT_EQ(after_branch_on(Op::LShr, 2, 64, 0xf0), ActionKind::Trap);
    EXPECT_EQ(after_branch_on(Op::Add, 1, all, 0xf0), ActionKind::Done); // bit 0 is defined and set
    EXPECT_EQ(after_branch_on(Op::Add, 0, all, 0xf0), ActionKind::Trap);
    EXPECT_EQ(after_branch_on(Op::Add, 0, all, 0), ActionKind::Done);
    EXPECT_EQ(after_branch_on(Op::Shl, 64, 64, 0), ActionKind::Trap); // an overlong shift is itself undefined
}

TEST(Machine, PausesInAnEndlessLoop) {
    Assembler f("main");
    f.emit(Op::Jump, 0, 0, 0, 0);
    const Program p = make_program({f.finish()});
    Machine machine(p, {.patience = 1000});
    const Memory memory(p);
    ThreadState t = machine.start_main();
    EXPECT_EQ(machine.run(t, memory.objects()).kind, ActionKind::Pause);
    EXPECT_EQ(machine.run(t, memory.objects()).kind, ActionKind::Pause);
}

TEST(Machine, StrayPointersNeverReachAnotherObject) {
    // g0 + (address of g1 - address of g0) is not a pointer to g1.
    Assembler f("main");
    const Slot stray = f.slot();
    f.emit(Op::PtrAdd, stray, f.constant(global_address(0)), 0, global_address(1) - global_address(0));
    const Slot v = f.load(stray, 8);
    f.exit(v);
    const Program p = make_program({f.finish()}, 2);
    Machine machine(p);
    const Memory memory(p);
    ThreadState t = machine.start_main();
    const Action a = machine.run(t, memory.objects());
    ASSERT_EQ(a.kind, ActionKind::Trap);
    EXPECT_EQ(a.trap->kind, TrapKind::OutOfBounds);
}

TEST(Machine, DirectMemoryGivesTheSameResult) {
    const Program p = nested_program();
    Machine machine(p);
    Memory memory(p);
    memory.store(global_address(0), 8, {.lo = 3});
    ThreadState stepped = machine.start_main();
    ThreadState direct = machine.start_main();
    const Value expected = finish(machine, stepped, memory);
    const Action end = machine.run(direct, memory);
    EXPECT_EQ(end.kind, ActionKind::Done);
    EXPECT_EQ(end.value, expected);
}

TEST(Action, UpdatesOfEveryKindAndSize) {
    Action a;
    a.kind = ActionKind::Rmw;
    const auto result = [&](RmwOp op, std::uint8_t size, std::uint64_t old, std::uint64_t operand) {
        a.rmw = op;
        a.size = size;
        a.value = {.lo = operand};
        return updated(a, {.lo = old})->lo;
    };
    EXPECT_EQ(result(RmwOp::Add, 1, 0xff, 1), 0u);
    EXPECT_EQ(result(RmwOp::Sub, 4, 0, 1), 0xffffffffu);
    EXPECT_EQ(result(RmwOp::Nand, 2, 0xff, 0x0f), 0xfff0u);
    EXPECT_EQ(result(RmwOp::Max, 1, 0x80, 0x01), 0x01u); // -128 and 1
    EXPECT_EQ(result(RmwOp::UMax, 1, 0x80, 0x01), 0x80u);
    EXPECT_EQ(result(RmwOp::Min, 8, ~std::uint64_t{0}, 5), ~std::uint64_t{0});
    EXPECT_EQ(result(RmwOp::UMin, 8, ~std::uint64_t{0}, 5), 5u);
    EXPECT_EQ(result(RmwOp::FAdd, 8, std::bit_cast<std::uint64_t>(1.5), std::bit_cast<std::uint64_t>(2.0)),
              std::bit_cast<std::uint64_t>(3.5));
    a = {};
    a.rmw = RmwOp::Add;
    a.size = 16;
    a.value = {.lo = 1};
    EXPECT_EQ(updated(a, {.lo = ~std::uint64_t{0}, .hi = 4})->hi, 5u);
    a.rmw = RmwOp::CompareExchange;
    a.expected = {.lo = 1, .hi = 2};
    a.value = {.lo = 3, .hi = 4};
    EXPECT_FALSE(updated(a, {.lo = 1, .hi = 3}));
    EXPECT_EQ(updated(a, {.lo = 1, .hi = 2})->hi, 4u);
}

} // namespace
} // namespace heddle
