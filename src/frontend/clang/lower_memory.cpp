// Loads, stores, atomics, fences, addresses and stack objects.
#include "frontend/clang/lower.hpp"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include <limits>
#include <vector>

namespace heddle::clang_frontend {

namespace {

std::uint16_t flags_of(Order order, bool is_volatile, const Leaf& leaf) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(order) | (is_volatile ? kVolatile : 0u) |
                                      (leaf.kind == Leaf::Kind::Pointer ? kPointerValue : 0u));
}

std::optional<RmwOp> rmw_op(llvm::AtomicRMWInst::BinOp operation) {
    switch (operation) {
    case llvm::AtomicRMWInst::Xchg:
        return RmwOp::Xchg;
    case llvm::AtomicRMWInst::Add:
        return RmwOp::Add;
    case llvm::AtomicRMWInst::Sub:
        return RmwOp::Sub;
    case llvm::AtomicRMWInst::And:
        return RmwOp::And;
    case llvm::AtomicRMWInst::Nand:
        return RmwOp::Nand;
    case llvm::AtomicRMWInst::Or:
        return RmwOp::Or;
    case llvm::AtomicRMWInst::Xor:
        return RmwOp::Xor;
    case llvm::AtomicRMWInst::Max:
        return RmwOp::Max;
    case llvm::AtomicRMWInst::Min:
        return RmwOp::Min;
    case llvm::AtomicRMWInst::UMax:
        return RmwOp::UMax;
    case llvm::AtomicRMWInst::UMin:
        return RmwOp::UMin;
    case llvm::AtomicRMWInst::FAdd:
        return RmwOp::FAdd;
    case llvm::AtomicRMWInst::FSub:
        return RmwOp::FSub;
    case llvm::AtomicRMWInst::FMax:
        return RmwOp::FMax;
    case llvm::AtomicRMWInst::FMin:
        return RmwOp::FMin;
    default:
        return std::nullopt;
    }
}

/// The parts of an address computation: base + sum of index * scale + offset.
struct Path {
    struct Step {
        const llvm::Value* index;
        std::uint64_t scale;
    };
    std::vector<Step> steps;
    std::int64_t offset = 0;
};

Path path_of(FunctionContext& to, const llvm::GetElementPtrInst& gep) {
    Path path;
    for (auto it = llvm::gep_type_begin(gep); it != llvm::gep_type_end(gep); ++it) {
        const llvm::Value* index = it.getOperand();
        const auto* number = llvm::dyn_cast<llvm::Constant>(index);
        if (number && index->getType()->isVectorTy()) {
            number = number->getSplatValue();
        }
        const auto* integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(number);
        if (llvm::StructType* structure = it.getStructTypeOrNull()) {
            path.offset += static_cast<std::int64_t>(to.module.layout.getStructLayout(structure)
                                                         ->getElementOffset(static_cast<unsigned>(integer->getZExtValue()))
                                                         .getFixedValue());
            continue;
        }
        const std::uint64_t scale = it.getSequentialElementStride(to.module.layout).getFixedValue();
        if (integer) {
            path.offset += integer->getValue().sextOrTrunc(64).getSExtValue() * static_cast<std::int64_t>(scale);
        } else if (scale != 0) {
            path.steps.push_back({index, scale});
        }
    }
    return path;
}

