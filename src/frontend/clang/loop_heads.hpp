// The loops of one function that get an Op::Loop: where they begin, and which edges enter them.
#pragma once

#include "program/program.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/BasicBlock.h>

#include <vector>

namespace heddle::clang_frontend {

class LoopHeads {
  public:
    struct Head {
        const llvm::BasicBlock* block;
        llvm::DenseSet<const llvm::BasicBlock*> body; ///< `block` included
        Slot counter;
        std::uint32_t index; ///< into Function::loops
    };

    void add(Head head) { heads_.push_back(std::move(head)); }

    [[nodiscard]] const Head* at(const llvm::BasicBlock& block) const {
        for (const Head& head : heads_) {
            if (head.block == &block) {
                return &head;
            }
        }
        return nullptr;
    }

    /// The loops that the edge leads into from outside, not necessarily to the head: an irreducible cycle has several ways in.
    [[nodiscard]] llvm::SmallVector<const Head*, 2> entered(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
        llvm::SmallVector<const Head*, 2> result;
        for (const Head& head : heads_) {
            if (head.body.contains(&to) && !head.body.contains(&from)) {
                result.push_back(&head);
            }
        }
        return result;
    }

  private:
    std::vector<Head> heads_; ///< few, so they are simply looked through
};

} // namespace heddle::clang_frontend
