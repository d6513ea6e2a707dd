// Types of debug information to layouts, each written down once.
#pragma once

#include "program/layout.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>

#include <array>
#include <optional>

namespace heddle::clang_frontend {

class Types {
  public:
    explicit Types(Layouts& layouts) : layouts_(layouts) {}

    LayoutId layout(const llvm::DIType* type);
    LayoutId layout(const llvm::GlobalVariable& variable);
    /// Of what has parts that are not the user's business.
    LayoutId opaque(PartOwner owner);

  private:
    LayoutId composite(const llvm::DICompositeType& type);
    LayoutId array(const llvm::DICompositeType& type);
    LayoutId record(const llvm::DICompositeType& type);

    Layouts& layouts_;
    llvm::DenseMap<const llvm::DIType*, LayoutId> known_;
    std::array<std::optional<LayoutId>, 4> opaque_; ///< by PartOwner
};

} // namespace heddle::clang_frontend
