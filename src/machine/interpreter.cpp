// The hot loop. Direct-threaded code: each instruction ends in a jump through a table of labels, so that the processor predicts it by the
// instruction that precedes it. One copy of the loop is compiled for each kind of shadow; the plain one, in which nearly all programs
// spend nearly all time, computes nothing but values.
//
// Undefined bits. Bit by bit where it is cheap and matters for code that clang makes (masking, shifting and merging of bit-fields), and
// pessimistic elsewhere: the rules are those of valgrind's memcheck. An undefined bit is an error only when it decides something: a branch, an
// address, a divisor, a size, what is printed.
#include "machine/interpreter.hpp"

#include "machine/arithmetic.hpp"
#include "program/slot_uses.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <iterator>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

namespace heddle {
namespace {

using u64 = std::uint64_t;
using i64 = std::int64_t;

i64 sign_extended(u64 v, u64 width) { return static_cast<i64>(v << (64 - width)) >> (64 - width); }
/// Compares as signed numbers of `width` bits without extending: shifting both up keeps the order.
i64 raised(u64 v, u64 width) { return static_cast<i64>(v << (64 - width)); }

/// Undefined bits of a sum, difference or product: carries go upwards from the lowest undefined bit.
u64 undef_upwards(u64 operands, u64 mask) { return (0 - (operands & (0 - operands))) & mask; }
/// Of an equality: defined when the defined bits already differ.
u64 undef_equal(u64 x, u64 y, u64 undef) { return undef != 0 && ((x ^ y) & ~undef) == 0 ? 1 : 0; }

} // namespace

void Interpreter::set(Slot s, u64 value, u64 undef_bits, DepSet d) {
    if (s == kNoSlot) {
        return;
    }
    if (undef_bits != 0 && frame().shadow == Shadow::Plain) {
        thread_.top = Frame::copy(frame(), Shadow::Undef);
    }
    Frame& f = frame();
    f.slots()[s] = value;
    if (f.shadow != Shadow::Plain) {
        f.undef()[s] = undef_bits;
    }
    if (f.shadow == Shadow::UndefAndDeps) {
        f.slot_deps()[s] = d;
    }
}

Value Interpreter::value_of(Slot s, unsigned size) {
    Value v{.lo = slot(s), .undef_lo = undef(s)};
    if (size > 8) {
        v.hi = slot(static_cast<Slot>(s + 1));
        v.undef_hi = undef(static_cast<Slot>(s + 1));
    }
    return v;
}

DepSet Interpreter::deps_of(Slot s, unsigned size) {
    return size > 8 ? machine_.deps().unite(deps(s), deps(static_cast<Slot>(s + 1))) : deps(s);
}

void Interpreter::set_value(Slot s, const Value& v, unsigned width, DepSet d) {
    if (s == kNoSlot) {
        return;
    }
    const u64 low = mask_of_bits(width);
    set(s, v.lo & low, v.undef_lo & low, d);
    if (width > 64) {
        const u64 high = mask_of_bits(width - 64);
        set(static_cast<Slot>(s + 1), v.hi & high, v.undef_hi & high, d);
    }
}

void Interpreter::run() {
    if (thread_.top && thread_.top->shared()) {
        thread_.top = Frame::copy(frame(), frame().shadow);
    }
    bool stopped = false;
    while (!stopped) {
        if (!thread_.top || thread_.exiting) {
            if (exit_thread() == Next::Stop) {
                break;
            }
            continue;
        }
        switch (frame().shadow) {
        case Shadow::Plain:
            stopped = loop<Shadow::Plain>();
            break;
        case Shadow::Undef:
            stopped = loop<Shadow::Undef>();
            break;
        case Shadow::UndefAndDeps:
            stopped = loop<Shadow::UndefAndDeps>();
            break;
        }
    }
}

Interpreter::Next Interpreter::arithmetic(const Instr& i) {
    const ArithmeticResult r = compute(i, frame().slots());
    u64 undef_bits = 0;
    DepSet d = 0;
    if (frame().shadow != Shadow::Plain) {
        for (const SlotUse& use : slot_uses(i).all()) {
            for (unsigned k = 0; k < (use.writes ? 0u : use.count); ++k) {
                const auto operand = static_cast<Slot>(slot_in(i, use.field) + k);
                undef_bits |= undef(operand);
                d = machine_.deps().unite(d, deps(operand));
            }
        }
    }
    if (undef_bits != 0 && divides(i.op)) {
        return trap_undefined_in_passing("a division");
    }
    if (r.division_by_zero) {
        return trap_in_passing(TrapKind::DivisionByZero, "division by zero");
    }
    if (r.division_overflow) {
        return trap_in_passing(TrapKind::DivisionOverflow, "signed division overflows");
    }
    const bool undefined = undef_bits != 0 || r.undefined;
    // Values before shadows: `set` may replace the frame, but never moves a slot.
    for (unsigned k = 0; k < r.count; ++k) {
        u64 bits = undefined ? mask_of_bits(r.widths[k]) : 0;
        if (i.op == Op::Bswap && undefined) {
            bits = __builtin_bswap64(undef_bits) >> (64 - i.imm);
        }
        set(static_cast<Slot>(i.dst + k), r.values[k], bits, d);
    }
    advance();
    return Next::Go;
}

Interpreter::Next Interpreter::slow(const Instr& i) {
    switch (i.op) {
    case Op::Load:
        return load(i);
    case Op::Store:
        return store(i);
    case Op::Rmw:
        return rmw(i);
    case Op::CmpXchg:
        return cmpxchg(i);
    case Op::Fence:
        return fence(i);
    case Op::MemCpy:
    case Op::MemMove:
        return copy_bytes(i);
    case Op::MemSet:
        return set_bytes(i);
    case Op::Alloca:
        return alloca_object(i);
    case Op::StackSave:
        set(i.dst, thread_.memory->stack.size(), 0, 0);
        advance();
        return Next::Go;
    case Op::StackRestore:
        if (thread_.memory->stack.size() > std::max<std::size_t>(slot(i.a), frame().stack_mark)) {
            return end_stack_objects(std::max<std::size_t>(slot(i.a), frame().stack_mark));
        }
        advance();
        return Next::Go;
    case Op::TlsAddr:
        return thread_local_address(i);
    case Op::Call:
        return call(i, FunctionId(i.x()), i.a, i.dst == kNoSlot ? 0 : program_.function(FunctionId(i.x())).results);
    case Op::CallPtr:
        return call_pointer(i);
    case Op::Ret:
        return ret(i);
    case Op::Builtin:
        return builtin(i);
    case Op::Loop:
        return loop_head(i);
    case Op::Unreachable:
        if (i.imm == 1) {
            return trap(TrapKind::Abort, "a trap instruction (__builtin_trap) is reached");
        }
        return trap(TrapKind::Unreachable, "the program reached code that it declares unreachable");
    case Op::Unsupported:
        return trap(TrapKind::Unsupported, program_.messages[i.imm]);
    default:
        return arithmetic(i);
    }
}

// The macros below exist only here, to write each instruction once for the three shadows.
#define DISPATCH() goto* labels[static_cast<std::size_t>(ip->op)]
#define NEXT()                                                                                                                   \
    do {                                                                                                                         \
        ++ip;                                                                                                                    \
        DISPATCH();                                                                                                              \
    } while (false)
#define GO_TO(target)                                                                                                            \
    do {                                                                                                                         \
        const Instr* const next = code + (target);                                                                               \
        if (next <= ip && --fuel_ == 0) [[unlikely]] {                                                                           \
            ip = next;                                                                                                           \
            goto paused;                                                                                                         \
        }                                                                                                                        \
        ip = next;                                                                                                               \
        DISPATCH();                                                                                                              \
    } while (false)
/// A value whose operands are a and b; UNDEF may use x, y and their undefined bits mx, my.
#define BINARY(name, expression, UNDEF)                                                                                          \
    L_##name : {                                                                                                                 \
        const u64 x = r[ip->a];                                                                                                  \
        const u64 y = r[ip->b];                                                                                                  \
        if constexpr (tracked) {                                                                                                 \
            [[maybe_unused]] const u64 mx = m[ip->a];                                                                            \
            [[maybe_unused]] const u64 my = m[ip->b];                                                                            \
            m[ip->dst] = (UNDEF);                                                                                                \
        }                                                                                                                        \
        if constexpr (with_deps) {                                                                                               \
            d[ip->dst] = machine_.deps().unite(d[ip->a], d[ip->b]);                                                              \
        }                                                                                                                        \
        r[ip->dst] = (expression);                                                                                               \
        NEXT();                                                                                                                  \
    }
