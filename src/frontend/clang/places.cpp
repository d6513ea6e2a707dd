#include "frontend/clang/places.hpp"

#include <algorithm>

namespace heddle::clang_frontend {

namespace {

const llvm::DIGlobalVariable* debug_variable(const llvm::GlobalVariable& variable) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
    variable.getDebugInfo(expressions);
    return expressions.empty() ? nullptr : expressions.front()->getVariable();
}

/// The file as the user would write it: as clang was given it when that leads to it from here, else with its directory in front.
std::string displayed(const llvm::DIFile& file, const std::filesystem::path& here) {
    const std::filesystem::path name(file.getFilename().str());
    const std::filesystem::path directory(file.getDirectory().str());
    if (name.is_absolute() || directory.empty() || directory == here) {
        return name.string();
    }
    std::error_code error;
    const std::filesystem::path joined = directory / name;
    return std::filesystem::exists(joined, error) ? joined.string() : name.string();
}

} // namespace

Places::Places(Program& program) : program_(program) {
    std::error_code error;
    here_ = std::filesystem::current_path(error);
    // Index 0 of both tables is "unknown", as in Place{}.
    program_.files.assign(1, "");
    program_.names.assign(1, "");
}

PlaceId Places::of(const llvm::DILocation* location) {
    if (!location || location->getLine() == 0) {
        return PlaceId{0};
    }
    if (const auto known = locations_.find(location); known != locations_.end()) {
        return known->second;
    }
    const llvm::DISubprogram* function = location->getScope()->getSubprogram();
    const PlaceId id = add({.file = file(location->getFile()),
                            .line = location->getLine(),
                            .column = location->getColumn(),
                            .inlined_at = of(location->getInlinedAt()),
                            .function = function ? name(function->getName()) : 0});
    locations_[location] = id;
    return id;
}

PlaceId Places::of(const llvm::Function& function) {
    const llvm::DISubprogram* subprogram = function.getSubprogram();
    if (!subprogram || !subprogram->getFile()) {
        return PlaceId{0};
    }
    return add({.file = file(subprogram->getFile()), .line = subprogram->getLine(), .function = name(subprogram->getName())});
}

PlaceId Places::of(const llvm::GlobalVariable& variable) {
    const llvm::DIGlobalVariable* debug = debug_variable(variable);
    return debug && debug->getFile() ? add({.file = file(debug->getFile()), .line = debug->getLine()}) : PlaceId{0};
}

std::string Places::name_of(const llvm::Function& function) {
    const llvm::DISubprogram* subprogram = function.getSubprogram();
    return subprogram && !subprogram->getName().empty() ? subprogram->getName().str() : function.getName().str();
}

std::string Places::name_of(const llvm::GlobalVariable& variable) {
    const llvm::DIGlobalVariable* debug = debug_variable(variable);
    if (!debug || debug->getName().empty()) {
        return variable.getName().str();
    }
    const auto* scope = llvm::dyn_cast_or_null<llvm::DILocalScope>(debug->getScope());
    const llvm::DISubprogram* function = scope ? scope->getSubprogram() : nullptr;
    return (function ? function->getName().str() + "." : "") + debug->getName().str();
}

std::uint32_t Places::file(const llvm::DIFile* file) {
    if (!file) {
        return 0;
    }
    const auto [known, fresh] = files_.try_emplace(file, 0);
    if (fresh) {
        const std::string text = displayed(*file, here_);
        const auto same = std::ranges::find(program_.files, text);
        known->second = static_cast<std::uint32_t>(same - program_.files.begin());
        if (same == program_.files.end()) {
            program_.files.push_back(text);
        }
    }
    return known->second;
}

std::uint32_t Places::name(llvm::StringRef text) {
    const auto [known, fresh] = names_.try_emplace(text, static_cast<std::uint32_t>(program_.names.size()));
    if (fresh) {
        program_.names.push_back(text.str());
    }
    return known->second;
}

/// The same place has one number, whatever scopes clang tells apart there (the branches of `assert(a && b)`): what goes wrong in both is told once.
PlaceId Places::add(const Place& place) {
    const auto [known, fresh] = places_.try_emplace(place, static_cast<std::uint32_t>(program_.places.size()));
    if (fresh) {
        program_.places.push_back(place);
    }
    return known->second;
}

} // namespace heddle::clang_frontend
