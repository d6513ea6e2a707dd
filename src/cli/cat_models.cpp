#include "cli/cat_models.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::cli {

std::string default_model(Architecture architecture) {
    switch (architecture) {
    case Architecture::C:
        return "rc11";
    case Architecture::Lkmm:
        return "lkmm";
    case Architecture::X86:
        return "tso";
    case Architecture::Power:
        return "power";
    case Architecture::Arm:
        return "armv7";
    case Architecture::AArch64:
        return "armv8";
    case Architecture::RiscV:
        return "riscv";
    }
    return "sc";
}

std::vector<std::string> cat_models_in(const std::filesystem::path& folder) {
    // What other models include and is no model by itself.
    constexpr std::array<std::string_view, 3> kParts{"herding-cats", "rc11-axioms", "threads"};
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().stem();
        if (entry.path().extension() == ".cat" && std::ranges::find(kParts, name) == kParts.end()) {
            names.push_back(name);
        }
    }
    std::ranges::sort(names);
    return names;
}

std::expected<const cat::Model*, Diagnostic> CatModels::find(const std::string& name) {
    const std::scoped_lock guard(mutex_);
    auto it = loaded_.find(name);
    if (it == loaded_.end()) {
        const bool is_path = name.contains('/') || name.ends_with(".cat");
        const std::filesystem::path file = is_path ? std::filesystem::path(name) : folder_ / (name + ".cat");
        auto model = std::filesystem::exists(file)
                         ? cat::Model::load(file, {folder_})
                         : std::unexpected(Diagnostic{
                               .message = is_path ? fmt::format("there is no file {}", name)
                                                  : fmt::format("no model '{}'; there are {}, or a path to a .cat file", name,
                                                                fmt::join(cat_models_in(folder_), ", "))});
        it = loaded_.emplace(name, std::move(model)).first;
    }
    if (!it->second) {
        return std::unexpected(it->second.error());
    }
    return &*it->second;
}

} // namespace heddle::cli