#define SHIFT(name, expression, UNDEF)                                                                                           \
    L_##name : {                                                                                                                 \
        const u64 x = r[ip->a];                                                                                                  \
        const u64 y = r[ip->b];                                                                                                  \
        const bool out = y >= ip->imm;                                                                                           \
        if constexpr (tracked) {                                                                                                 \
            const u64 mx = m[ip->a];                                                                                             \
            m[ip->dst] = out || m[ip->b] != 0 ? mask_of_bits(static_cast<unsigned>(ip->imm)) : (UNDEF);                          \
        } else if (out) [[unlikely]] {                                                                                           \
            goto needs_shadow;                                                                                                   \
        }                                                                                                                        \
        if constexpr (with_deps) {                                                                                               \
            d[ip->dst] = machine_.deps().unite(d[ip->a], d[ip->b]);                                                              \
        }                                                                                                                        \
        r[ip->dst] = out ? 0 : (expression);                                                                                     \
        NEXT();                                                                                                                  \
    }
#define DIVISION(name, is_signed, expression)                                                                                    \
    L_##name : {                                                                                                                 \
        const u64 x = r[ip->a];                                                                                                  \
        const u64 y = r[ip->b];                                                                                                  \
        if constexpr (tracked) {                                                                                                 \
            if (m[ip->b] != 0) {                                                                                                 \
                goto undefined_divisor;                                                                                          \
            }                                                                                                                    \
            m[ip->dst] = m[ip->a] != 0 ? mask_of_bits(static_cast<unsigned>(ip->imm)) : 0;                                       \
        }                                                                                                                        \
        if (y == 0) [[unlikely]] {                                                                                               \
            goto division_by_zero;                                                                                               \
        }                                                                                                                        \
        if (is_signed && x == u64{1} << (ip->imm - 1) && y == mask_of_bits(static_cast<unsigned>(ip->imm))) [[unlikely]] {       \
            goto division_overflow;                                                                                              \
        }                                                                                                                        \
        if constexpr (with_deps) {                                                                                               \
            d[ip->dst] = machine_.deps().unite(d[ip->a], d[ip->b]);                                                              \
        }                                                                                                                        \
        r[ip->dst] = (expression);                                                                                               \
        NEXT();                                                                                                                  \
    }
