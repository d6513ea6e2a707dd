// Debug information to source places, each written down once.
#pragma once

#include "program/program.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include <filesystem>
#include <map>
#include <string>

namespace heddle::clang_frontend {

class Places {
  public:
    explicit Places(Program& program);

    PlaceId of(const llvm::DILocation* location);
    PlaceId of(const llvm::Function& function);
    PlaceId of(const llvm::GlobalVariable& variable);

    /// The name in the source: without the number that the linker gives to a second static of the same name; a static variable in
    /// a function as "function.variable".
    static std::string name_of(const llvm::Function& function);
    static std::string name_of(const llvm::GlobalVariable& variable);

  private:
    std::uint32_t file(const llvm::DIFile* file);
    std::uint32_t name(llvm::StringRef text);
    PlaceId add(const Place& place);

    Program& program_;
    std::filesystem::path here_; ///< the current directory: names of files below it are shown relative, as they were typed
    llvm::DenseMap<const llvm::DIFile*, std::uint32_t> files_;
    llvm::StringMap<std::uint32_t> names_;
    llvm::DenseMap<const llvm::DILocation*, PlaceId> locations_;
    std::map<Place, PlaceId> places_;
};

} // namespace heddle::clang_frontend
