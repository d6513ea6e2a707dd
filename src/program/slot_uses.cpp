#include "program/slot_uses.hpp"

#include "program/targets.hpp"

namespace heddle {

namespace {

using enum SlotField;

unsigned for_bits(std::uint32_t bits) { return bits > 64 ? 2 : 1; }
unsigned for_bytes(std::uint32_t bytes) { return bytes > 8 ? 2 : 1; }

SlotUses simple(unsigned dst, unsigned a, unsigned b = 0) {
    SlotUses uses;
    if (dst != 0) {
        uses.write(Dst, dst);
    }
    if (a != 0) {
        uses.read(A, a);
    }
    if (b != 0) {
        uses.read(B, b);
    }
    return uses;
}

SlotUses float_uses(const Instr& i) {
    switch (i.op) {
    case Op::FNeg: {
        const unsigned n = slots_of(static_cast<Float>(i.imm));
        return simple(n, n);
    }
    case Op::FCmp: {
        const unsigned n = slots_of(static_cast<Float>(i.y()));
        return simple(1, n, n);
    }
    case Op::FToSi:
    case Op::FToUi:
        return simple(for_bits(i.y()), slots_of(static_cast<Float>(i.x())));
    case Op::SiToF:
    case Op::UiToF:
        return simple(slots_of(static_cast<Float>(i.x())), for_bits(i.y()));
    case Op::FConv:
        return simple(slots_of(static_cast<Float>(i.y())), slots_of(static_cast<Float>(i.x())));
    case Op::FMath: {
        const unsigned n = slots_of(static_cast<Float>(i.e()));
        const unsigned arity = arity_of(static_cast<MathFn>(i.d()));
        SlotUses uses = simple(n, n, arity > 1 ? n : 0);
        if (arity > 2) {
            uses.read(C, n);
        }
        return uses;
    }
    default: {
        const unsigned n = slots_of(static_cast<Float>(i.imm));
        return simple(n, n, n);
    }
    }
}

SlotUses memory_uses(const Instr& i) {
    SlotUses uses;
    switch (i.op) {
    case Op::Load:
        return simple(for_bytes(i.c()), 1);
    case Op::Store:
        return simple(0, 1, for_bytes(i.c()));
    case Op::Rmw:
        return simple(for_bytes(i.c()), 1, for_bytes(i.c()));
    case Op::CmpXchg: {
        const unsigned n = for_bytes(i.e());
        uses = simple(n + 1, 1, n);
        uses.read(C, n);
        return uses;
    }
    case Op::LoadLocal:
        return simple(for_bytes(i.e()), 0);
    case Op::StoreLocal:
        uses.read(B, for_bytes(i.e()));
        return uses;
    case Op::MemCpy:
    case Op::MemMove:
    case Op::MemSet:
        uses = simple(0, 1, 1);
        uses.read(C);
        return uses;
    default:
        return uses;
    }
}

} // namespace

SlotUses slot_uses(const Instr& i) {
    switch (i.op) {
    case Op::Undef:
    case Op::LocalAddr:
    case Op::TlsAddr:
    case Op::StackSave:
    case Op::ControlMark:
    case Op::Loop: // it reads its counter as well, but a counter is no value of the program's: nobody looks at it as one
        return simple(1, 0);
    case Op::Mov:
    case Op::Freeze:
    case Op::Trunc:
    case Op::Sext:
    case Op::Ctpop:
    case Op::Ctlz:
    case Op::Cttz:
    case Op::Bswap:
    case Op::BitReverse:
    case Op::PtrAdd:
    case Op::Alloca:
        return simple(1, 1);
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::UDiv:
    case Op::URem:
    case Op::SDiv:
    case Op::SRem:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Shl:
    case Op::LShr:
    case Op::AShr:
    case Op::CmpEq:
    case Op::CmpNe:
    case Op::CmpUlt:
    case Op::CmpUle:
    case Op::CmpSlt:
    case Op::CmpSle:
    case Op::Gep:
        return simple(1, 1, 1);
    case Op::Select:
    case Op::FunnelShl:
    case Op::FunnelShr: {
        SlotUses uses = simple(1, 1, 1);
        uses.read(C);
        return uses;
    }
    case Op::UAddO:
    case Op::SAddO:
    case Op::USubO:
    case Op::SSubO:
    case Op::UMulO:
    case Op::SMulO:
        return simple(2, 1, 1);
    case Op::WAdd:
    case Op::WSub:
    case Op::WMul:
    case Op::WUDiv:
    case Op::WURem:
    case Op::WSDiv:
    case Op::WSRem:
    case Op::WShl:
    case Op::WLShr:
    case Op::WAShr:
        return simple(2, 2, 2);
    case Op::WCmpEq:
    case Op::WCmpNe:
    case Op::WCmpUlt:
    case Op::WCmpUle:
    case Op::WCmpSlt:
    case Op::WCmpSle:
        return simple(1, 2, 2);
    case Op::WSext:
        return simple(2, for_bits(i.x()));
    case Op::WUAddO:
    case Op::WSAddO:
    case Op::WUSubO:
    case Op::WSSubO:
    case Op::WUMulO:
    case Op::WSMulO:
        return simple(3, 2, 2);
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv:
    case Op::FRem:
    case Op::FNeg:
    case Op::FCmp:
    case Op::FToSi:
    case Op::FToUi:
    case Op::SiToF:
    case Op::UiToF:
    case Op::FConv:
    case Op::FMath:
        return float_uses(i);
    case Op::Load:
    case Op::Store:
    case Op::Rmw:
    case Op::CmpXchg:
    case Op::LoadLocal:
    case Op::StoreLocal:
    case Op::MemCpy:
    case Op::MemMove:
    case Op::MemSet:
        return memory_uses(i);
    case Op::StackRestore:
    case Op::ControlEnd:
    case Op::Br:
    case Op::Switch:
        return simple(0, 1);
    case Op::BrEq:
    case Op::BrNe:
    case Op::BrUlt:
    case Op::BrUle:
    case Op::BrSlt:
    case Op::BrSle:
        return simple(0, 1, 1);
    case Op::CallPtr:
        return simple(i.dst == kNoSlot ? 0 : i.x(), 1);
    case Op::Builtin:
        return simple(i.dst == kNoSlot ? 0 : 1, 0);
    case Op::Fence:
    case Op::LocalUndef:
    case Op::Jump:
    case Op::Call:
    case Op::Ret:
    case Op::Unreachable:
    case Op::Unsupported:
        break;
    }
    return {};
}

Slot slot_in(const Instr& instr, SlotField field) {
    switch (field) {
    case Dst:
        return instr.dst;
    case A:
        return instr.a;
    case B:
        return instr.b;
    case C:
        return instr.c();
    }
    return kNoSlot;
}

void set_slot_in(Instr& instr, SlotField field, Slot slot) {
    switch (field) {
    case Dst:
        instr.dst = slot;
        break;
    case A:
        instr.a = slot;
        break;
    case B:
        instr.b = slot;
        break;
    case C:
        instr.imm = Instr::pack(slot, instr.d(), instr.e(), instr.f());
        break;
    }
}

bool divides(Op op) {
    switch (op) {
    case Op::UDiv:
    case Op::URem:
    case Op::SDiv:
    case Op::SRem:
    case Op::WUDiv:
    case Op::WURem:
    case Op::WSDiv:
    case Op::WSRem:
        return true;
    default:
        return false;
    }
}

bool is_terminator(Op op) {
    if (is_two_way(op)) {
        return true;
    }
    switch (op) {
    case Op::Jump:
    case Op::Switch:
    case Op::Ret:
    case Op::Unreachable:
    case Op::Unsupported:
        return true;
    default:
        return false;
    }
}

} // namespace heddle
