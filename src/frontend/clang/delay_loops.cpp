// Loops that only wait: for (i = 0; i < delay; i++) pause();
//
// Under every memory model we check, time does not pass: such a loop changes nothing but its own counter, and a thread that backs off longer after
// each failure does what one does that tries again at once. But its growing delay makes every failed try differ from the one before, so that
// a search could not see that it goes in circles. So the loop goes, and the variables that only said how long it waits go with it
// (dead_feeders.cpp), through arguments of functions too: `static void wait(int n)`.
//
// A loop goes only if that is right in every execution: it does nothing but compute and pause, nothing that it computes is used later, and
// LLVM's ScalarEvolution has a bound of its iterations, without taking for granted, as C would allow, that loops end. Volatile counters are
// memory, so their loops stay. What is lost is the report of an undefined value that decides how long to wait.
#include "frontend/clang/dead_feeders.hpp"
#include "frontend/clang/idle_code.hpp"
#include "frontend/clang/loop_analysis.hpp"
#include "frontend/clang/passes.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

namespace heddle::clang_frontend {

namespace {

/// Does the loop only compute and pause, for itself?
bool is_idle(const llvm::Loop& loop) {
    return llvm::all_of(loop.blocks(), [&](const llvm::BasicBlock* block) {
        return llvm::all_of(*block, [&](const llvm::Instruction& instruction) {
            const bool local = llvm::all_of(
                instruction.users(), [&](const llvm::User* user) { return loop.contains(llvm::cast<llvm::Instruction>(user)); });
            return local && (only_computes(instruction) || llvm::isa<llvm::BranchInst>(instruction) || only_pauses(instruction));
        });
    });
}

/// The block to which the loop is left, when there is just one and what arrives there does not depend on where it was left.
llvm::BasicBlock* only_exit(const llvm::Loop& loop) {
    llvm::BasicBlock* exit = loop.getUniqueExitBlock();
    if (!exit) {
        return nullptr;
    }
    const bool same = llvm::all_of(exit->phis(), [&](const llvm::PHINode& phi) {
        const llvm::Value* value = nullptr;
        for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
            if (!loop.contains(phi.getIncomingBlock(i))) {
                continue;
            }
            if (value && value != phi.getIncomingValue(i)) {
                return false;
            }
            value = phi.getIncomingValue(i);
        }
        return true;
    });
    return same ? exit : nullptr;
}

/// C lets compilers take it for granted that most loops end. We do not.
void forget_promises(llvm::Loop& loop) {
    llvm::Function& function = *loop.getHeader()->getParent();
    function.removeFnAttr(llvm::Attribute::MustProgress);
    function.removeFnAttr(llvm::Attribute::WillReturn);
    if (llvm::MDNode* notes = loop.getLoopID()) {
        loop.setLoopID(llvm::makePostTransformationMetadata(function.getContext(), notes, {"llvm.loop.mustprogress"}, {}));
    }
}

/// ScalarEvolution takes what stands in a loop for changing with it: the bound in `i < 1 << tries` has to be outside.
void hoist_invariants(const llvm::Loop& loop) {
    if (!loop.getLoopPreheader()) {
        return;
    }
    bool changed = false;
    for (llvm::BasicBlock* block : loop.blocks()) {
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
            if (only_computes(instruction)) {
                loop.makeLoopInvariant(&instruction, changed);
            }
        }
    }
}

class DelayLoops {
  public:
    explicit DelayLoops(llvm::Module& module) : module_(module) {}

    void run() {
        // Removing in one function may make another's loop idle: a call in it now only pauses.
        for (bool again = true; again;) {
            again = false;
            for (llvm::Function& function : module_) {
                while (!function.isDeclaration() && remove_one_loop(function)) {
                    settle(function);
                    again = true;
                }
            }
            drop_unused_arguments();
        }
    }

