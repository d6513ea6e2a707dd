#include "frontend/clang/frontend.hpp"

#include "frontend/clang/compile.hpp"
#include "frontend/clang/link.hpp"
#include "frontend/clang/llvm_errors.hpp"
#include "frontend/clang/lower.hpp"
#include "frontend/clang/passes.hpp"
#include "program/verify.hpp"
#include "support/check.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/ErrorHandling.h>

#include <chrono>

namespace heddle::clang_frontend {

namespace {

[[noreturn]] void throw_fatal(void*, const char* reason, bool) { throw FatalLlvmError(reason); }

std::expected<Program, Diagnostic> load_unguarded(const Input& input, double& clang_seconds) {
    std::string errors;
    llvm::LLVMContext context;
    context.setDiagnosticHandler(std::make_unique<ErrorCollector>(errors));

    auto modules = read_modules(input, context, clang_seconds);
    if (!modules) {
        return std::unexpected(modules.error());
    }
    // From here on names of registers and blocks are read by nobody, and reading the runtime's takes time.
    context.setDiscardValueNames(true);
    auto linked = link(std::move(*modules), input, errors);
    if (!linked) {
        return std::unexpected(linked.error());
    }
    if (auto done = run_passes(*linked->module); !done) {
        return std::unexpected(done.error());
    }
    auto program = lower_module(*linked);
    if (program) {
        const std::vector<std::string> broken = verify(*program);
        HEDDLE_CHECK(broken.empty(), "the lowered program is not well formed: " + broken.front());
    }
    return program;
}

} // namespace

std::expected<Program, Diagnostic> load(const Input& input, Timing* timing) {
    const auto start = std::chrono::steady_clock::now();
    double clang_seconds = 0;
    std::expected<Program, Diagnostic> program;
    try {
        // LLVM ends the process on what it takes for a broken input; an exception gets us out alive, at the price of some leaked memory. The
        // handler is LLVM's one per process: set once, for all sessions, and never changed.
        [[maybe_unused]] static const bool installed = [] {
            llvm::install_fatal_error_handler(throw_fatal);
            llvm::install_bad_alloc_error_handler(throw_fatal); // an absurd size in broken bitcode
            return true;
        }();
        program = load_unguarded(input, clang_seconds);
    } catch (const FatalLlvmError& error) {
        program = std::unexpected(Diagnostic{Diagnostic::Kind::BadInput, std::string("LLVM: ") + error.what()});
    }
    if (timing) {
        timing->clang = clang_seconds;
        timing->own = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() - clang_seconds;
    }
    return program;
}

} // namespace heddle::clang_frontend
