// Which function a call names, seen through casts and aliases.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InstrTypes.h>

namespace heddle::clang_frontend {

/// Null for a call through a pointer.
inline const llvm::Function* direct_callee(const llvm::CallBase& call) {
    return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

} // namespace heddle::clang_frontend
