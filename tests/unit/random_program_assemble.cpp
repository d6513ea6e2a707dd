// Random programs: as code.
#include "assembler.hpp"
#include "random_program.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace heddle::testing_support {
namespace {

using Kind = Operation::Kind;

/// One thread, or main after it has joined the others, into a function.
class ThreadAssembler {
  public:
    /// `function`: main is 0, thread k is k + 1.
    ThreadAssembler(Assembler& f, std::size_t function, const RandomProgram& program, bool loops, bool halves)
        : f_(f), program_(program), loops_(loops), halves_(halves), first_place_(static_cast<std::uint32_t>(100 * function)) {
        last_ = f_.slot();
        f_.emit(Op::Mov, last_, f_.constant(0));
        for (Slot& pointer : pointers_) {
            pointer = f_.slot();
            f_.emit(Op::Mov, pointer, f_.constant(0));
        }
        mark_ = f_.slot();
        f_.emit(Op::StackSave, mark_);
    }

    /// Each operation has a place of its own, so that what goes wrong is told by where it does.
    void add(const Operation& o) {
        f_.place(PlaceId(first_place_ + ++operations_));
        if (!o.through || !o.guarded) {
            return add_unguarded(o);
        }
        const std::uint32_t at = f_.here();
        f_.emit(Op::BrNe, 64, pointers_[*o.through], f_.constant(0), 0);
        add_unguarded(o);
        f_.at(at).imm = Instr::pack(at + 1, f_.here());
    }

  private:
    void add_unguarded(const Operation& o) {
        switch (o.kind) {
        case Kind::Load:
            return o.part == Operation::Part::All ? set_last(f_.load(address(o), 8, o.order)) : add_load_of_part(o);
        case Kind::Store:
            return o.part == Operation::Part::All ? f_.store(address(o), value(o), 8, o.order) : add_store_of_part(o);
        case Kind::Rmw:
        case Kind::CompareExchange:
            return add_update(o);
        case Kind::Fence:
            f_.emit(Op::Fence, 0, 0, 0,
                    Instr::pack(static_cast<std::uint16_t>(o.order), static_cast<std::uint16_t>(o.fence), 0, 0));
            return;
        case Kind::If:
            return add_if(o);
        case Kind::Section:
            f_.builtin(Builtin::AtomicBegin, {});
            std::ranges::for_each(o.body, [&](const Operation& inner) { add(inner); });
            f_.builtin(Builtin::AtomicEnd, {});
            return;
        case Kind::Lock:
        case Kind::Unlock:
            f_.builtin(o.kind == Kind::Lock ? Builtin::Lock : Builtin::Unlock, {lock()});
            return;
        case Kind::TryLock:
            set_last(f_.builtin(Builtin::TryLock, {lock()}));
            return;
        case Kind::Choose:
            set_last(f_.builtin(Builtin::Choose, {f_.constant(o.value)}));
            return;
        case Kind::WaitLoad:
        case Kind::WaitRmw:
            return add_wait(o);
        case Kind::Spin:
            return loops_ ? add_spin(o) : add_wait(o);
        case Kind::Retry:
            return add_retry(o);
        case Kind::Check:
            return add_check(o);
        default:
            return add_with_pointers(o);
        }
    }

    void add_with_pointers(const Operation& o) {
        const Slot pointer = pointers_[o.pointer];
        const Slot other = pointers_[1u - o.pointer];
        const auto order = static_cast<std::uint16_t>(o.order);
        switch (o.kind) {
        case Kind::Alloc:
            f_.emit(Op::Mov, pointer,
                    f_.builtin(Builtin::Alloc, {f_.constant(16), f_.constant(8), f_.constant(o.zeroed ? 1 : 0)}));
            return;
        case Kind::Local:
            f_.emit(Op::Alloca, pointer, f_.constant(16), 0, Instr::pack(8u, 1u));
            if (o.zeroed) {
                f_.store(pointer, f_.constant(0), 8, Order::Relaxed);
                f_.store(after(pointer, 8), f_.constant(0), 8, Order::Relaxed);
            }
            return;
        case Kind::Leave:
            f_.emit(Op::StackRestore, 0, mark_);
            return;
        case Kind::Free:
            f_.builtin(Builtin::Free, {pointer});
            return;
        case Kind::Put:
            return f_.store(shelf(o), pointer, 8, o.order);
        case Kind::Take:
            f_.emit(Op::Mov, pointer, f_.load(shelf(o), 8, o.order));
            return;
        case Kind::Swap: {
            const Slot old = f_.slot();
            f_.emit(Op::Rmw, old, shelf(o), pointer, Instr::pack(8, order, static_cast<std::uint16_t>(RmwOp::Xchg), 0));
            f_.emit(Op::Mov, pointer, old);
            return;
        }
        case Kind::Offer: {
            const Slot old = f_.slot(2);
            f_.emit(Op::CmpXchg, old, shelf(o), other,
                    Instr::pack(pointer, order, 8, static_cast<std::uint16_t>(Order::Relaxed)));
            return set_last(static_cast<Slot>(old + 1));
        }
        case Kind::Forget:
            f_.emit(Op::Mov, pointer, f_.constant(0));
            return;
        default: // Same
            f_.emit(o.stores_last ? Op::CmpUlt : Op::CmpEq, last_, pointer, other, 64);
        }
    }

