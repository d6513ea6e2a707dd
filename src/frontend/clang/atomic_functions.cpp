#include "frontend/clang/passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <vector>

namespace heddle::clang_frontend {

void make_verifier_functions_atomic(llvm::Module& module) {
    llvm::FunctionType* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
    std::vector<llvm::Function*> functions;
    for (llvm::Function& function : module) {
        // The runtime's own __VERIFIER_atomic_begin and _end are the markers themselves.
        const llvm::StringRef name = function.getName();
        if (!function.isDeclaration() && name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" &&
            name != "__VERIFIER_atomic_end") {
            functions.push_back(&function);
        }
    }
    for (llvm::Function* function : functions) {
        const llvm::FunctionCallee begin = module.getOrInsertFunction("__heddle_atomic_begin", type);
        const llvm::FunctionCallee end = module.getOrInsertFunction("__heddle_atomic_end", type);
        llvm::Instruction* first = &*function->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
        llvm::IRBuilder<> at_entry(first);
        at_entry.CreateCall(begin)->setDebugLoc(first->getDebugLoc());
        for (llvm::Instruction& instruction : llvm::instructions(*function)) {
            if (llvm::isa<llvm::ReturnInst>(instruction)) {
                llvm::IRBuilder<>(&instruction).CreateCall(end)->setDebugLoc(instruction.getDebugLoc());
            }
        }
    }
}

} // namespace heddle::clang_frontend
