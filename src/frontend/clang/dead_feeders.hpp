// What fed a loop that is gone: computations, and branches that only chose between them.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/ValueHandle.h>

namespace heddle::clang_frontend {

/// The values that something removed was computed from; a value that has gone itself is null.
using Feeders = llvm::SmallVector<llvm::WeakVH, 8>;

/// Removes what served only to compute `feeders`. True when anything went.
bool remove_dead_feeders(const Feeders& feeders);

} // namespace heddle::clang_frontend
