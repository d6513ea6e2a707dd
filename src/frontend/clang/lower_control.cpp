// Branches, switches and phis.
//
// A phi is a register that every predecessor writes at its end: a parallel assignment of all phis of the successor, on the edge. Where the
// predecessor has other successors too, the edge gets a stub of code of its own, put right after the branch. The counters of the loops that an
// edge enters are set to zero in the same way.
#include "frontend/clang/lower.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>

#include <utility>
#include <vector>

namespace heddle::clang_frontend {

namespace {

struct Copy {
    Slot to;
    Slot from;
};

/// All copies at once. A copy may go when nobody still waits to read its target; when none may, the rest are cycles, and one value
/// steps aside. Linear in the number of copies: targets are distinct, so each slot has at most one copy that writes it.
void emit_parallel(FunctionContext& to, llvm::ArrayRef<Copy> copies) {
    llvm::DenseMap<Slot, Slot> source;      // of each target still to be written
    llvm::DenseMap<Slot, unsigned> readers; // how many of those copies read a slot
    for (const Copy& copy : copies) {
        if (copy.to != copy.from) {
            source[copy.to] = copy.from;
            ++readers[copy.from];
        }
    }
    // Writes `target` and then whatever has become free by it.
    const auto write_from = [&](Slot target) {
        for (auto next = source.find(target); next != source.end() && readers.lookup(next->first) == 0;) {
            const Slot from = next->second;
            to.code.emit(Op::Mov, next->first, from);
            source.erase(next);
            --readers[from];
            next = source.find(from);
        }
    };
    for (const Copy& copy : copies) {
        write_from(copy.to);
    }
    for (const Copy& copy : copies) {
        if (source.contains(copy.to)) {
            // A cycle: its one reader of this slot takes the value from aside.
            const Slot aside = to.compute(Op::Mov, copy.to);
            for (auto& [target, from] : source) {
                if (from == copy.to) {
                    from = aside;
                    ++readers[aside];
                }
            }
            readers[copy.to] = 0;
            write_from(copy.to);
        }
    }
}

/// What happens on the edge: the successor's phis, and the counters of loops that begin.
void emit_edge(FunctionContext& to, const llvm::BasicBlock& from, const llvm::BasicBlock& successor) {
    std::vector<Copy> copies;
    for (const llvm::PHINode& phi : successor.phis()) {
        const Slots target = to.operand(phi);
        if (target.empty()) {
            continue; // of a type without slots; its users are unsupported
        }
        const Slots value = to.operand(*phi.getIncomingValueForBlock(&from));
        for (std::size_t k = 0; k < target.size(); ++k) {
            copies.push_back({target[k], value[k]});
        }
    }
    for (const LoopHeads::Head* entered : to.loops.entered(from, successor)) {
        copies.push_back({entered->counter, to.constant(0)});
    }
    emit_parallel(to, copies);
    to.release_scratch();
}

/// The edges out of one block, and their stubs.
class Edges {
  public:
    Edges(FunctionContext& to, const llvm::BasicBlock& from) : to_(to), from_(from) {}

    Label label(const llvm::BasicBlock& successor) {
        if (successor.phis().empty() && to_.loops.entered(from_, successor).empty()) {
            return to_.label(successor);
        }
        for (const Stub& stub : stubs_) {
            if (stub.successor == &successor) {
                return stub.label;
            }
        }
        stubs_.push_back({&successor, to_.code.make_label()});
        return stubs_.back().label;
    }

    /// To be called after the branch itself.
    void emit_stubs() {
        for (const Stub& stub : stubs_) {
            to_.code.put(stub.label);
            emit_edge(to_, from_, *stub.successor);
            to_.code.jump(to_.label(*stub.successor));
        }
    }

