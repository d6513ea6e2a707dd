// The passes between linking and lowering, a short list (passes.cpp), each in a file of its own.
//
// They make the code simpler to lower, never "better": an optimisation may use undefined behaviour as licence, and finding
// undefined behaviour is what the program is checked for.
#pragma once

#include "support/diagnostic.hpp"

#include <llvm/IR/Module.h>

#include <expected>

namespace heddle::clang_frontend {

/// Runs all of them and LLVM's verifier at the end.
std::expected<void, Diagnostic> run_passes(llvm::Module& module);

/// Constant expressions over thread-local variables become instructions: such an address is no constant to us.
void expand_thread_local_constants(llvm::Module& module);

/// SV-COMP's rule: a function whose name starts with __VERIFIER_atomic_ runs without interruption by other threads. One that an optimiser has
/// already put into its caller cannot be made so any more, and is Unsupported.
std::expected<void, Diagnostic> make_verifier_functions_atomic(llvm::Module& module);

/// Calls of functions declared always_inline become their bodies. clang does this to the user's; it remains for the runtime's, above all for
/// errno's address: a function that returns a thread-local variable's address would make it a shared one.
void inline_always_inline_functions(llvm::Module& module);

/// A struct passed by value in memory ("byval") becomes a plain pointer that the callee copies from at its entry.
void expand_byval_parameters(llvm::Module& module);

/// Local variables that are assigned on every path before they are read become registers; see promote.cpp.
void promote_assigned_variables(llvm::Function& function);

/// Loops that only let time pass, and what only served to say how much; see delay_loops.cpp.
void remove_delay_loops(llvm::Module& module);

/// Thread-local variables that are only ever updated are not updated any more; see unread_thread_locals.cpp.
void remove_unread_thread_locals(llvm::Module& module);

} // namespace heddle::clang_frontend