    Slot lock() { return f_.constant(global_address(program_.locations)); }
    /// The shelf, or the link of the object.
    Slot shelf(const Operation& o) {
        return o.through ? after(pointers_[*o.through], 8) : f_.constant(global_address(program_.locations + 1u + o.location));
    }
    Slot address(const Operation& o) {
        if (o.through) {
            return pointers_[*o.through];
        }
        const Slot usual = f_.constant(global_address(o.location));
        if (!o.by_address) {
            return usual;
        }
        const Slot other = f_.slot();
        f_.emit(Op::CmpNe, other, last_, f_.constant(0), 64);
        const Slot chosen = f_.slot();
        f_.emit(Op::Select, chosen, other, f_.constant(global_address((o.location + 1u) % program_.locations)),
                Instr::pack(usual, 0, 0, 0));
        return chosen;
    }
    Slot value(const Operation& o) { return o.stores_last ? last_ : f_.constant(o.value); }
    void set_last(Slot from) { f_.emit(Op::Mov, last_, from); }

    Slot after(Slot where, std::uint64_t bytes) {
        const Slot at = f_.slot();
        f_.emit(Op::Add, at, where, f_.constant(bytes), ~std::uint64_t{0});
        return at;
    }
    Slot upper(Slot where) { return after(where, 4); }
    void add_load_of_part(const Operation& o) {
        const Slot where = address(o); // `last` may decide it
        if (o.part == Operation::Part::Low) {
            return set_last(f_.load(where, 4));
        }
        if (o.part == Operation::Part::High) {
            return set_last(f_.load(upper(where), 4));
        }
        if (!halves_) {
            return set_last(f_.load(where, 8));
        }
        const Slot low = f_.load(where, 4);
        const Slot high = f_.load(upper(where), 4);
        const Slot shifted = f_.slot();
        const Slot whole = f_.slot();
        f_.emit(Op::Shl, shifted, high, f_.constant(32), 64);
        f_.emit(Op::Or, whole, low, shifted);
        set_last(whole);
    }
    void add_store_of_part(const Operation& o) {
        const Slot where = address(o);
        const Slot stored =
            o.stores_last ? last_ : f_.constant(o.value * (o.part == Operation::Part::Whole ? std::uint64_t{0x1'0000'0001} : 1));
        if (o.part == Operation::Part::Low) {
            return f_.store(where, stored, 4);
        }
        if (o.part == Operation::Part::High) {
            return f_.store(upper(where), stored, 4);
        }
        if (!halves_) {
            return f_.store(where, stored, 8);
        }
        const Slot high = f_.slot();
        f_.emit(Op::LShr, high, stored, f_.constant(32), 64);
        f_.store(where, stored, 4);
        f_.store(upper(where), high, 4);
    }

    void add_update(const Operation& o) {
        const auto order = static_cast<std::uint16_t>(o.order);
        const Slot where = address(o);
        if (o.kind == Kind::Rmw) {
            const Slot old = f_.slot();
            f_.emit(Op::Rmw, old, where, value(o), Instr::pack(8, order, static_cast<std::uint16_t>(o.rmw), 0));
            return set_last(old);
        }
        const Slot old = f_.slot(2);
        f_.emit(Op::CmpXchg, old, where, o.expects_last ? last_ : f_.constant(o.expected),
                Instr::pack(value(o), order, 8, static_cast<std::uint16_t>(Order::Relaxed)));
        set_last(old);
    }

    void add_if(const Operation& o) {
        const std::uint32_t at = f_.here();
        f_.emit(Op::BrEq, 64, last_, f_.constant(o.value), 0);
        for (const Operation& inner : o.body) {
            add(inner);
        }
        f_.at(at).imm = Instr::pack(at + 1, f_.here());
    }

    void add_wait(const Operation& o) {
        const Slot where = address(o);
        const auto number = [&](auto n) { return f_.constant(static_cast<std::uint64_t>(n)); };
        if (o.kind == Kind::WaitRmw) {
            const Slot operand = value(o);
            set_last(f_.builtin(Builtin::WaitRmw,
                                {where, number(8), number(o.order), number(o.rmw), operand, number(o.wait), number(o.operand)}));
        } else {
            set_last(f_.builtin(Builtin::WaitLoad, {where, number(8), number(o.order), number(o.wait), number(o.operand)}));
        }
    }