  private:
    struct Stub {
        const llvm::BasicBlock* successor;
        Label label;
    };
    FunctionContext& to_;
    const llvm::BasicBlock& from_;
    std::vector<Stub> stubs_;
};

void lower_branch(FunctionContext& to, const llvm::BranchInst& branch) {
    if (branch.isUnconditional()) {
        emit_edge(to, *branch.getParent(), *branch.getSuccessor(0));
        to.code.jump(to.label(*branch.getSuccessor(0)));
        return;
    }
    Edges edges(to, *branch.getParent());
    const Label then = edges.label(*branch.getSuccessor(0));
    const Label otherwise = edges.label(*branch.getSuccessor(1));
    const auto* condition = llvm::dyn_cast<llvm::ICmpInst>(branch.getCondition());
    if (condition && is_fused(*condition)) {
        const CompareOp op = compare_op(condition->getPredicate());
        Slot a = to.single(*condition->getOperand(0));
        Slot b = to.single(*condition->getOperand(1));
        if (op.swapped) {
            std::swap(a, b);
        }
        const unsigned bits = to.shape(*condition->getOperand(0)).leaves.front().bits;
        to.code.branch(op.branch, static_cast<Slot>(bits), a, b, then, otherwise);
        to.release_use(*condition->getOperand(0));
        to.release_use(*condition->getOperand(1));
    } else {
        to.code.branch(Op::Br, 0, to.single(*branch.getCondition()), 0, then, otherwise);
    }
    edges.emit_stubs();
}

void lower_switch(FunctionContext& to, const llvm::SwitchInst& choice) {
    Edges edges(to, *choice.getParent());
    const Slots value = to.operand(*choice.getCondition());
    const Label otherwise = edges.label(*choice.getDefaultDest());
    if (value.size() == 1) {
        std::vector<std::pair<std::uint64_t, Label>> cases;
        for (const auto& c : choice.cases()) {
            cases.emplace_back(c.getCaseValue()->getZExtValue(), edges.label(*c.getCaseSuccessor()));
        }
        to.code.switch_on(value.front(), std::move(cases), otherwise);
    } else if (value.size() > 2) {
        to.unsupported("a switch on an integer of more than 128 bits");
    } else {
        for (const auto& c : choice.cases()) {
            const Slot same = to.compute(Op::WCmpEq, value.front(), to.operand(*c.getCaseValue()).front(),
                                         choice.getCondition()->getType()->getIntegerBitWidth());
            const Label next = to.code.make_label();
            to.code.branch(Op::Br, 0, same, 0, edges.label(*c.getCaseSuccessor()), next);
            to.code.put(next);
        }
        to.code.jump(otherwise);
    }
    edges.emit_stubs();
}

/// GNU C's computed goto: a switch over the numbers that Globals gives to blocks.
void lower_computed_goto(FunctionContext& to, const llvm::IndirectBrInst& branch) {
    Edges edges(to, *branch.getParent());
    std::vector<std::pair<std::uint64_t, Label>> cases;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> seen;
    for (const llvm::BasicBlock* successor : branch.successors()) {
        const llvm::BlockAddress* address = llvm::BlockAddress::lookup(successor);
        if (address && seen.insert(successor).second) {
            cases.emplace_back(*to.module.globals.evaluate(*address), edges.label(*successor));
        }
    }
    const Label nowhere = to.code.make_label();
    to.code.switch_on(to.single(*branch.getAddress()), std::move(cases), nowhere);
    to.code.put(nowhere);
    to.code.emit(Op::Unreachable, 0);
    edges.emit_stubs();
}

/// Reads of the phi's register that happen where they stand, never later under another name.
bool reads_in_place(const llvm::Instruction& user) {
    switch (user.getOpcode()) {
    case llvm::Instruction::ICmp:
    case llvm::Instruction::FCmp:
    case llvm::Instruction::Load:
    case llvm::Instruction::Store:
    case llvm::Instruction::Select:
    case llvm::Instruction::SExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Ret:
    case llvm::Instruction::Br:
    case llvm::Instruction::Switch:
    case llvm::Instruction::PHI:
        return true;
    case llvm::Instruction::GetElementPtr:
        return !llvm::cast<llvm::GetElementPtrInst>(user).hasAllZeroIndices();
    case llvm::Instruction::Call:
        return !llvm::isa<llvm::IntrinsicInst>(user) && !llvm::cast<llvm::CallInst>(user).isInlineAsm();
    default:
        return user.isBinaryOp();
    }
}

/// Values whose last machine instruction is the one that writes them.
bool writes_last(const llvm::Instruction& value) {
    return !value.getType()->isVectorTy() &&
           (value.isBinaryOp() || llvm::isa<llvm::LoadInst>(value) ||
            (llvm::isa<llvm::GetElementPtrInst>(value) && !llvm::cast<llvm::GetElementPtrInst>(value).hasAllZeroIndices()));
}

/// Whether the value may be written to the phi's register at once instead of at the end of its block. Sound when nothing reads the phi's old
/// value after that: the block goes nowhere but to the phi, so only the rest of the block and the other phis of that edge could.
bool may_update_in_place(const llvm::PHINode& phi, const llvm::Instruction& value) {
    const llvm::BasicBlock* block = value.getParent();
    const auto* end = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!end || !end->isUnconditional() || !value.hasOneUse() || !writes_last(value)) {
        return false;
    }
    return llvm::all_of(phi.uses(), [&](const llvm::Use& use) {
        const auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
        if (!reads_in_place(user)) {
            return false;
        }
        if (const auto* other = llvm::dyn_cast<llvm::PHINode>(&user)) {
            return other->getIncomingBlock(use) != block;
        }
        return user.getParent() != block || &user == &value || user.comesBefore(&value);
    });
}

} // namespace