#define BRANCH(name, condition, UNDEF)                                                                                           \
    L_##name : {                                                                                                                 \
        const u64 x = r[ip->a];                                                                                                  \
        const u64 y = r[ip->b];                                                                                                  \
        [[maybe_unused]] const u64 width = ip->dst;                                                                              \
        if constexpr (tracked) {                                                                                                 \
            [[maybe_unused]] const u64 either = m[ip->a] | m[ip->b];                                                             \
            if ((UNDEF) != 0) {                                                                                                  \
                goto undefined_branch;                                                                                           \
            }                                                                                                                    \
        }                                                                                                                        \
        if constexpr (with_deps) {                                                                                               \
            thread_.control = machine_.deps().unite(thread_.control, machine_.deps().unite(d[ip->a], d[ip->b]));                 \
        }                                                                                                                        \
        GO_TO((condition) ? ip->x() : ip->y());                                                                                  \
    }
#define UNARY(name, expression, UNDEF)                                                                                           \
    L_##name : {                                                                                                                 \
        [[maybe_unused]] const u64 x = r[ip->a];                                                                                 \
        if constexpr (tracked) {                                                                                                 \
            [[maybe_unused]] const u64 mx = m[ip->a];                                                                            \
            m[ip->dst] = (UNDEF);                                                                                                \
        }                                                                                                                        \
        if constexpr (with_deps) {                                                                                               \
            d[ip->dst] = d[ip->a];                                                                                               \
        }                                                                                                                        \
        r[ip->dst] = (expression);                                                                                               \
        NEXT();                                                                                                                  \
    }