  private:
    bool remove_one_loop(llvm::Function& function) {
        llvm::DominatorTree dominators(function);
        const llvm::LoopInfo loops(dominators);
        for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
            llvm::BasicBlock* exit = only_exit(*loop);
            if (!loop->isInnermost() || !exit || !is_idle(*loop)) {
                continue;
            }
            forget_promises(*loop);
            hoist_invariants(*loop);
            LoopAnalysis analysis(function);
            if (analysis.certainly_ends(*analysis.loop_at(*loop->getHeader()))) {
                cut_out(*loop, *exit);
                return true;
            }
        }
        return false;
    }

    /// A block with nothing but a jump takes the loop's place.
    void cut_out(const llvm::Loop& loop, llvm::BasicBlock& exit) {
        llvm::BasicBlock* header = loop.getHeader();
        llvm::Function& function = *header->getParent();
        auto* instead = llvm::BasicBlock::Create(function.getContext(), "", &function, header);
        llvm::BranchInst::Create(&exit, instead)->setDebugLoc(loop.getStartLoc());
        for (llvm::PHINode& phi : exit.phis()) {
            for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
                if (loop.contains(phi.getIncomingBlock(i))) {
                    phi.addIncoming(phi.getIncomingValue(i), instead);
                    break;
                }
            }
        }
        const llvm::SmallPtrSet<llvm::BasicBlock*, 4> before(llvm::pred_begin(header), llvm::pred_end(header));
        for (llvm::BasicBlock* block : before) {
            if (!loop.contains(block)) {
                block->getTerminator()->replaceSuccessorWith(header, instead);
            }
        }
        remember_feeders(loop);
        const llvm::SmallVector<llvm::BasicBlock*, 8> blocks(loop.blocks());
        llvm::DeleteDeadBlocks(blocks, nullptr, /*KeepOneInputPHIs=*/true);
        instead_.insert(instead);
    }

    void remember_feeders(const llvm::Loop& loop) {
        Feeders& feeders = feeders_[loop.getHeader()->getParent()];
        for (llvm::BasicBlock* block : loop.blocks()) {
            for (llvm::Instruction& instruction : *block) {
                for (llvm::Value* operand : instruction.operand_values()) {
                    const auto* from = llvm::dyn_cast<llvm::Instruction>(operand);
                    if (llvm::isa<llvm::Argument>(operand) || (from && !loop.contains(from))) {
                        feeders.emplace_back(operand);
                    }
                }
            }
        }
    }

    /// Removes what fed the loops, and the branches that led round them, until nothing changes.
    void settle(llvm::Function& function) {
        Feeders& feeders = feeders_[&function];
        bool again = true;
        while (again) {
            again = remove_dead_feeders(feeders);
            for (llvm::BasicBlock& block : llvm::make_early_inc_range(function)) {
                if (make_unconditional(block, feeders)) {
                    again = true;
                    break; // blocks may have gone
                }
            }
        }
    }

    struct Arrival {
        const llvm::BasicBlock* last; ///< the block from which `at` is entered
        const llvm::BasicBlock* at;
        bool instead; ///< the way led through where a loop was
    };

    /// Follows jumps from `first`, which is entered from `from`.
    [[nodiscard]] Arrival follow(const llvm::BasicBlock& from, const llvm::BasicBlock& first) const {
        constexpr int kFar = 16; // bounded: a loop may have nothing but a jump
        Arrival way{&from, &first, false};
        for (int steps = 0; steps < kFar; ++steps) {
            const llvm::BranchInst* jump = only_jump_of(*way.at);
            if (!jump) {
                break;
            }
            way.instead |= instead_.contains(way.at);
            way.last = way.at;
            way.at = jump->getSuccessor(0);
        }
        return way;
    }

    /// `if (n > 0)` around a loop that is gone: both ways lead to the same, so the condition decides nothing.
    bool make_unconditional(llvm::BasicBlock& block, Feeders& feeders) {
        auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
        if (!branch || !branch->isConditional()) {
            return false;
        }
        const Arrival one = follow(block, *branch->getSuccessor(0));
        const Arrival two = follow(block, *branch->getSuccessor(1));
        const bool same =
            one.at == two.at && (one.instead || two.instead) && llvm::all_of(one.at->phis(), [&](const llvm::PHINode& phi) {
                return phi.getIncomingValueForBlock(one.last) == phi.getIncomingValueForBlock(two.last);
            });
        if (!same) {
            return false;
        }
        feeders.emplace_back(branch->getCondition());
        instead_.insert(&block); // what is left of it when its condition has gone stands for the loop now
        llvm::BasicBlock* other = branch->getSuccessor(1);
        llvm::BranchInst::Create(branch->getSuccessor(0), branch->getIterator())->setDebugLoc(branch->getDebugLoc());
        other->removePredecessor(&block, /*KeepOneInputPHIs=*/true);
        branch->eraseFromParent();
        while (other && llvm::pred_empty(other)) {
            llvm::BasicBlock* after = other->getSingleSuccessor();
            instead_.erase(other);
            llvm::DeleteDeadBlock(other, nullptr, /*KeepOneInputPHIs=*/true);
            other = after;
        }
        return true;
    }

    /// Parameters that only fed what is gone get a zero from every caller, and what computed the argument may be dead too.
    void drop_unused_arguments() {
        for (bool again = true; again;) {
            again = false;
            for (llvm::Function& function : module_) {
                const auto known = feeders_.find(&function);
                if (known == feeders_.end()) {
                    continue;
                }
                llvm::SmallPtrSet<llvm::Argument*, 4> unused;
                for (const llvm::WeakVH& value : known->second) {
                    auto* parameter = llvm::dyn_cast_or_null<llvm::Argument>(static_cast<llvm::Value*>(value));
                    if (parameter && parameter->use_empty() && parameter->getType()->isIntegerTy()) {
                        unused.insert(parameter);
                    }
                }
                for (const llvm::Argument* parameter : unused) {
                    again |= drop_argument(function, *parameter);
                }
            }
        }
    }

    bool drop_argument(llvm::Function& function, const llvm::Argument& parameter) {
        bool dropped = false;
        for (llvm::User* user : function.users()) {
            auto* call = llvm::dyn_cast<llvm::CallBase>(user);
            if (!call || call->getCalledFunction() != &function) {
                continue;
            }
            llvm::Value* argument = call->getArgOperand(parameter.getArgNo());
            if (!llvm::isa<llvm::Constant>(argument)) {
                call->setArgOperand(parameter.getArgNo(), llvm::Constant::getNullValue(argument->getType()));
                feeders_[call->getFunction()].emplace_back(argument);
                settle(*call->getFunction());
                dropped = true;
            }
        }
        return dropped;
    }

    llvm::Module& module_;
    llvm::MapVector<llvm::Function*, Feeders> feeders_;
    llvm::SmallPtrSet<const llvm::BasicBlock*, 8> instead_; ///< what took the places of loops, if it is nothing but a jump
};

} // namespace

void remove_delay_loops(llvm::Module& module) { DelayLoops(module).run(); }

} // namespace heddle::clang_frontend