    /// do last = load; while not satisfied
    void add_spin(const Operation& o) {
        const Slot where = address(o); // outside of the loop: `last` changes in it
        const Slot counter = f_.slot();
        f_.emit(Op::Mov, counter, f_.constant(0));
        const std::uint32_t head = f_.here();
        f_.loop(counter, o.by_address || o.through ? std::vector<Slot>{where} : std::vector<Slot>{});
        set_last(f_.load(where, 8, o.order));
        const std::uint32_t at = f_.here();
        branch_on_last(o, at + 1, head);
    }

    /// Where to go if `last` satisfies the operation, and if not.
    void branch_on_last(const Operation& o, std::uint32_t yes, std::uint32_t no) {
        const Slot operand = f_.constant(o.operand);
        const bool swapped = o.wait == Wait::Greater || o.wait == Wait::GreaterEqual;
        const Op compare = o.wait == Wait::Equal                             ? Op::BrEq
                           : o.wait == Wait::NotEqual                        ? Op::BrNe
                           : o.wait == Wait::Less || o.wait == Wait::Greater ? Op::BrUlt
                                                                             : Op::BrUle;
        f_.emit(compare, 64, swapped ? operand : last_, swapped ? last_ : operand, Instr::pack(yes, no));
    }

    void add_retry(const Operation& o) {
        if (o.again == Operation::Again::Pair || o.again == Operation::Again::PairExchange) {
            return add_retry_of_pair(o);
        }
        const Slot where = f_.constant(global_address(o.location));
        const Slot first = f_.slot();
        const Slot counter = f_.slot();
        f_.emit(Op::Mov, counter, f_.constant(0));
        const std::uint32_t head = f_.here();
        if (loops_) {
            f_.loop(counter, {});
        }
        set_last(f_.load(where, 8, o.order));
        f_.emit(Op::Mov, first, last_);
        const bool until = o.again == Operation::Again::Until;
        const std::uint32_t early = f_.here();
        if (until) {
            branch_on_last(o, 0, early + 1);
        }
        for (const Operation& inner : o.body) {
            add(inner);
        }
        if (o.again == Operation::Again::Exchange) {
            const Slot old = f_.slot(2);
            f_.emit(Op::CmpXchg, old, where, first,
                    Instr::pack(value(o), static_cast<std::uint16_t>(o.order), 8, static_cast<std::uint16_t>(Order::Relaxed)));
            f_.emit(Op::Mov, first, static_cast<Slot>(old + 1));
        } else if (!until) {
            const Slot now = f_.load(where, 8, o.order);
            f_.emit(Op::CmpEq, first, now, first, 64);
        }
        const std::uint32_t at = f_.here();
        if (until) {
            branch_on_last(o, 0, 0);
        } else {
            f_.emit(Op::BrNe, 64, first, f_.constant(0), 0);
        }
        if (!loops_) {
            fail(o.body.size() + (until ? 1 : 2));
        }
        f_.at(at).imm = Instr::pack(f_.here(), loops_ ? head : at + 1);
        if (until) {
            f_.at(early).imm = Instr::pack(f_.here(), early + 1);
        }
    }

    void add_retry_of_pair(const Operation& o) {
        const Slot where = f_.constant(global_address(o.location));
        const Slot row = f_.slot();
        const Slot bit = f_.slot();
        const Slot counter = f_.slot();
        f_.emit(Op::Mov, counter, f_.constant(0));
        const std::uint32_t head = f_.here();
        if (loops_) {
            f_.loop(counter, {});
        }
        set_last(f_.load(where, 8, o.order));
        const Slot threes = f_.slot();
        f_.emit(Op::Mul, threes, up_to_two(last_), f_.constant(3), ~std::uint64_t{0});
        f_.emit(Op::LShr, row, f_.constant(o.pairs), threes, 64);
        f_.emit(Op::And, row, row, f_.constant(7));
        fail_if_zero(row, 1, head);
        for (const Operation& inner : o.body) {
            add(inner);
        }
        f_.emit(Op::LShr, bit, row, up_to_two(last_), 64);
        f_.emit(Op::And, bit, bit, f_.constant(1));
        fail_if_zero(bit, 1 + o.body.size(), head);
        if (o.again == Operation::Again::PairExchange) {
            const Slot old = f_.slot(2);
            f_.emit(Op::CmpXchg, old, where, last_,
                    Instr::pack(value(o), static_cast<std::uint16_t>(o.order), 8, static_cast<std::uint16_t>(Order::Relaxed)));
            fail_if_zero(static_cast<Slot>(old + 1), 2 + o.body.size(), head);
        }
    }
    Slot up_to_two(Slot number) {
        const Slot above = f_.slot();
        const Slot result = f_.slot();
        f_.emit(Op::CmpUlt, above, f_.constant(2), number, 64);
        f_.emit(Op::Select, result, above, f_.constant(2), Instr::pack(number, 0, 0, 0));
        return result;
    }
    /// An iteration that has had so many events tries again.
    void fail_if_zero(Slot good, std::size_t length, std::uint32_t head) {
        const std::uint32_t at = f_.here();
        f_.emit(Op::BrNe, 64, good, f_.constant(0), 0);
        if (!loops_) {
            fail(length);
        }
        f_.at(at).imm = Instr::pack(f_.here(), loops_ ? head : at + 1);
    }
    void fail(std::size_t length) {
        f_.store(f_.constant(failed_retry(program_, length)), f_.constant(1), 8, Order::Relaxed);
        f_.builtin(Builtin::Assume, {f_.constant(0)});
    }

