// LLVM's ways of saying that something is wrong, turned into text.
#pragma once

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

#include <stdexcept>
#include <string>

namespace heddle::clang_frontend {

/// Keeps the errors that LLVM reports through its context (the linker does), drops warnings and remarks.
class ErrorCollector : public llvm::DiagnosticHandler {
  public:
    explicit ErrorCollector(std::string& errors) : errors_(errors) {}

    bool handleDiagnostics(const llvm::DiagnosticInfo& diagnostic) override { // the name is LLVM's
        if (diagnostic.getSeverity() == llvm::DS_Error) {
            llvm::raw_string_ostream out(errors_);
            if (!errors_.empty()) {
                out << "\n";
            }
            llvm::DiagnosticPrinterRawOStream printer(out);
            diagnostic.print(printer);
        }
        return true;
    }

  private:
    std::string& errors_;
};

/// What LLVM's fatal error handler throws: LLVM would end the process.
class FatalLlvmError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace heddle::clang_frontend