/// An address computed from a base and an integer.
#define POINTER(name, expression, UNDEF, DEPS)                                                                                   \
    L_##name : {                                                                                                                 \
        const Address from = r[ip->a];                                                                                           \
        const Address to = (expression);                                                                                         \
        if constexpr (tracked) {                                                                                                 \
            m[ip->dst] = undef_upwards((UNDEF), ~u64{0});                                                                        \
        }                                                                                                                        \
        if constexpr (with_deps) {                                                                                               \
            d[ip->dst] = (DEPS);                                                                                                 \
        }                                                                                                                        \
        r[ip->dst] = ((from ^ to) >> kRegionBits) == 0 ? to : checked_pointer(from, to);                                         \
        NEXT();                                                                                                                  \
    }

/// Runs the top frame and what it calls, as long as frames have shadow S. True: stopped at `action_`.
template <Shadow S> bool Interpreter::loop() {
    constexpr bool tracked = S != Shadow::Plain;
    constexpr bool with_deps = S == Shadow::UndefAndDeps;
    static const void* const labels[] = {
#define X(name) &&L_##name,
        HEDDLE_OPS(X)
#undef X
    };
    Frame* f = nullptr;
    u64* r = nullptr;
    [[maybe_unused]] u64* m = nullptr;
    [[maybe_unused]] DepSet* d = nullptr;
    const Instr* code = nullptr;
    const Instr* ip = nullptr;

reload:
    f = thread_.top.raw();
    if (!f || f->shadow != S || thread_.exiting) {
        return false;
    }
    r = f->slots();
    if constexpr (tracked) {
        m = f->undef();
    }
    if constexpr (with_deps) {
        d = f->slot_deps();
    }
    code = f->function->code.data();
    ip = code + f->pc;
    DISPATCH();

    UNARY(Mov, x, mx)
    UNARY(Freeze, x, 0)
    UNARY(Trunc, x & ip->imm, mx & ip->imm)
    UNARY(Sext, static_cast<u64>(sign_extended(x, ip->x())) & mask_of_bits(ip->y()),
          static_cast<u64>(sign_extended(mx, ip->x())) & mask_of_bits(ip->y()))
    BINARY(Add, (x + y) & ip->imm, undef_upwards(mx | my, ip->imm))
    BINARY(Sub, (x - y) & ip->imm, undef_upwards(mx | my, ip->imm))
    BINARY(Mul, (x * y) & ip->imm, undef_upwards(mx | my, ip->imm))
    BINARY(And, x & y, (mx | my) & (x | mx) & (y | my))  // a defined 0 decides
    BINARY(Or, x | y, (mx | my) & (~x | mx) & (~y | my)) // a defined 1 decides
    BINARY(Xor, x ^ y, mx | my)
    SHIFT(Shl, (x << y) & mask_of_bits(static_cast<unsigned>(ip->imm)), (mx << y) & mask_of_bits(static_cast<unsigned>(ip->imm)))
    SHIFT(LShr, x >> y, mx >> y)
    SHIFT(AShr, static_cast<u64>(sign_extended(x, ip->imm) >> y) & mask_of_bits(static_cast<unsigned>(ip->imm)),
          static_cast<u64>(sign_extended(mx, ip->imm) >> y) & mask_of_bits(static_cast<unsigned>(ip->imm)))
    DIVISION(UDiv, false, x / y)
    DIVISION(URem, false, x % y)
    DIVISION(SDiv, true,
             static_cast<u64>(sign_extended(x, ip->imm) / sign_extended(y, ip->imm)) &
                 mask_of_bits(static_cast<unsigned>(ip->imm)))
    DIVISION(SRem, true,
             static_cast<u64>(sign_extended(x, ip->imm) % sign_extended(y, ip->imm)) &
                 mask_of_bits(static_cast<unsigned>(ip->imm)))
    BINARY(CmpEq, x == y, undef_equal(x, y, mx | my))
    BINARY(CmpNe, x != y, undef_equal(x, y, mx | my))
    BINARY(CmpUlt, x < y, (mx | my) != 0)
    BINARY(CmpUle, x <= y, (mx | my) != 0)
    BINARY(CmpSlt, raised(x, ip->imm) < raised(y, ip->imm), (mx | my) != 0)
    BINARY(CmpSle, raised(x, ip->imm) <= raised(y, ip->imm), (mx | my) != 0)
    BRANCH(BrEq, x == y, undef_equal(x, y, either))
    BRANCH(BrNe, x != y, undef_equal(x, y, either))
    BRANCH(BrUlt, x < y, either)
    BRANCH(BrUle, x <= y, either)
    BRANCH(BrSlt, raised(x, width) < raised(y, width), either)
    BRANCH(BrSle, raised(x, width) <= raised(y, width), either)
    POINTER(Gep, from + r[ip->b] * ip->x() + static_cast<u64>(i64{static_cast<std::int32_t>(ip->y())}), m[ip->a] | m[ip->b],
            machine_.deps().unite(d[ip->a], d[ip->b]))
    POINTER(PtrAdd, from + ip->imm, m[ip->a], d[ip->a])

L_Select: {
    const bool condition = (r[ip->a] & 1) != 0;
    const u64 x = r[ip->b];
    const u64 y = r[ip->c()];
    if constexpr (tracked) {
        const u64 mx = m[ip->b];
        const u64 my = m[ip->c()];
        m[ip->dst] = m[ip->a] != 0 ? (x ^ y) | mx | my : condition ? mx : my;
    }
    if constexpr (with_deps) {
        // Syntactic: an instruction reads all its operands, chosen or not.
        d[ip->dst] = machine_.deps().unite(d[ip->a], machine_.deps().unite(d[ip->b], d[ip->c()]));
    }
    r[ip->dst] = condition ? x : y;
    NEXT();
}

L_Undef:
    if constexpr (tracked) {
        r[ip->dst] = 0;
        m[ip->dst] = ~u64{0};
        if constexpr (with_deps) {
            d[ip->dst] = 0;
        }
        NEXT();
    } else {
        goto needs_shadow;
    }

L_LocalAddr: {
    const Local& local = f->function->locals[ip->imm];
    r[ip->dst] =
        make_address(AddressKind::Local, thread_.id, f->region_base + local.region, span_of(local.size, local.align).offset);
    if constexpr (tracked) {
        m[ip->dst] = 0;
    }
    if constexpr (with_deps) {
        d[ip->dst] = 0;
    }
    NEXT();
}

L_LoadLocal: {
    const std::size_t at = f->function->locals[ip->a].offset + ip->x();
    const unsigned size = ip->e();
    DepSet from = 0;
    const Value v =
        load_view({f->local_bytes() + at, f->local_undef() + at, with_deps ? f->local_deps() + at : nullptr}, size, from);
    if constexpr (!tracked) {
        if (!v.defined()) [[unlikely]] {
            goto needs_shadow;
        }
    }
    const unsigned width = ip->f();
    r[ip->dst] = v.lo & mask_of_bits(width);
    if (width > 64) {
        r[ip->dst + 1] = v.hi & mask_of_bits(width - 64);
    }
    if constexpr (tracked) {
        m[ip->dst] = v.undef_lo & mask_of_bits(width);
        if (width > 64) {
            m[ip->dst + 1] = v.undef_hi & mask_of_bits(width - 64);
        }
    }
    if constexpr (with_deps) {
        d[ip->dst] = from;
        if (width > 64) {
            d[ip->dst + 1] = from;
        }
    }
    NEXT();
}

L_StoreLocal: {
    const std::size_t at = f->function->locals[ip->a].offset + ip->x();
    const unsigned size = ip->e();
    Value v{.lo = r[ip->b]};
    if (size > 8) {
        v.hi = r[ip->b + 1];
    }
    DepSet to = 0;
    if constexpr (tracked) {
        v.undef_lo = m[ip->b];
        v.undef_hi = size > 8 ? m[ip->b + 1] : 0;
    }
    if constexpr (with_deps) {
        to = deps_of(ip->b, size);
    }
    store_view({f->local_bytes() + at, f->local_undef() + at, with_deps ? f->local_deps() + at : nullptr}, size, v, to);
    NEXT();
}

L_LocalUndef: {
    const Local& local = f->function->locals[ip->imm];
    std::fill_n(f->local_bytes() + local.offset, local.size, std::uint8_t{0});
    std::fill_n(f->local_undef() + local.offset, local.size, std::uint8_t{0xff});
    NEXT();
}

L_Jump:
    GO_TO(ip->imm);

L_Loop:
    if (r[ip->dst] > iterations_ || (loops_act_ && f->function->loops[ip->imm].acts)) [[unlikely]] {
        goto slowly;
    }
    ++r[ip->dst];
    NEXT();

L_ControlMark:
    r[ip->dst] = 0;
    if constexpr (tracked) {
        m[ip->dst] = 0;
    }
    if constexpr (with_deps) {
        d[ip->dst] = thread_.control;
    }
    NEXT();

L_ControlEnd:
    if constexpr (with_deps) {
        thread_.control = d[ip->a];
    }
    NEXT();

L_Br:
    if constexpr (tracked) {
        if ((m[ip->a] & 1) != 0) {
            goto undefined_branch;
        }
    }
    if constexpr (with_deps) {
        thread_.control = machine_.deps().unite(thread_.control, d[ip->a]);
    }
    GO_TO((r[ip->a] & 1) != 0 ? ip->x() : ip->y());

L_Switch: {
    if constexpr (tracked) {
        if (m[ip->a] != 0) {
            goto undefined_branch;
        }
    }
    if constexpr (with_deps) {
        thread_.control = machine_.deps().unite(thread_.control, d[ip->a]);
    }
    const Switch& table = f->function->switches[ip->imm];
    const auto found = std::ranges::lower_bound(table.cases, r[ip->a], {}, &Switch::Case::value);
    GO_TO(found != table.cases.end() && found->value == r[ip->a] ? found->target : table.otherwise);
}

    // clang-format off
L_Ctpop: L_Ctlz: L_Cttz: L_Bswap: L_BitReverse: L_FunnelShl: L_FunnelShr: L_UAddO: L_SAddO: L_USubO: L_SSubO:
L_UMulO: L_SMulO: L_WAdd: L_WSub: L_WMul: L_WUDiv: L_WURem: L_WSDiv: L_WSRem: L_WShl: L_WLShr: L_WAShr: L_WCmpEq:
L_WCmpNe: L_WCmpUlt: L_WCmpUle: L_WCmpSlt: L_WCmpSle: L_WSext: L_WUAddO: L_WSAddO: L_WUSubO: L_WSSubO: L_WUMulO:
L_WSMulO: L_FAdd: L_FSub: L_FMul: L_FDiv: L_FRem: L_FNeg: L_FCmp: L_FToSi: L_FToUi: L_SiToF: L_UiToF: L_FConv:
L_FMath: L_TlsAddr: L_Load: L_Store: L_Rmw: L_CmpXchg: L_Fence: L_MemCpy: L_MemMove: L_MemSet: L_Alloca: L_StackSave:
L_StackRestore: L_Call: L_CallPtr: L_Ret: L_Builtin: L_Unreachable: L_Unsupported:
    // clang-format on
slowly:
    f->pc = static_cast<std::uint32_t>(ip - code);
    if (slow(*ip) == Next::Stop) {
        return true;
    }
    goto reload;

needs_shadow: // a plain frame met its first undefined value: give it a shadow and do the instruction again
    f->pc = static_cast<std::uint32_t>(ip - code);
    thread_.top = Frame::copy(*f, Shadow::Undef);
    return false;

paused:
    f->pc = static_cast<std::uint32_t>(ip - code);
    act(ActionKind::Pause);
    return true;

undefined_branch:
    f->pc = static_cast<std::uint32_t>(ip - code);
    trap_undefined("a branch");
    return true;
undefined_divisor:
    f->pc = static_cast<std::uint32_t>(ip - code);
    trap_undefined_in_passing("a division");
    return true;
division_by_zero:
    f->pc = static_cast<std::uint32_t>(ip - code);
    trap_in_passing(TrapKind::DivisionByZero, "division by zero");
    return true;
division_overflow:
    f->pc = static_cast<std::uint32_t>(ip - code);
    trap_in_passing(TrapKind::DivisionOverflow, "signed division overflows");
    return true;
}

template bool Interpreter::loop<Shadow::Plain>();
template bool Interpreter::loop<Shadow::Undef>();
template bool Interpreter::loop<Shadow::UndefAndDeps>();

} // namespace heddle