    void add_check(const Operation& o) {
        if (o.stores_last) {
            const Slot difference = f_.slot();
            f_.emit(Op::Sub, difference, last_, f_.constant(o.value), ~std::uint64_t{0});
            f_.emit(Op::UDiv, f_.slot(), f_.constant(1), difference, 64);
            return;
        }
        const std::uint32_t at = f_.here();
        f_.emit(Op::BrEq, 64, last_, f_.constant(o.value), Instr::pack(at + 1, at + 2));
        f_.emit(Op::Unreachable);
    }

    Assembler& f_;
    const RandomProgram& program_;
    bool loops_;
    bool halves_;
    std::uint32_t first_place_;
    std::uint32_t operations_ = 0; ///< added so far
    Slot last_ = 0;
    std::array<Slot, 2> pointers_{};
    Slot mark_ = 0; ///< of the objects on the stack
};

Slot add_spawn(Assembler& f, std::size_t thread) {
    return f.builtin(
        Builtin::Spawn,
        {f.constant(make_static_address(AddressKind::Function, static_cast<std::uint32_t>(thread + 2), 0)), f.constant(0)});
}

Function assemble_thread(const RandomProgram& program, std::size_t k, bool loops, bool halves) {
    Assembler f("thread" + std::to_string(k), 1, 1);
    ThreadAssembler body(f, k + 1, program, loops, halves);
    const Operations& operations = program.threads[k].operations;
    const auto child = k + 1 < program.threads.size() ? program.threads[k + 1].spawned_after : std::nullopt;
    for (std::size_t at = 0; at <= operations.size(); ++at) {
        if (child && std::min<std::size_t>(*child, operations.size()) == at) {
            add_spawn(f, k + 1);
        }
        if (at < operations.size()) {
            body.add(operations[at]);
        }
    }
    f.emit(Op::Ret, 0, 1, 0, Instr::pack(0, f.operands({f.constant(0)})));
    return f.finish();
}

Function assemble_main(const RandomProgram& program, bool loops, bool halves) {
    Assembler f("main");
    ThreadAssembler body(f, 0, program, loops, halves);
    std::vector<Slot> children;
    for (std::size_t k = 0; k < program.threads.size(); ++k) {
        if (k == 0 || !program.threads[k].spawned_after) {
            children.push_back(add_spawn(f, k));
        }
    }
    if (program.joins) {
        for (const Slot child : children) {
            f.builtin(Builtin::Join, {child});
        }
        for (const Operation& o : program.after_join) {
            body.add(o);
        }
    }
    f.exit(f.constant(0));
    return f.finish();
}

} // namespace

Address failed_retry(const RandomProgram& program, std::size_t length) {
    return global_address(program.locations + program.shelves + static_cast<std::uint32_t>(length));
}

Program assemble(const RandomProgram& program, bool loops, bool halves) {
    std::vector<Function> functions{assemble_main(program, loops, halves)};
    Assembler entry("thread_main", 2, 0);
    const Slot result = entry.slot();
    entry.emit(Op::CallPtr, result, 0, 1, Instr::pack(1, entry.operands({1})));
    entry.exit(result);
    functions.push_back(entry.finish());
    for (std::size_t k = 0; k < program.threads.size(); ++k) {
        functions.push_back(assemble_thread(program, k, loops, halves));
    }
    Program p = make_program(std::move(functions),
                             program.locations + 1u + program.shelves + kLongestIteration); // the lock comes after the locations
    p.thread_main = FunctionId(1);
    return p;
}

} // namespace heddle::testing_support
