#include "random_program.hpp"

#include "assembler.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <random>
#include <string_view>

namespace heddle::testing_support {
namespace {

using Kind = Operation::Kind;

constexpr std::array kFences{FenceKind::MFence, FenceKind::SFence, FenceKind::LFence, FenceKind::DmbSt, FenceKind::DmbSy};

/// Makes operations as a Shape asks for.
class Generator {
  public:
    Generator(std::uint64_t seed, const Shape& shape) : random_(seed), shape_(shape) {}

    RandomProgram make() {
        RandomProgram p{.locations = shape_.locations, .threads = {}};
        for (unsigned k = 0; k < shape_.threads; ++k) {
            RandomThread t{.operations = operations(shape_.operations)};
            if (k > 0 && shape_.nests && pick(2) == 0) {
                t.spawned_after = static_cast<std::uint8_t>(pick(shape_.operations + 1u));
            }
            p.threads.push_back(std::move(t));
        }
        p.joins = shape_.joins && pick(4) != 0;
        if (p.joins) {
            p.after_join = operations(1 + pick(2));
        }
        return p;
    }

  private:
    std::uint64_t pick(std::uint64_t n) { return random_() % n; }
    std::uint8_t number(std::uint64_t from, std::uint64_t below) { return static_cast<std::uint8_t>(from + pick(below - from)); }
    Order any_of(std::initializer_list<Order> orders) { return *(orders.begin() + pick(orders.size())); }

    Operations operations(std::uint64_t n) {
        Operations all;
        while (all.size() < n) {
            add(all);
        }
        return all;
    }

    /// An access of this kind, with all that an access of any kind may need.
    Operation access(Kind kind, Order order) {
        Operation o{.kind = kind, .order = order};
        o.location = number(0, shape_.locations);
        o.by_address = shape_.locations > 1 && pick(6) == 0;
        o.stores_last = pick(4) == 0;
        o.value = number(1, 3);
        o.expected = number(0, 2);
        o.rmw = pick(2) == 0 ? RmwOp::Add : RmwOp::Xchg;
        return o;
    }
    Operation load() {
        return access(Kind::Load, shape_.mild ? any_of({Order::Relaxed, Order::Acquire})
                                              : any_of({Order::NonAtomic, Order::Relaxed, Order::Acquire, Order::SeqCst}));
    }
    Operation store() {
        return access(Kind::Store, shape_.mild ? any_of({Order::Relaxed, Order::Release})
                                               : any_of({Order::NonAtomic, Order::Relaxed, Order::Release, Order::SeqCst}));
    }
    Operation update() {
        Order order = any_of({Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst});
        order = shape_.mild && order == Order::SeqCst ? Order::AcqRel : order;
        return access(pick(2) == 0 ? Kind::Rmw : Kind::CompareExchange, order);
    }
    Operation fence() {
        if (pick(4) == 0) {
            const FenceKind kind = kFences[pick(kFences.size())];
            const bool full = kind == FenceKind::MFence || kind == FenceKind::DmbSy;
            return {.kind = Kind::Fence, .order = full ? Order::SeqCst : Order::Relaxed, .fence = kind};
        }
        return {.kind = Kind::Fence,
                .order = any_of({Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst, Order::SeqCst})};
    }

    void add(Operations& all) {
        const std::uint64_t kind = pick(10);
        if (shape_.parts) {
            Operation o = access(kind < 5 ? Kind::Load : Kind::Store, Order::NonAtomic);
            o.part = static_cast<Operation::Part>(number(1, 4)); // Whole, Low or High
            all.push_back(o);
            return;
        }
        if (shape_.waits && kind == 0) {
            return add_waiting(all);
        }
        if (shape_.control && kind == 1) {
            return add_control(all);
        }
        if (kind == 2 && !shape_.mild) {
            all.push_back(fence());
        } else if (kind <= 3) {
            all.push_back(update());
        } else {
            all.push_back(kind < 7 ? load() : store());
        }
    }

