// Dead code elimination of the mark-and-sweep kind, so that a variable that only feeds itself (delay *= 2, round and round) is seen to be dead, and
// with control: `if (delay < limit) delay *= 2;` is dead when the variable is.
//
// LLVM's own pass (ADCE) would do it, and too much: unused loads and divisions of the whole function, which may be the very error that the program
// is checked for. This one looks at nothing but the backward slice of the given values, and removes only what cannot trap. One kind of report
// is lost, deliberately: that an uninitialised value decides one of the branches removed.
#include "frontend/clang/dead_feeders.hpp"

#include "frontend/clang/idle_code.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <vector>

namespace heddle::clang_frontend {

namespace {

/// A branch both of whose arms come to `merge` after computing only: if (c) { .. } else { .. }, either part possibly absent.
struct Hammock {
    llvm::BranchInst* branch;
    llvm::BasicBlock* merge;
};

/// The block in which an arm ends that goes from `from` by way of `arm` to `merge`; null when it does something else.
llvm::BasicBlock* end_of_arm(llvm::BasicBlock* from, llvm::BasicBlock* arm, llvm::BasicBlock* merge) {
    if (arm == merge) {
        return from;
    }
    const bool plain = arm->getSinglePredecessor() == from && arm->getSingleSuccessor() == merge &&
                       llvm::all_of(*arm, [](const llvm::Instruction& i) {
                           return i.isTerminator() || (!llvm::isa<llvm::PHINode>(i) && (only_computes(i) || is_note(i)));
                       });
    return plain ? arm : nullptr;
}

class Slice {
  public:
    explicit Slice(const Feeders& feeders) {
        for (const llvm::WeakVH& value : feeders) {
            add(value);
        }
        while (!pending_.empty()) {
            expand(*pending_.pop_back_val());
        }
    }

    bool remove_dead() {
        for (llvm::Instruction* member : members_) {
            if (has_outside_use(*member)) {
                mark(*member);
            }
        }
        for (const auto& [phi, branches] : chosen_) {
            if (!members_.contains(phi)) {
                mark(*phi); // not ours to remove
            }
        }
        while (!pending_.empty()) {
            propagate(*pending_.pop_back_val());
        }
        bool removed = false;
        for (const Hammock& hammock : hammocks_) {
            if (!live_.contains(hammock.branch)) {
                collapse(hammock);
                removed = true;
            }
        }
        for (llvm::Instruction* member : members_) {
            if (!live_.contains(member) && !gone_.contains(member)) {
                member->replaceAllUsesWith(llvm::PoisonValue::get(member->getType())); // by others that go as well
                dead_.push_back(member);
                removed = true;
            }
        }
        for (llvm::Instruction* instruction : dead_) {
            instruction->eraseFromParent();
        }
        return removed;
    }

  private:
    void add(llvm::Value* value) {
        auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(value);
        if (instruction && only_computes(*instruction) && members_.insert(instruction)) {
            pending_.push_back(instruction);
        }
    }

    void expand(llvm::Instruction& member) {
        for (llvm::Value* operand : member.operand_values()) {
            add(operand);
        }
        if (llvm::isa<llvm::PHINode>(member)) {
            for (llvm::BasicBlock* predecessor : llvm::predecessors(member.getParent())) {
                add_hammock(predecessor, member.getParent());
                if (llvm::BasicBlock* before = predecessor->getSinglePredecessor()) {
                    add_hammock(before, member.getParent());
                }
            }
        }
    }

    void add_hammock(llvm::BasicBlock* from, llvm::BasicBlock* merge) {
        auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator());
        if (!branch || from == merge || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1) ||
            llvm::any_of(hammocks_, [&](const Hammock& h) { return h.branch == branch; })) {
            return;
        }
        llvm::BasicBlock* ends[] = {end_of_arm(from, branch->getSuccessor(0), merge),
                                    end_of_arm(from, branch->getSuccessor(1), merge)};
        if (!ends[0] || !ends[1]) {
            return;
        }
        hammocks_.push_back({branch, merge});
        add(branch->getCondition());
        for (llvm::BasicBlock* arm : {branch->getSuccessor(0), branch->getSuccessor(1)}) {
            for (llvm::Instruction& instruction : *arm) {
                if (arm != merge) {
                    add(&instruction);
                    hammock_of_[&instruction] = branch;
                }
            }
        }
        for (llvm::PHINode& phi : merge->phis()) {
            if (phi.getIncomingValueForBlock(ends[0]) != phi.getIncomingValueForBlock(ends[1])) {
                chosen_[&phi].push_back(branch);
            }
        }
    }

    [[nodiscard]] bool has_outside_use(llvm::Instruction& member) const {
        return llvm::any_of(member.users(), [&](llvm::User* user) {
            auto* instruction = llvm::cast<llvm::Instruction>(user);
            return !members_.contains(instruction) &&
                   llvm::none_of(hammocks_, [&](const Hammock& h) { return h.branch == instruction; });
        });
    }

    void mark(llvm::Instruction& instruction) {
        if (live_.insert(&instruction).second) {
            pending_.push_back(&instruction);
        }
    }

    /// What a live instruction needs is live: its operands, the branch that leads to it, the branches that choose its value.
    void propagate(llvm::Instruction& live) {
        for (llvm::Value* operand : live.operand_values()) {
            if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand); instruction && members_.contains(instruction)) {
                mark(*instruction);
            }
        }
        if (const auto home = hammock_of_.find(&live); home != hammock_of_.end()) {
            mark(*home->second);
        }
        if (const auto phi = chosen_.find(&live); phi != chosen_.end()) {
            for (llvm::BranchInst* branch : phi->second) {
                mark(*branch);
            }
        }
    }

    /// The branch becomes a jump to its first arm; the other arm goes if nothing else leads there.
    void collapse(const Hammock& hammock) {
        llvm::BasicBlock* from = hammock.branch->getParent();
        llvm::BasicBlock* kept = hammock.branch->getSuccessor(0);
        llvm::BasicBlock* other = hammock.branch->getSuccessor(1);
        auto* jump = llvm::BranchInst::Create(kept, hammock.branch->getIterator());
        jump->setDebugLoc(hammock.branch->getDebugLoc());
        other->removePredecessor(from, /*KeepOneInputPHIs=*/true);
        hammock.branch->eraseFromParent();
        if (other != hammock.merge) {
            for (llvm::Instruction& instruction : *other) {
                gone_.insert(&instruction);
            }
            llvm::DeleteDeadBlock(other, nullptr, /*KeepOneInputPHIs=*/true);
        }
    }

    llvm::SetVector<llvm::Instruction*> members_;                                        ///< what may be removed, branches apart
    std::vector<Hammock> hammocks_;                                                      ///< the branches that may be
    llvm::DenseMap<llvm::Instruction*, llvm::BranchInst*> hammock_of_;                   ///< of what stands in an arm
    llvm::DenseMap<llvm::Instruction*, llvm::SmallVector<llvm::BranchInst*, 1>> chosen_; ///< of phis: what their value depends on
    llvm::DenseSet<llvm::Instruction*> live_;
    llvm::DenseSet<llvm::Instruction*> gone_; ///< deleted with their blocks
    llvm::SmallVector<llvm::Instruction*, 16> pending_;
    std::vector<llvm::Instruction*> dead_;
};

} // namespace

bool remove_dead_feeders(const Feeders& feeders) { return Slice(feeders).remove_dead(); }

} // namespace heddle::clang_frontend
