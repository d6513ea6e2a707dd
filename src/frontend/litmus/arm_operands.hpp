// Operands that ARM and AArch64 write in the same way: addresses in brackets, shifted registers, conditions, domains of barriers.
#pragma once

#include "frontend/litmus/assembly.hpp"

namespace heddle::litmus {

/// [Xn], [Xn,#4], [Xn,Xm], [Xn,Wm,SXTW #2], [Rn,Rm,lsl #2], and [Xn,#4]!, which also changes the register.
Slot bracketed_address(AssemblyThread& t, const Operand& operand);

/// The last operand of arithmetic: a register or number at `first`, with a shift or extension behind it if any.
Slot shifted_operand(AssemblyThread& t, const Instruction& i, std::size_t first);

/// "eq", "ne", ...; nothing when it is not a condition.
std::optional<Condition> condition_named(std::string_view text);

/// DMB or DSB with its option: sy and st and ld of any domain.
void arm_barrier(AssemblyThread& t, const Instruction& i, FenceKind full, FenceKind stores, FenceKind loads);

} // namespace heddle::litmus