    void add_waiting(Operations& all) {
        switch (pick(5)) {
        case 0: // a critical section, whose end is forgotten now and then
            all.push_back({.kind = Kind::Lock});
            all.push_back(pick(2) == 0 ? load() : store());
            if (pick(6) != 0) {
                all.push_back({.kind = Kind::Unlock});
            }
            return;
        case 1:
            all.push_back({.kind = Kind::TryLock});
            all.push_back({.kind = Kind::If, .value = 1, .body = {pick(2) == 0 ? load() : store(), {.kind = Kind::Unlock}}});
            return;
        default: {
            const Kind kind = pick(3) == 0 ? Kind::WaitRmw : pick(2) == 0 ? Kind::Spin : Kind::WaitLoad;
            Operation o =
                access(kind, kind == Kind::WaitRmw ? any_of({Order::Relaxed, Order::Acquire, Order::AcqRel, Order::SeqCst})
                                                   : any_of({Order::Relaxed, Order::Acquire, Order::SeqCst}));
            constexpr std::array kWaits{Wait::Equal, Wait::NotEqual,  Wait::NotEqual,
                                        Wait::Less,  Wait::LessEqual, Wait::GreaterEqual};
            o.wait = kWaits[pick(kWaits.size())];
            o.operand = number(o.wait == Wait::Less ? 1 : 0, 3);
            all.push_back(o);
        }
        }
    }

    void add_control(Operations& all) {
        switch (pick(4)) {
        case 0:
            all.push_back({.kind = Kind::Choose, .value = 2});
            return;
        case 1:
            all.push_back({.kind = Kind::Check, .stores_last = pick(2) == 0, .value = number(0, 3)});
            return;
        default: {
            Operations body;
            body.push_back(pick(2) == 0 ? load() : store());
            if (pick(2) == 0) {
                body.push_back(pick(2) == 0 ? store() : update());
            }
            all.push_back({.kind = Kind::If, .value = number(0, 2), .body = std::move(body)});
        }
        }
    }

    std::mt19937_64 random_;
    const Shape& shape_;
};

/// One thread, or main after it has joined the others, into a function.
class ThreadAssembler {
  public:
    ThreadAssembler(Assembler& f, const RandomProgram& program, bool loops, bool halves)
        : f_(f), program_(program), loops_(loops), halves_(halves) {
        last_ = f_.slot();
        f_.emit(Op::Mov, last_, f_.constant(0));
    }

    void add(const Operation& o) {
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
        case Kind::Check:
            return add_check(o);
        }
    }

  private:
    Slot lock() { return f_.constant(global_address(program_.locations)); }
    Slot address(const Operation& o) {
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

    Slot upper(Slot where) {
        const Slot at = f_.slot();
        f_.emit(Op::Add, at, where, f_.constant(4), ~std::uint64_t{0});
        return at;
    }
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
        f_.emit(Op::CmpXchg, old, where, f_.constant(o.expected),
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
        f_.loop(counter, o.by_address ? std::vector<Slot>{where} : std::vector<Slot>{});
        set_last(f_.load(where, 8, o.order));
        const Slot operand = f_.constant(o.operand);
        const std::uint32_t at = f_.here();
        const bool swapped = o.wait == Wait::Greater || o.wait == Wait::GreaterEqual;
        const Op compare = o.wait == Wait::Equal                             ? Op::BrEq
                           : o.wait == Wait::NotEqual                        ? Op::BrNe
                           : o.wait == Wait::Less || o.wait == Wait::Greater ? Op::BrUlt
                                                                             : Op::BrUle;
        f_.emit(compare, 64, swapped ? operand : last_, swapped ? last_ : operand, Instr::pack(at + 1, head));
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
    Slot last_ = 0;
};

Slot add_spawn(Assembler& f, std::size_t thread) {
    return f.builtin(
        Builtin::Spawn,
        {f.constant(make_static_address(AddressKind::Function, static_cast<std::uint32_t>(thread + 2), 0)), f.constant(0)});
}

Function assemble_thread(const RandomProgram& program, std::size_t k, bool loops, bool halves) {
    Assembler f("thread" + std::to_string(k), 1, 1);
    ThreadAssembler body(f, program, loops, halves);
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
    ThreadAssembler body(f, program, loops, halves);
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

RandomProgram random_program(std::uint64_t seed, const Shape& shape) { return Generator(seed, shape).make(); }

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
    Program p = make_program(std::move(functions), program.locations + 1u); // the last one is the lock
    p.thread_main = FunctionId(1);
    return p;
}

} // namespace heddle::testing_support
