// LLVM's loops and their numbers of iterations, with all that the analysis needs, for one function as it is now.
#pragma once

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

namespace heddle::clang_frontend {

class LoopAnalysis {
  public:
    explicit LoopAnalysis(llvm::Function& function)
        : dominators_(function), loops_(dominators_), assumptions_(function),
          library_(llvm::Triple(function.getParent()->getTargetTriple())), functions_(library_, &function),
          evolution_(function, functions_, assumptions_, dominators_, loops_) {}

    /// The loop with this header, or null.
    [[nodiscard]] llvm::Loop* loop_at(const llvm::BasicBlock& header) const {
        llvm::Loop* loop = loops_.getLoopFor(&header);
        return loop && loop->getHeader() == &header ? loop : nullptr;
    }

    /// The number of iterations is a constant, or computed from constants and the function's arguments (unless the loop is left by the end of the
    /// program): nothing that is read from memory decides it.
    bool iterations_known(const llvm::Loop& loop) {
        const llvm::SCEV* count = evolution_.getBackedgeTakenCount(&loop);
        return !llvm::isa<llvm::SCEVCouldNotCompute>(count) && !llvm::SCEVExprContains(count, [](const llvm::SCEV* part) {
            const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(part);
            return value && !llvm::isa<llvm::Argument>(value->getValue());
        });
    }
    /// There is a bound, at least as an expression.
    bool certainly_ends(const llvm::Loop& loop) {
        return !llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getSymbolicMaxBackedgeTakenCount(&loop));
    }

  private:
    llvm::DominatorTree dominators_;
    llvm::LoopInfo loops_;
    llvm::AssumptionCache assumptions_;
    llvm::TargetLibraryInfoImpl library_;
    llvm::TargetLibraryInfo functions_;
    llvm::ScalarEvolution evolution_;
};

} // namespace heddle::clang_frontend
