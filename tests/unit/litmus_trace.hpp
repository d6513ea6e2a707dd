// What a thread of a litmus test does when its reads and choices have given values: one line an action, with its dependencies.
#pragma once

#include "frontend/litmus/litmus_test.hpp"
#include "machine/machine.hpp"
#include "machine/memory.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace heddle::litmus {

inline LitmusTest parsed(std::string_view text) {
    auto test = parse(text, "test.litmus", {});
    if (!test) {
        ADD_FAILURE() << test.error().message;
        return {};
    }
    return std::move(*test);
}

/// The message with which a test is refused; empty when it is not.
inline std::string refusal(std::string_view text) {
    const auto test = parse(text, "t.litmus", {});
    return test ? "" : test.error().message;
}

namespace trace_detail {

inline std::string name_at(const LitmusTest& test, Address address) {
    const Global* g = test.program.global_at(address);
    if (!g) {
        return fmt::format("{:#x}", address);
    }
    return address == g->address ? g->name : fmt::format("{}+{}", g->name, address - g->address);
}

/// Without the actions `but`.
inline std::string reads(Machine& machine, std::string_view what, DepSet set, const std::set<std::uint32_t>& but = {}) {
    std::string text;
    for (const std::uint32_t read : machine.deps().elements(set)) {
        if (but.contains(read)) {
            continue;
        }
        text += fmt::format("{}{}", text.empty() ? "" : ",", read);
    }
    return text.empty() ? "" : fmt::format(" {}{{{}}}", what, text);
}

inline std::string order(const Action& a) { return a.order == Order::Relaxed ? "" : fmt::format(" {}", word_of(a.order)); }

inline std::string line(const LitmusTest& test, Machine& machine, const Action& a, const std::set<std::uint32_t>& choices) {
    std::string text;
    const std::string where = name_at(test, a.address);
    switch (a.kind) {
    case ActionKind::Load:
        text = "R" + std::string(a.exclusive ? "x " : " ") + where + order(a);
        break;
    case ActionKind::Store:
        if (a.address >= test.first_register) {
            return fmt::format("{}={}", where, static_cast<std::int64_t>(a.value.lo));
        }
        text = fmt::format("W{} {}={}{}", a.exclusive ? "x" : "", where, static_cast<std::int64_t>(a.value.lo), order(a));
        break;
    case ActionKind::Rmw:
        text = fmt::format("U {} {}{}{}", where, static_cast<std::int64_t>(a.value.lo), order(a), a.no_return ? " noret" : "");
        break;
    case ActionKind::Fence:
        return a.fence == FenceKind::C11 ? "F" + order(a) : fmt::format("F {}", word_of(a.fence));
    case ActionKind::Lock:
        text = (a.try_only ? "trylock " : "lock ") + where;
        break;
    case ActionKind::Unlock:
        text = "unlock " + where;
        break;
    case ActionKind::Choose:
        return fmt::format("choose {}", a.count);
    case ActionKind::Block:
        return "blocked";
    default:
        return "end";
    }
    return text + reads(machine, "addr", a.deps.address) + reads(machine, "data", a.deps.data) +
           reads(machine, "ctrl", a.deps.control, choices);
}

} // namespace trace_detail

/// `outcomes`: of its reads, updates and choices, in order. Dependencies name reads by the number of the action, from 0.
inline std::vector<std::string> trace(const LitmusTest& test, unsigned thread, std::vector<std::uint64_t> outcomes) {
    Machine machine(test.program, {.dependencies = true});
    const Memory memory(test.program);
    ThreadState state = machine.start_at(test.threads.at(thread).function, ThreadId(1));
    std::vector<std::string> lines;
    std::size_t next = 0;
    std::set<std::uint32_t> choices; // a branch on one is no control dependency
    while (true) {
        const Action a = machine.run(state, memory.objects());
        if (a.kind == ActionKind::Trap) {
            lines.push_back("trap: " + a.trap->message);
            return lines;
        }
        lines.push_back(trace_detail::line(test, machine, a, choices));
        if (lines.back() == "end" || lines.back() == "blocked") {
            return lines;
        }
        const bool asks =
            a.kind == ActionKind::Load || a.kind == ActionKind::Rmw || a.kind == ActionKind::Lock || a.kind == ActionKind::Choose;
        if (asks && next == outcomes.size()) {
            ADD_FAILURE() << "no outcome for " << lines.back();
            return lines;
        }
        if (a.kind == ActionKind::Choose) {
            choices.insert(state.actions);
        }
        machine.resume(state, {.lo = asks ? outcomes[next++] : 0});
    }
}

using Lines = std::vector<std::string>;

} // namespace heddle::litmus
