#include "frontend/generate/column.hpp"

#include "support/check.hpp"

#include <algorithm>

namespace heddle::generate {

std::string location_name(std::uint32_t location) {
    constexpr std::string_view kNames = "xyzabcdefghijklmnopqrstuvw";
    HEDDLE_CHECK(location < kNames.size(), "a cycle has as many locations as there are letters at most");
    return std::string(1, kNames[location]);
}

Column::Register Column::address_of(std::uint32_t location) {
    const auto at = std::ranges::find(locations_, location, [](const auto& entry) { return entry.first; });
    if (at != locations_.end()) {
        return at->second;
    }
    const Register reg = fresh();
    locations_.emplace_back(location, reg);
    return reg;
}

void Column::mention(std::uint32_t location) {
    if (std::ranges::find(locations_, location, [](const auto& entry) { return entry.first; }) == locations_.end()) {
        locations_.emplace_back(location, 0);
    }
}

std::unique_ptr<Column> make_column(Dialect dialect) {
    switch (dialect) {
    case Dialect::Ppc:
        return make_ppc_column();
    case Dialect::X86:
        return make_x86_column();
    case Dialect::X86_64:
        return make_x86_64_column();
    case Dialect::Arm:
        return make_arm_column();
    case Dialect::AArch64:
        return make_aarch64_column();
    case Dialect::RiscV:
        return make_riscv_column();
    case Dialect::C:
        return make_c_column();
    }
    HEDDLE_CHECK(false, "no such architecture");
    return nullptr;
}

} // namespace heddle::generate
