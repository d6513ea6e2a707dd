// What the lowering of every function of one module shares.
#pragma once

#include "frontend/clang/escape.hpp"
#include "frontend/clang/globals.hpp"
#include "frontend/clang/places.hpp"
#include "frontend/clang/shapes.hpp"
#include "frontend/clang/types.hpp"
#include "program/program.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Module.h>

#include <string>

namespace heddle::clang_frontend {

struct ModuleContext {
    ModuleContext(const llvm::Module& m, const WrittenByUser& by_user, Program& p)
        : module(m), layout(m.getDataLayout()), program(p), escape(m), places(p), types(p.layouts), shapes(layout),
          globals(layout, escape, by_user, places, types) {}

    /// The index of a message of Op::Unsupported.
    std::uint64_t message(const std::string& text) {
        const auto [known, fresh] = messages_.try_emplace(text, program.messages.size());
        if (fresh) {
            program.messages.push_back(text);
        }
        return known->second;
    }

    const llvm::Module& module;
    const llvm::DataLayout& layout;
    Program& program; ///< under construction
    EscapeAnalysis escape;
    Places places;
    Types types;
    Shapes shapes;
    Globals globals;

  private:
    llvm::StringMap<std::uint64_t> messages_;
};

} // namespace heddle::clang_frontend
