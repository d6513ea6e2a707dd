// Local variables to registers, but only those of which no read can come before a write.
//
// LLVM's own promotion turns a read of a variable that is not yet assigned into `undef`, and where one path assigns and another does not,
// phi(x, undef) folds to x: the uninitialised read, which we want to report, is gone. So a variable is promoted only if it is definitely
// assigned before every load on every path. The others stay in memory, where the machine knows which bytes were written.
//
// The analysis is the forward must-analysis of Java's definite assignment: a set of assigned variables at each point, intersected where
// paths meet, a store adds to it, the start or end of a variable's lifetime removes. (A second round of a loop body so sees its variables
// unassigned again.) Cost: one bit a variable and block, a few rounds over the blocks.
#include "frontend/clang/passes.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

namespace heddle::clang_frontend {

namespace {

class DefiniteAssignment {
  public:
    explicit DefiniteAssignment(llvm::Function& function) : function_(function) {
        for (llvm::Instruction& instruction : function.getEntryBlock()) {
            auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
            if (variable && llvm::isAllocaPromotable(variable)) {
                index_[variable] = static_cast<unsigned>(variables_.size());
                variables_.push_back(variable);
            }
        }
    }

    /// The variables that no load can read unassigned.
    std::vector<llvm::AllocaInst*> run() {
        if (variables_.empty()) {
            return {};
        }
        llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
        for (bool changed = true; changed;) {
            changed = false;
            for (llvm::BasicBlock* block : order) {
                llvm::BitVector assigned = at_entry(*block);
                transfer(*block, assigned, nullptr);
                llvm::BitVector& known = at_exit_.try_emplace(block, everything()).first->second;
                if (known != assigned) {
                    known = std::move(assigned);
                    changed = true;
                }
            }
        }
        llvm::BitVector safe = everything();
        for (llvm::BasicBlock* block : order) {
            llvm::BitVector assigned = at_entry(*block);
            transfer(*block, assigned, &safe);
        }
        std::vector<llvm::AllocaInst*> result;
        for (const unsigned i : safe.set_bits()) {
            result.push_back(variables_[i]);
        }
        return result;
    }

  private:
    [[nodiscard]] llvm::BitVector everything() const { return llvm::BitVector(static_cast<unsigned>(variables_.size()), true); }

    /// A predecessor not visited yet counts as "everything", the neutral element: the iteration only ever takes away.
    [[nodiscard]] llvm::BitVector at_entry(llvm::BasicBlock& block) const {
        if (&block == &function_.getEntryBlock()) {
            return llvm::BitVector(static_cast<unsigned>(variables_.size()), false);
        }
        llvm::BitVector assigned = everything();
        for (llvm::BasicBlock* predecessor : llvm::predecessors(&block)) {
            if (const auto known = at_exit_.find(predecessor); known != at_exit_.end()) {
                assigned &= known->second;
            }
        }
        return assigned;
    }

    [[nodiscard]] const unsigned* find(const llvm::Value* pointer) const {
        const auto found = index_.find(pointer->stripPointerCasts());
        return found == index_.end() ? nullptr : &found->second;
    }

    /// `assigned` from the block's entry to its exit; `safe` loses what is loaded unassigned.
    void transfer(const llvm::BasicBlock& block, llvm::BitVector& assigned, llvm::BitVector* safe) const {
        for (const llvm::Instruction& instruction : block) {
            if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
                if (const unsigned* i = find(store->getPointerOperand())) {
                    assigned.set(*i);
                }
            } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
                const unsigned* i = find(load->getPointerOperand());
                if (i && safe && !assigned.test(*i)) {
                    safe->reset(*i);
                }
            } else if (const auto* marker = llvm::dyn_cast<llvm::LifetimeIntrinsic>(&instruction)) {
                if (const unsigned* i = find(marker->getArgOperand(1))) {
                    assigned.reset(*i);
                }
            }
        }
    }

    llvm::Function& function_;
    std::vector<llvm::AllocaInst*> variables_;
    llvm::DenseMap<const llvm::Value*, unsigned> index_; ///< into variables_
    llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> at_exit_;
};

} // namespace

void promote_assigned_variables(llvm::Function& function) {
    const std::vector<llvm::AllocaInst*> variables = DefiniteAssignment(function).run();
    if (!variables.empty()) {
        llvm::DominatorTree dominators(function);
        llvm::PromoteMemToReg(variables, dominators);
    }
}

} // namespace heddle::clang_frontend
