#include "frontend/clang/passes.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/ReplaceConstant.h>

#include <vector>

namespace heddle::clang_frontend {

void expand_thread_local_constants(llvm::Module& module) {
    std::vector<llvm::Constant*> variables;
    for (llvm::GlobalVariable& variable : module.globals()) {
        if (variable.isThreadLocal()) {
            variables.push_back(&variable);
        }
    }
    if (!variables.empty()) {
        llvm::convertUsersOfConstantsToInstructions(variables);
    }
}

} // namespace heddle::clang_frontend
