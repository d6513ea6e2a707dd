// Input files to LLVM modules: C through clang-19 as a separate process, LLVM's own formats directly.
#pragma once

#include "frontend/clang/frontend.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <expected>
#include <memory>
#include <vector>

namespace heddle::clang_frontend {

using Modules = std::vector<std::unique_ptr<llvm::Module>>;

/// One module per input file, in the order of the files. `clang_seconds` is the time spent waiting for clang.
/// What clang has to say goes to stderr as it is, file after file.
std::expected<Modules, Diagnostic> read_modules(const Input& input, llvm::LLVMContext& context, double& clang_seconds);

} // namespace heddle::clang_frontend
