#include "program/memory_order.hpp"

#include <iterator>

namespace heddle {

std::string_view word_of(Order order) {
    static constexpr std::string_view words[] = {"plain", "relaxed", "acquire", "release", "acq_rel", "seq_cst", "acquire-pc"};
    static_assert(std::size(words) == static_cast<std::size_t>(Order::AcquirePc) + 1);
    return words[static_cast<std::size_t>(order)];
}

std::string_view word_of(FenceKind kind) {
    static constexpr std::string_view words[] = {"c11",
                                                 "mfence",
                                                 "lfence",
                                                 "sfence",
                                                 "sync",
                                                 "lwsync",
                                                 "isync",
                                                 "eieio",
                                                 "dmb",
                                                 "dmb.st",
                                                 "dmb.ld",
                                                 "dsb",
                                                 "dsb.st",
                                                 "dsb.ld",
                                                 "isb",
                                                 "fence rw,rw",
                                                 "fence rw,r",
                                                 "fence rw,w",
                                                 "fence r,rw",
                                                 "fence r,r",
                                                 "fence r,w",
                                                 "fence w,rw",
                                                 "fence w,r",
                                                 "fence w,w",
                                                 "fence.tso",
                                                 "fence.i",
                                                 "smp_mb",
                                                 "smp_rmb",
                                                 "smp_wmb",
                                                 "smp_mb__before_atomic",
                                                 "smp_mb__after_atomic",
                                                 "smp_mb__after_spinlock",
                                                 "smp_mb__after_unlock_lock",
                                                 "rcu_read_lock",
                                                 "rcu_read_unlock",
                                                 "synchronize_rcu"};
    static_assert(std::size(words) == static_cast<std::size_t>(FenceKind::SyncRcu) + 1);
    return words[static_cast<std::size_t>(kind)];
}

} // namespace heddle
