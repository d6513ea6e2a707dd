#include "frontend/clang/passes.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <string>
#include <vector>

namespace heddle::clang_frontend {

namespace {

/// The runtime's own __VERIFIER_atomic_begin and _end are the markers themselves.
bool is_atomic_name(llvm::StringRef name) {
    return name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" && name != "__VERIFIER_atomic_end";
}

/// The atomic function that this instruction was inlined from, as its debug information tells; null when there is none.
const llvm::DISubprogram* inlined_from(const llvm::Instruction& instruction) {
    for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at && at->getInlinedAt(); at = at->getInlinedAt()) {
        const llvm::DISubprogram* function = at->getScope()->getSubprogram();
        if (function && is_atomic_name(function->getName())) {
            return function;
        }
    }
    return nullptr;
}

} // namespace

std::expected<void, Diagnostic> make_verifier_functions_atomic(llvm::Module& module) {
    llvm::FunctionType* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
    std::vector<llvm::Function*> functions;
    for (llvm::Function& function : module) {
        for (const llvm::Instruction& instruction : llvm::instructions(function)) {
            if (const llvm::DISubprogram* lost = inlined_from(instruction)) {
                return std::unexpected(
                    Diagnostic{Diagnostic::Kind::Unsupported,
                               lost->getFilename().str() + ":" + std::to_string(lost->getLine()) +
                                   ": the optimiser has inlined " + lost->getName().str() +
                                   ", which must run without interruption; declare it noinline or compile with -O0"});
            }
        }
        if (!function.isDeclaration() && is_atomic_name(function.getName())) {
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
    return {};
}

} // namespace heddle::clang_frontend