bool is_fused(const llvm::Instruction& instruction) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
    if (!compare || !compare->hasOneUse()) {
        return false;
    }
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(compare->user_back());
    const llvm::Type* type = compare->getOperand(0)->getType();
    return branch && branch->getParent() == compare->getParent() &&
           (type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() <= 64));
}

void coalesce_phis(FunctionContext& to) {
    for (const llvm::BasicBlock& block : to.source) {
        for (const llvm::PHINode& phi : block.phis()) {
            if (to.shape(phi).slots != 1) {
                continue;
            }
            for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
                const auto* value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(i));
                if (value && value->getParent() == phi.getIncomingBlock(i) && may_update_in_place(phi, *value)) {
                    to.coalesce(*value, phi);
                }
            }
        }
    }
}

void lower_terminator(FunctionContext& to, const llvm::Instruction& terminator) {
    switch (terminator.getOpcode()) {
    case llvm::Instruction::Br:
        lower_branch(to, llvm::cast<llvm::BranchInst>(terminator));
        break;
    case llvm::Instruction::Switch:
        lower_switch(to, llvm::cast<llvm::SwitchInst>(terminator));
        break;
    case llvm::Instruction::IndirectBr:
        lower_computed_goto(to, llvm::cast<llvm::IndirectBrInst>(terminator));
        break;
    case llvm::Instruction::Ret: {
        const llvm::Value* value = llvm::cast<llvm::ReturnInst>(terminator).getReturnValue();
        const Slots list = value ? to.operand(*value) : Slots{};
        to.code.emit(Op::Ret, 0, static_cast<Slot>(list.size()), 0, Instr::pack(0, to.code.list(list)));
        break;
    }
    case llvm::Instruction::Unreachable:
        to.code.emit(Op::Unreachable, 0);
        break;
    default:
        lower_unsupported(to, terminator, std::string("instruction '") + terminator.getOpcodeName() + "'");
        break;
    }
    // The phis of the successors used their operands on the edges just emitted.
    llvm::SmallPtrSet<const llvm::BasicBlock*, 4> seen;
    for (const llvm::BasicBlock* successor : llvm::successors(terminator.getParent())) {
        if (!seen.insert(successor).second) {
            continue;
        }
        for (const llvm::PHINode& phi : successor->phis()) {
            for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
                if (phi.getIncomingBlock(i) == terminator.getParent()) {
                    to.release_use(*phi.getIncomingValue(i));
                }
            }
        }
    }
    to.end(terminator);
}

} // namespace heddle::clang_frontend
