// Row: an instruction in the table of an assembly dialect, and the translations that several dialects share.
#pragma once

#include "frontend/litmus/assembly.hpp"

#include <algorithm>
#include <span>

namespace heddle::litmus {

struct Row;
using Handler = void (*)(AssemblyThread&, const Instruction&, const Row&);

/// An instruction: who translates it, and with what of the following.
struct Row {
    std::string_view mnemonic; ///< in lower case
    Handler handler = nullptr;
    Op op = Op::Mov;                        ///< of arithmetic
    RmwOp rmw = RmwOp::Xchg;                ///< of an update
    Condition condition = Condition::Equal; ///< of a branch or selection
    FenceKind fence = FenceKind::C11;       ///< of a barrier
    Order order = Order::Relaxed;           ///< of an access
    unsigned bytes = 8;                     ///< of an access, or compared
    bool is_signed = false;                 ///< of a load or comparison
    bool sets_flags = false;                ///< of arithmetic
};

constexpr Row access_row(std::string_view mnemonic, Handler handler, unsigned bytes, bool is_signed = false,
                         Order order = Order::Relaxed) {
    return {.mnemonic = mnemonic, .handler = handler, .order = order, .bytes = bytes, .is_signed = is_signed};
}
constexpr Row op_row(std::string_view mnemonic, Handler handler, Op op = Op::Mov, bool sets_flags = false) {
    return {.mnemonic = mnemonic, .handler = handler, .op = op, .sets_flags = sets_flags};
}
constexpr Row branch_row(std::string_view mnemonic, Handler handler, Condition condition) {
    return {.mnemonic = mnemonic, .handler = handler, .condition = condition};
}

/// The row of an instruction; null when there is none.
constexpr const Row* find_row(std::span<const Row> table, std::string_view mnemonic) {
    const auto found = std::ranges::find(table, mnemonic, &Row::mnemonic);
    return found == table.end() ? nullptr : &*found;
}

// Translations.

inline void barrier(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 0);
    t.code().fence(Order::NonAtomic, row.fence);
}
inline void do_nothing(AssemblyThread&, const Instruction&, const Row&) {}
inline void end_thread(AssemblyThread& t, const Instruction&, const Row&) { t.jump_to_end(); }
inline void jump(AssemblyThread& t, const Instruction& i, const Row&) {
    t.expect_operands(i, 1);
    t.code().jump(t.target(i.operands[0]));
}
/// On a condition of the flags.
inline void branch_on_flags(AssemblyThread& t, const Instruction& i, const Row& row) {
    t.expect_operands(i, 1);
    t.branch_if(row.condition, i.operands[0]);
}

constexpr Row fence_row(std::string_view mnemonic, FenceKind fence) {
    return {.mnemonic = mnemonic, .handler = barrier, .fence = fence};
}

} // namespace heddle::litmus
