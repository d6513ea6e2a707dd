#include "program/memory_order.hpp"

#include <iterator>

namespace heddle {

std::string_view word_of(Order order) {
    static constexpr std::string_view words[] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
    static_assert(std::size(words) == static_cast<std::size_t>(Order::SeqCst) + 1);
    return words[static_cast<std::size_t>(order)];
}

std::string_view word_of(FenceKind kind) {
    static constexpr std::string_view words[] = {"c11", "mfence", "lfence", "sfence", "sync",   "lwsync", "isync", "eieio",
                                                 "dmb", "dmb.st", "dmb.ld", "dsb",    "dsb.st", "dsb.ld", "isb"};
    static_assert(std::size(words) == static_cast<std::size_t>(FenceKind::Isb) + 1);
    return words[static_cast<std::size_t>(kind)];
}

} // namespace heddle
