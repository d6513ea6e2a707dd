#include "frontend/clang/passes.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::clang_frontend {

std::expected<void, Diagnostic> run_passes(llvm::Module& module) {
    // First, so that every use of a thread-local variable is an operand of an instruction.
    expand_thread_local_constants(module);
    if (auto done = make_verifier_functions_atomic(module); !done) {
        return done;
    }
    inline_always_inline_functions(module);
    // Before promotion: the copies are local variables like others.
    expand_byval_parameters(module);
    // Most of the memory traffic of -O0 code disappears here.
    for (llvm::Function& function : module) {
        if (!function.isDeclaration()) {
            promote_assigned_variables(function);
        }
    }
    // After promotion: only then are their counters registers.
    remove_delay_loops(module);
    remove_unread_thread_locals(module);
    std::string problems;
    llvm::raw_string_ostream out(problems);
    if (llvm::verifyModule(module, &out)) {
        return std::unexpected(
            Diagnostic{Diagnostic::Kind::BadInput, "invalid LLVM code: " + llvm::StringRef(problems).rtrim().str()});
    }
    return {};
}

} // namespace heddle::clang_frontend