/// One lane of an address computation, into dst. The constant part comes last: a[i][j - 5] must not leave `a` on its way.
void emit_address(FunctionContext& to, const Path& path, Slot dst, Slot base, unsigned lane) {
    std::int64_t offset = path.offset;
    Slot current = base;
    for (const Path::Step& step : path.steps) {
        const Slots all = to.operand(*step.index);
        const unsigned bits = step.index->getType()->getScalarSizeInBits();
        const unsigned width = bits > 64 ? 2 : 1;
        Slot index = all[step.index->getType()->isVectorTy() ? lane * width : 0];
        if (bits < 64) {
            index = to.compute(Op::Sext, index, 0, Instr::pack(bits, 64));
        }
        std::uint64_t scale = step.scale;
        if (scale > std::numeric_limits<std::uint32_t>::max()) {
            index = to.compute(Op::Mul, index, to.constant(scale), mask_of(64));
            scale = 1;
        }
        const bool last = &step == &path.steps.back();
        const bool fits =
            offset >= std::numeric_limits<std::int32_t>::min() && offset <= std::numeric_limits<std::int32_t>::max();
        const std::int64_t here = last && fits ? offset : 0;
        const Slot next = last && here == offset ? dst : to.scratch();
        to.code.emit(Op::Gep, next, current, index,
                     Instr::pack(static_cast<std::uint32_t>(scale), static_cast<std::uint32_t>(static_cast<std::int32_t>(here))));
        offset -= here;
        current = next;
    }
    if (offset != 0 || path.steps.empty()) {
        to.code.emit(Op::PtrAdd, dst, current, 0, static_cast<std::uint64_t>(offset));
    }
}

} // namespace

Order order_of(llvm::AtomicOrdering ordering) {
    switch (ordering) {
    case llvm::AtomicOrdering::NotAtomic:
        return Order::NonAtomic;
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic:
        return Order::Relaxed;
    case llvm::AtomicOrdering::Acquire:
        return Order::Acquire;
    case llvm::AtomicOrdering::Release:
        return Order::Release;
    case llvm::AtomicOrdering::AcquireRelease:
        return Order::AcqRel;
    case llvm::AtomicOrdering::SequentiallyConsistent:
        return Order::SeqCst;
    }
    return Order::SeqCst;
}

void lower_load(FunctionContext& to, const llvm::LoadInst& load) {
    const Shape& shape = to.shape(load);
    if (!shape.lies_in_bytes) {
        return lower_unsupported(to, load, "a load of a vector of single bits");
    }
    const MemoryPlace place = to.place_of(*load.getPointerOperand());
    const Slot dst = to.define(load);
    for (const Leaf& leaf : shape.leaves) {
        to.load(slot_after(dst, leaf.slot), place, static_cast<std::int64_t>(leaf.offset), leaf.bytes(), leaf.bits,
                flags_of(order_of(load.getOrdering()), load.isVolatile(), leaf));
    }
}

void lower_store(FunctionContext& to, const llvm::StoreInst& store) {
    const Shape& shape = to.shape(*store.getValueOperand());
    if (!shape.lies_in_bytes) {
        return lower_unsupported(to, store, "a store of a vector of single bits");
    }
    const Slots value = to.operand(*store.getValueOperand());
    const MemoryPlace place = to.place_of(*store.getPointerOperand());
    for (const Leaf& leaf : shape.leaves) {
        to.store(value[leaf.slot], place, static_cast<std::int64_t>(leaf.offset), leaf.bytes(),
                 flags_of(order_of(store.getOrdering()), store.isVolatile(), leaf));
    }
}

void lower_rmw(FunctionContext& to, const llvm::AtomicRMWInst& rmw) {
    const auto op = rmw_op(rmw.getOperation());
    const Shape& shape = to.shape(*rmw.getValOperand());
    const bool is_float = shape.leaves.front().kind == Leaf::Kind::Float;
    if (!op || shape.leaves.size() != 1 || (is_float && shape.slots != 1)) {
        return lower_unsupported(to, rmw, "atomicrmw " + llvm::AtomicRMWInst::getOperationName(rmw.getOperation()).str());
    }
    const Leaf& leaf = shape.leaves.front();
    const Slot address = to.single(*rmw.getPointerOperand());
    const Slots value = to.operand(*rmw.getValOperand());
    const Slot dst = to.define(rmw);
    to.code.emit(Op::Rmw, dst, address, value.front(),
                 Instr::pack(static_cast<std::uint16_t>(leaf.bytes()),
                             flags_of(order_of(rmw.getOrdering()), rmw.isVolatile(), leaf), static_cast<std::uint16_t>(*op), 0));
}

