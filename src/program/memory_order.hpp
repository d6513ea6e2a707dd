// The words of atomic accesses, common to program, machine, graph and models.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

/// Whose words a program, or a definition of a memory model, speaks: which orders and fences it has and what they are called.
enum class Architecture : std::uint8_t { C, Lkmm, X86, Power, Arm, AArch64, RiscV };

/// How an access is ordered. Unordered atomics (Java's) are treated as Relaxed; consume as Acquire.
/// Instructions of a processor use the same words: ldar and .aq are Acquire, stlr and .rl Release, .aq.rl AcqRel. Of the Linux kernel, READ_ONCE is
/// Relaxed and a fully ordered update SeqCst. A plain instruction, of a processor, is Relaxed: no access of it is undefined behaviour.
enum class Order : std::uint8_t {
    NonAtomic,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
    AcquirePc, ///< AArch64's ldapr: an acquire that an earlier release does not wait for
};

/// Does an access or fence of this order acquire, release? (C11's orders. AArch64's acquire-pc is for its model to speak of.)
constexpr bool is_acquire(Order o) { return o == Order::Acquire || o == Order::AcqRel || o == Order::SeqCst; }
constexpr bool is_release(Order o) { return o == Order::Release || o == Order::AcqRel || o == Order::SeqCst; }

/// What an atomic update does to the old value.
enum class RmwOp : std::uint8_t {
    Xchg,
    Add,
    Sub,
    And,
    Nand,
    Or,
    Xor,
    Max,
    Min,
    UMax,
    UMin,
    FAdd,
    FSub,
    FMax,
    FMin, ///< floating point of the access size (4 or 8)
    CompareExchange,
    AddUnless, ///< the kernel's atomic_add_unless: adds, unless the old value is the expected one
};

/// A fence: the C11 one (with an Order), or one that the program wrote in assembly.
enum class FenceKind : std::uint8_t {
    C11,
    MFence, ///< x86 mfence
    LFence,
    SFence, ///< x86
    Sync,
    LwSync,
    ISync,
    EIEIO, ///< POWER
    DmbSy,
    DmbSt,
    DmbLd,
    DsbSy,
    DsbSt,
    DsbLd,
    Isb, ///< ARM; the shareability domain (ish, osh, nsh) is not distinguished
    FenceRwRw,
    FenceRwR,
    FenceRwW,
    FenceRRw,
    FenceRR,
    FenceRW,
    FenceWRw,
    FenceWR,
    FenceWW,
    FenceTso,
    FenceI, ///< RISC-V: fence PREDECESSORS,SUCCESSORS (i and o are not distinguished from r and w), fence.tso, fence.i
    Mb,
    Rmb,
    Wmb,
    BeforeAtomic,
    AfterAtomic,
    AfterSpinlock,
    AfterUnlockLock,
    RcuLock,
    RcuUnlock,
    SyncRcu, ///< the Linux kernel
};

/// Does the fence order everything before it with everything after it? Of C11's the order says it.
constexpr bool is_full(FenceKind kind) {
    return kind == FenceKind::MFence || kind == FenceKind::Sync || kind == FenceKind::DmbSy || kind == FenceKind::DsbSy ||
           kind == FenceKind::FenceRwRw || kind == FenceKind::Mb;
}

/// When a waiting load or update may go on: `value read` compared with an operand, as unsigned numbers of the access size.
enum class Wait : std::uint8_t { None, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

/// The words of dumps and reports: "plain", "acq_rel", "lwsync", ...
std::string_view word_of(Order order);
std::string_view word_of(FenceKind kind);

} // namespace heddle
