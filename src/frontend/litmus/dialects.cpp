#include "frontend/litmus/dialects.hpp"

#include <algorithm>
#include <array>

namespace heddle::litmus {

namespace {

struct Entry {
    std::string_view word;
    Reader reader;
};

constexpr std::array kDialects = {
    Entry{"C", read_c},     Entry{"PPC", read_ppc},         Entry{"X86", read_x86},     Entry{"X86_64", read_x86_64},
    Entry{"ARM", read_arm}, Entry{"AArch64", read_aarch64}, Entry{"RISCV", read_riscv},
};

} // namespace

Reader find_dialect(std::string_view architecture) {
    const auto* found = std::ranges::find(kDialects, architecture, &Entry::word);
    return found == kDialects.end() ? nullptr : found->reader;
}

} // namespace heddle::litmus