void lower_cmpxchg(FunctionContext& to, const llvm::AtomicCmpXchgInst& exchange) {
    const Leaf& leaf = to.shape(*exchange.getCompareOperand()).leaves.front();
    const Slot address = to.single(*exchange.getPointerOperand());
    const Slots expected = to.operand(*exchange.getCompareOperand());
    const Slots desired = to.operand(*exchange.getNewValOperand());
    const Slot dst = to.define(exchange);
    const unsigned failure =
        static_cast<unsigned>(order_of(exchange.getFailureOrdering())) | (exchange.isWeak() ? kWeakExchange : 0u);
    const Order order = order_of(exchange.getSuccessOrdering());
    to.code.emit(Op::CmpXchg, dst, address, expected.front(),
                 Instr::pack(desired.front(), flags_of(order, exchange.isVolatile(), leaf),
                             static_cast<std::uint16_t>(leaf.bytes()), static_cast<std::uint16_t>(failure)));
}

void lower_fence(FunctionContext& to, const llvm::FenceInst& fence) {
    if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) {
        return; // atomic_signal_fence orders a thread against its own signal handlers only
    }
    to.code.emit(
        Op::Fence, 0, 0, 0,
        Instr::pack(static_cast<std::uint16_t>(order_of(fence.getOrdering())), static_cast<std::uint16_t>(FenceKind::C11), 0, 0));
}

void lower_alloca(FunctionContext& to, const llvm::AllocaInst& variable) {
    if (to.local_of(variable)) {
        return; // lives in the frame; its address is made where it is needed
    }
    if (variable.getAlign().value() > kMaxAlign) {
        return lower_unsupported(to, variable, "a variable aligned to more than " + std::to_string(kMaxAlign) + " bytes");
    }
    const llvm::TypeSize element = to.module.layout.getTypeAllocSize(variable.getAllocatedType());
    if (element.isScalable()) {
        return lower_unsupported(to, variable, "a variable of a scalable vector type");
    }
    Slot size = to.constant(element.getFixedValue());
    if (const auto fixed = variable.getAllocationSize(to.module.layout)) {
        size = to.constant(fixed->getFixedValue());
    } else {
        size = to.compute(Op::Mul, to.operand(*variable.getArraySize()).front(), size, mask_of(64));
    }
    const Slot dst = to.define(variable);
    to.code.emit(
        Op::Alloca, dst, size, to.add_variable(variable),
        Instr::pack(static_cast<std::uint32_t>(variable.getAlign().value()), to.module.escape.escapes(variable) ? 1 : 0));
}

void lower_gep(FunctionContext& to, const llvm::GetElementPtrInst& gep) {
    if (to.local_byte(gep)) {
        return; // a known byte of a Local: made where it is needed
    }
    if (gep.getSourceElementType()->isScalableTy()) {
        return lower_unsupported(to, gep, "an address of a scalable vector type");
    }
    const Path path = path_of(to, gep);
    const Slots base = to.operand(*gep.getPointerOperand());
    if (path.steps.empty() && path.offset == 0 && base.size() == to.shape(gep).slots) {
        return to.rename(gep, base);
    }
    const Slot dst = to.define(gep);
    for (unsigned lane = 0; lane < lanes_of(gep.getType()); ++lane) {
        emit_address(to, path, slot_after(dst, lane), base[base.size() == 1 ? 0 : lane], lane);
    }
}

void emit_copy(FunctionContext& to, Op op, Slot target, Slot source, Slot length, bool is_volatile) {
    to.code.emit(op, 0, target, source, Instr::pack(length, is_volatile ? kVolatile : std::uint16_t{0}, 0, 0));
}

} // namespace heddle::clang_frontend
