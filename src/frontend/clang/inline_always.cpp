#include "frontend/clang/passes.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

namespace heddle::clang_frontend {

void inline_always_inline_functions(llvm::Module& module) {
    std::vector<llvm::CallBase*> calls;
    std::vector<llvm::Function*> functions;
    for (llvm::Function& function : module) {
        if (function.isDeclaration() || !function.hasFnAttribute(llvm::Attribute::AlwaysInline)) {
            continue;
        }
        functions.push_back(&function);
        for (llvm::User* user : function.users()) {
            auto* call = llvm::dyn_cast<llvm::CallBase>(user);
            if (call && call->getCalledFunction() == &function && call->getFunction() != &function) {
                calls.push_back(call);
            }
        }
    }
    for (llvm::CallBase* call : calls) {
        llvm::InlineFunctionInfo unused;
        // A call that LLVM cannot inline stays a call: nothing is wrong then but more is taken for shared than need be.
        (void)llvm::InlineFunction(*call, unused);
    }
    // Gone for good, so that what their bodies do with an address counts no more.
    for (llvm::Function* function : functions) {
        if (function->use_empty()) {
            function->eraseFromParent();
        }
    }
}

} // namespace heddle::clang_frontend
