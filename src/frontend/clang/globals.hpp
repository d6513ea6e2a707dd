// Global variables and functions of the module that the program really uses: their addresses, initial bytes and ids.
//
// Everything is found by being asked for: the first request for an address gives the variable its regions and puts its initialiser on
// the list of work, which may ask for further ones. The order of requests is that of the code, so the layout is the same in every run.
#pragma once

#include "frontend/clang/escape.hpp"
#include "frontend/clang/places.hpp"
#include "frontend/clang/shapes.hpp"
#include "frontend/clang/types.hpp"
#include "program/program.hpp"
#include "support/diagnostic.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>

#include <deque>
#include <expected>
#include <string>
#include <vector>

namespace heddle::clang_frontend {

using WrittenByUser = llvm::DenseSet<const llvm::GlobalValue*>;

class Globals {
  public:
    Globals(const llvm::DataLayout& layout, const EscapeAnalysis& escape, const WrittenByUser& by_user, Places& places,
            Types& types)
        : layout_(layout), escape_(escape), by_user_(by_user), places_(places), types_(types) {}

    FunctionId function(const llvm::Function& function);
    /// The next function that was asked for and not yet handed out here; null: none left.
    const llvm::Function* next_function();
    [[nodiscard]] bool is_runtime(const llvm::GlobalValue& value) const { return !by_user_.contains(&value); }

    /// Into Program::thread_locals.
    std::uint32_t thread_local_variable(const llvm::GlobalVariable& variable);

    /// The value of a constant of at most 64 bits, addresses included; or what it has that is not supported.
    std::expected<std::uint64_t, std::string> evaluate(const llvm::Constant& constant);

    /// The initial bytes of all variables asked for so far, which may ask for more; true when there was any work.
    std::expected<bool, Diagnostic> initialise();
    void finish(Program& program);

  private:
    /// A variable and where its bytes go: an index into one of the three tables.
    struct Pending {
        const llvm::GlobalVariable* variable;
        enum class Table : std::uint8_t { Mutable, Constant, ThreadLocal } table;
        std::size_t index;
    };

    std::expected<Address, std::string> address_of(const llvm::GlobalValue& value);
    LayoutId parts_of(const llvm::GlobalVariable& variable);
    Address variable_address(const llvm::GlobalVariable& variable);
    std::expected<std::uint64_t, std::string> evaluate_expression(const llvm::ConstantExpr& expression);
    std::expected<std::vector<std::uint8_t>, std::string> bytes_of(const llvm::GlobalVariable& variable);
    std::expected<void, std::string> write(const llvm::Constant& constant, std::uint64_t offset,
                                           std::vector<std::uint8_t>& bytes);
    std::expected<void, std::string> write_scalar(const llvm::Constant& constant, std::uint64_t offset,
                                                  std::vector<std::uint8_t>& bytes);

    const llvm::DataLayout& layout_;
    const EscapeAnalysis& escape_;
    const WrittenByUser& by_user_;
    Places& places_;
    Types& types_;

    llvm::DenseMap<const llvm::Function*, FunctionId> function_ids_;
    std::deque<const llvm::Function*> functions_to_lower_;
    llvm::DenseMap<const llvm::GlobalVariable*, Address> addresses_;
    llvm::DenseMap<const llvm::GlobalVariable*, std::uint32_t> thread_local_ids_;
    std::deque<Pending> pending_;
    std::vector<Global> mutables_;
    std::vector<Global> constants_;
    std::vector<ThreadLocal> thread_locals_;
    std::uint64_t next_mutable_region_ = 0;
    std::uint64_t next_constant_region_ = 0;
    std::string over_aligned_; ///< the first variable with an alignment beyond kMaxAlign; empty: none
};

} // namespace heddle::clang_frontend
