// Where instructions jump to.
#pragma once

#include "program/program.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace heddle {

/// Has the instruction two targets, x and y?
constexpr bool is_two_way(Op op) { return op >= Op::Br && op <= Op::BrSle; }
static_assert(static_cast<int>(Op::BrSle) - static_cast<int>(Op::Br) == 6, "Br and the branches that compare stand side by side");

/// Calls `visit` with everything that the instruction may jump to.
template <class F> void each_target(const Instr& i, const std::vector<Switch>& switches, F&& visit) {
    if (i.op == Op::Jump) {
        visit(i.imm);
    } else if (is_two_way(i.op)) {
        visit(i.x());
        visit(i.y());
    } else if (i.op == Op::Switch) {
        visit(switches[i.imm].otherwise);
        for (const Switch::Case& c : switches[i.imm].cases) {
            visit(c.target);
        }
    }
}

/// Replaces every target by what `map` makes of it. (Switches belong to one instruction each.)
template <class F> void map_targets(std::span<Instr> code, std::span<Switch> switches, F&& map) {
    for (Instr& i : code) {
        if (i.op == Op::Jump) {
            i.imm = map(i.imm);
        } else if (is_two_way(i.op)) {
            const auto x = static_cast<std::uint32_t>(map(i.x()));
            i.imm = Instr::pack(x, static_cast<std::uint32_t>(map(i.y())));
        }
    }
    for (Switch& s : switches) {
        s.otherwise = static_cast<std::uint32_t>(map(s.otherwise));
        for (Switch::Case& c : s.cases) {
            c.target = static_cast<std::uint32_t>(map(c.target));
        }
    }
}

} // namespace heddle
