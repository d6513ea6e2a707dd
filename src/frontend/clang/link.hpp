// The user's modules, the glue around main, and what they need of the runtime library, linked into one module.
#pragma once

#include "frontend/clang/compile.hpp"
#include "frontend/clang/frontend.hpp"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/GlobalValue.h>
#include <llvm/IR/Module.h>

#include <expected>
#include <memory>
#include <string>

namespace heddle::clang_frontend {

inline constexpr const char* kStartFunction = "__heddle_start";
/// What a new thread runs, as (start function, argument); the runtime defines it, the machine calls it.
inline constexpr const char* kThreadMainFunction = "__heddle_thread_main";

struct LinkedModule {
    std::unique_ptr<llvm::Module> module;
    /// The definitions that the user wrote; every other one is of the runtime or our glue.
    llvm::DenseSet<const llvm::GlobalValue*> written_by_user;
};

/// `errors` is where the context's ErrorCollector writes. A definition of the user's wins over one of the runtime with the same name.
std::expected<LinkedModule, Diagnostic> link(Modules modules, const Input& input, std::string& errors);

} // namespace heddle::clang_frontend
