// "byval" says that the callee gets a copy of its own. The copy could be made by the caller or the callee; we let the callee make it, as a
// local variable, because then it is subject to the same analyses as any other (most are private and live in the frame).
// The caller may not change the original before the callee has copied: the copy is the callee's first act, and the original is
// an argument of the call, which in C is a temporary or a variable that no other thread may write at that moment (that would be a race,
// and the copy's reads are what shows it).
#include "frontend/clang/passes.hpp"

#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>

namespace heddle::clang_frontend {

namespace {

void expand(llvm::Argument& parameter) {
    llvm::Function& function = *parameter.getParent();
    const llvm::DataLayout& layout = function.getParent()->getDataLayout();
    llvm::Type* type = parameter.getParamByValType();
    const llvm::Align align = std::max(parameter.getParamAlign().valueOrOne(), layout.getABITypeAlign(type));

    llvm::BasicBlock& entry = function.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
    llvm::AllocaInst* copy = builder.CreateAlloca(type);
    copy->setAlignment(align);
    parameter.replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, align, &parameter, parameter.getParamAlign(), layout.getTypeAllocSize(type).getFixedValue());
    function.removeParamAttr(parameter.getArgNo(), llvm::Attribute::ByVal);
}

} // namespace

void expand_byval_parameters(llvm::Module& module) {
    for (llvm::Function& function : module) {
        if (function.isDeclaration()) {
            continue;
        }
        for (llvm::Argument& parameter : function.args()) {
            if (parameter.hasByValAttr()) {
                expand(parameter);
            }
        }
    }
}

} // namespace heddle::clang_frontend
