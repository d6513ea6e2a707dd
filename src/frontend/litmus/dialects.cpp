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
    Entry{"C", read_c},
    Entry{"PPC", read_ppc},
};

} // namespace

Reader find_dialect(std::string_view architecture) {
    const auto* found = std::ranges::find(kDialects, architecture, &Entry::word);
    return found == kDialects.end() ? nullptr : found->reader;
}

} // namespace heddle::litmus
