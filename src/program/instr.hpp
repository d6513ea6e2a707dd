// The code of the register machine: what a front end produces and the machine runs.
//
// A function has up to 65,535 registers ("slots") of 64 bits. Every value of the source language is a list of slots, one a scalar leaf:
//   - an integer of up to 64 bits, a float, a double, a pointer: one slot. Integers are kept zero-extended to 64 bits ("canonical"):
//     every instruction relies on it and re-establishes it. A float sits in the low 32 bits, the rest zero.
//   - an integer of 65 to 128 bits ("wide"): two neighbouring slots, low half first, the upper one zero-extended.
//   - an 80-bit x86 long double: two neighbouring slots, the 64-bit significand, then sign and exponent in 16 bits.
//   - vectors, structs and arrays as first-class values: the slots of their elements one after the other; a front end expands operations
//     on them, so the machine never sees one.
// Constants are slots too: Function::constants is copied into the frame at entry, so operands need no tags and no dispatch.
#pragma once

#include <cstdint>

namespace heddle {

using Slot = std::uint16_t;

/// The format of a floating-point operand.
enum class Float : std::uint8_t { F32, F64, F80 };

// clang-format off
/// The functions of Op::FMath.
enum class MathFn : std::uint8_t {
    Fabs, Sqrt, Floor, Ceil, Trunc, Rint, NearbyInt, Round, RoundEven, Sin, Cos, Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh,
    Exp, Exp2, Expm1, Log, Log2, Log10, Log1p, Cbrt,                    // one argument
    CopySign, MinNum, MaxNum, Minimum, Maximum, Pow, Atan2, Fmod, Remainder, Hypot, Fdim, // two
    Fma,                                                                // three
};

// X(name): the meaning stands beside. Fields: dst, a, b are slots unless said; c d e f are the 16-bit quarters of imm, x y its 32-bit halves,
// low first. "width" is in bits. [T] marks what may trap, [A] what may be an action.
#define HEDDLE_OPS(X)                                                                                                                                   \
    X(Mov)         /* dst = a */                                                                                                                        \
    X(Undef)       /* dst = a value of which every bit is undefined (LLVM's undef and poison) */                                                        \
    X(Freeze)      /* dst = a, every bit defined from here on */                                                                                        \
    /* integers of up to 64 bits */                                                                                                                     \
    X(Add) X(Sub) X(Mul)             /* imm = mask of the width: dst = (a op b) & imm */                                                                \
    X(UDiv) X(URem) X(SDiv) X(SRem)  /* imm = width [T] */                                                                                              \
    X(And) X(Or) X(Xor)              /* dst = a op b */                                                                                                 \
    X(Shl) X(LShr) X(AShr)           /* imm = width; an amount >= width gives an undefined value */                                                     \
    X(Trunc)                         /* imm = mask: dst = a & imm */                                                                                    \
    X(Sext)                          /* x = from width, y = to width (<= 64) */                                                                         \
    X(CmpEq) X(CmpNe) X(CmpUlt) X(CmpUle) X(CmpSlt) X(CmpSle) /* imm = width: dst = 0 or 1 */                                                           \
    X(Select)                        /* dst = a ? b : slot c */                                                                                         \
    X(Ctpop) X(Ctlz) X(Cttz) X(Bswap) X(BitReverse) /* imm = width; Ctlz(0) = Cttz(0) = width */                                                        \
    X(FunnelShl) X(FunnelShr)        /* c = slot of the amount, d = width: LLVM's fshl/fshr of a (high) and b (low) */                                  \
    X(UAddO) X(SAddO) X(USubO) X(SSubO) X(UMulO) X(SMulO) /* imm = width: dst = result, dst+1 = overflow */                                             \
    /* wide integers: a, b, dst name pairs; shift amounts are wide too */                                                                               \
    X(WAdd) X(WSub) X(WMul) X(WUDiv) X(WURem) X(WSDiv) X(WSRem) /* imm = width [T] */                                                                   \
    X(WShl) X(WLShr) X(WAShr)                                                                                                                           \
    X(WCmpEq) X(WCmpNe) X(WCmpUlt) X(WCmpUle) X(WCmpSlt) X(WCmpSle) /* dst is one slot */                                                               \
    X(WSext)                         /* x = from width (a is one slot when <= 64, else a pair), y = to width (> 64) */                                  \
    X(WUAddO) X(WSAddO) X(WUSubO) X(WSSubO) X(WUMulO) X(WSMulO) /* imm = width: dst, dst+1 = result, dst+2 = overflow */                                \
    /* floating point; F80 operands are pairs */                                                                                                        \
    X(FAdd) X(FSub) X(FMul) X(FDiv) X(FRem) X(FNeg) /* imm = Float */                                                                                   \
    X(FCmp)        /* x = LLVM's predicate number (bit 0 equal, 1 greater, 2 less, 3 unordered), y = Float */                                           \
    X(FToSi) X(FToUi) /* x = Float, y = width (pair when > 64); out of range gives what x86-64 does */                                                  \
    X(SiToF) X(UiToF) /* x = Float, y = width of a */                                                                                                   \
    X(FConv)       /* x = from Float, y = to Float */                                                                                                   \
    X(FMath)       /* c = slot of a third argument, d = MathFn, e = Float */                                                                            \
    /* addresses */                                                                                                                                     \
    X(Gep)         /* x = scale, y = signed 32-bit offset: dst = a + b * x + y; leaving the object by more than a guard is a trap [T] */                \
    X(PtrAdd)      /* dst = a + imm (signed), checked as Gep is [T] */                                                                                  \
    X(LocalAddr)   /* dst = address of Function::locals[imm] in this frame */                                                                           \
    X(TlsAddr)     /* dst = this thread's copy of Program::thread_locals[imm]; made at first use [A] */                                                 \
    /* memory: sizes are 1 to 16 bytes; > 8 bytes takes slot pairs */                                                                                   \
    X(Load)        /* dst = *a; c = bytes, d = access flags (below), e = width in bits to which the value is masked [T][A] */                           \
    X(Store)       /* *a = b; c = bytes, d = flags [T][A] */                                                                                            \
    X(Rmw)         /* dst = old; *a = old op b; c = bytes, d = flags, e = RmwOp [T][A] */                                                               \
    X(CmpXchg)     /* dst = old (one slot or two), then success; *a == b ? *a = slot c; d = flags, e = bytes,                                           \
                      f = failure Order, bit 8 = weak, bit 9 = unless: *a != b ? *a += slot c [T][A] */                                                 \
    X(Fence)       /* c = Order, d = FenceKind [A] */                                                                                                   \
    X(LoadLocal)   /* dst = bytes of locals[a] (an index, not a slot); x = byte offset, e = bytes, f = width */                                         \
    X(StoreLocal)  /* the same, from slot b */                                                                                                          \
    X(MemCpy) X(MemMove) /* to a, from b, c = slot of the length, d = flags [T][A] */                                                             \
    X(MemSet)      /* to a, byte in b, c and d likewise [T][A] */                                                                                        \
    X(Alloca)      /* dst = address of a new object of a (slot) bytes, ended by this function's return or StackRestore; b = its name in                  \
                      Function::variables (a number), x = alignment, y = 1 when it may reach another thread [T][A] */                                                                                  \
    X(StackSave)   /* dst = mark of the objects that Alloca made so far */                                                                              \
    X(StackRestore)/* ends those made since mark a [A] */                                                                                               \
    X(LocalUndef)  /* locals[imm] becomes undefined: its lifetime starts or ends */                                                                     \
    /* control: targets are indices into Function::code */                                                                                              \
    X(ControlMark) /* dst = 0, depending on the reads that decided how the thread got here */                                                           \
    X(ControlEnd)  /* from here on, only the reads that mark a depends on are said to have decided how the thread got here: the end of an               \
                      `if`, in languages whose control dependencies end there */                                                                        \
    X(Jump)        /* imm = target */                                                                                                                   \
    X(Br)          /* a ? x : y [T] */                                                                                                                  \
    X(BrEq) X(BrNe) X(BrUlt) X(BrUle) X(BrSlt) X(BrSle) /* compare a, b of width dst (a number), go to x when true, else y [T] */                       \
    X(Switch)      /* on a through Function::switches[imm] [T] */                                                                                       \
    X(Call)        /* x = FunctionId, y = first of the arguments in Function::operands, a = their number (a number); results to dst.. [T] */            \
    X(CallPtr)     /* a = slot of the function's address, b = number of arguments, y as Call, x = number of result slots expected [T] */                \
    X(Ret)         /* y = first of the results in Function::operands, a = their number (a number) [A] */                                                \
    X(Builtin)     /* x = Builtin, y = first argument in operands, a = number; result to dst [T][A] */                                                  \
    X(Loop)        /* the head of Function::loops[imm], executed once an iteration: ++dst, a counter that is 0 at every entry of the loop [A] */       \
    X(Unreachable) /* imm = 1: an instruction that ends the program on purpose (__builtin_trap) [T] */                                                  \
    X(Unsupported) /* imm = index into Program::messages: what is missing [T] */

enum class Op : std::uint16_t {
#define X(name) name,
    HEDDLE_OPS(X)
#undef X
};

// clang-format on

/// Access flags of Load, Store, Rmw, CmpXchg, MemCpy...: an Order in the low byte, then these bits.
inline constexpr std::uint16_t kVolatile = 0x100;
/// The access is to a pointer that holds a pointer, for reports.
inline constexpr std::uint16_t kPointerValue = 0x200;

/// A load that reserves, or a store that succeeds only because of such a load: the last one of its thread, at the same address. (A front end
/// expresses that the store may fail as a choice before it.)
inline constexpr std::uint16_t kExclusive = 0x400;
/// An update whose old value nobody gets (the kernel's atomic_add, AArch64's stadd): some models order its read less.
inline constexpr std::uint16_t kNoReturn = 0x800;

/// Flags of CmpXchg, in f.
inline constexpr std::uint16_t kWeakExchange = 0x100;
inline constexpr std::uint16_t kUnless = 0x200;

/// Of a Load, Rmw or CmpXchg: a compiler puts a branch behind it that depends on what is read (POWER's acquire).
inline constexpr std::uint16_t kDecides = 0x1000;

/// No slot: for a result that nobody uses.
inline constexpr Slot kNoSlot = 0xffff;

struct Instr {
    Op op;
    Slot dst = 0;
    Slot a = 0;
    Slot b = 0;
    std::uint64_t imm = 0;

    [[nodiscard]] constexpr std::uint32_t x() const { return static_cast<std::uint32_t>(imm); }
    [[nodiscard]] constexpr std::uint32_t y() const { return static_cast<std::uint32_t>(imm >> 32); }
    [[nodiscard]] constexpr std::uint16_t c() const { return static_cast<std::uint16_t>(imm); }
    [[nodiscard]] constexpr std::uint16_t d() const { return static_cast<std::uint16_t>(imm >> 16); }
    [[nodiscard]] constexpr std::uint16_t e() const { return static_cast<std::uint16_t>(imm >> 32); }
    [[nodiscard]] constexpr std::uint16_t f() const { return static_cast<std::uint16_t>(imm >> 48); }

    static constexpr std::uint64_t pack(std::uint32_t x, std::uint32_t y) { return x | (std::uint64_t{y} << 32); }
    static constexpr std::uint64_t pack(std::uint16_t c, std::uint16_t d, std::uint16_t e, std::uint16_t f) {
        return c | (std::uint64_t{d} << 16) | (std::uint64_t{e} << 32) | (std::uint64_t{f} << 48);
    }
};
static_assert(sizeof(Instr) == 16);

const char* name_of(Op op);

} // namespace heddle
