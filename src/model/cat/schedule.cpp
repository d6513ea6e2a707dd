#include "model/cat/schedule.hpp"

#include <algorithm>
#include <optional>

namespace heddle::cat {
namespace {

Test test_of(const Code& code, std::size_t k) {
    const Check& c = code.checks[k];
    const Node& n = code.nodes[c.expr];
    const bool acyclic = c.kind == CheckKind::Acyclic;
    if (c.kind == CheckKind::Empty) {
        return {Test::Kind::Empty, c.negated, c.expr, 0, k};
    }
    if (n.op == Op::Plus) { // acyclic r+, irreflexive r+: acyclic r
        return {Test::Kind::Acyclic, c.negated, n.a, 0, k};
    }
    if (!acyclic && n.op == Op::Sequence) {
        return {Test::Kind::NoRoundTrip, c.negated, n.a, n.b, k};
    }
    return {acyclic ? Test::Kind::Acyclic : Test::Kind::Irreflexive, c.negated, c.expr, 0, k};
}

class Scheduler {
  public:
    Scheduler(const Code& code, Schedule& out) : code_(code), out_(out), done_(code.nodes.size()), solved_(code.groups.size()) {
        out.groups.resize(code.groups.size());
        out.inputs.resize(code.groups.size());
        for (std::size_t k = 0; k < code.checks.size(); ++k) {
            out.tests.push_back(test_of(code, k));
        }
    }

    void run() {
        for (std::size_t level = 0; level < kLevels; ++level) {
            place_checks(static_cast<Level>(level));
            place_rest(static_cast<Level>(level));
        }
        for (std::size_t k = 0; k < out_.tests.size(); ++k) {
            if (code_.checks[k].purpose != Purpose::Require) {
                emit_operands(out_.tests[k], out_.flags);
            }
        }
    }

  private:
    [[nodiscard]] Level level_of(const Test& t) const { return std::max(code_.levels[t.a], code_.levels[t.b]); }
    [[nodiscard]] bool is_inside(NodeId n, GroupId g) const { return std::ranges::binary_search(code_.inside[n], g); }

    void place_checks(Level level) {
        std::vector<std::size_t> waiting;
        for (std::size_t k = 0; k < out_.tests.size(); ++k) {
            if (code_.checks[k].purpose == Purpose::Require && level_of(out_.tests[k]) == level) {
                waiting.push_back(k);
            }
        }
        auto& steps = out_.stages[static_cast<std::size_t>(level)];
        while (!waiting.empty()) {
            const auto cheapest = std::ranges::min_element(waiting, {}, [&](std::size_t k) { return cost(out_.tests[k]); });
            emit_operands(out_.tests[*cheapest], steps);
            steps.push_back({Step::Kind::Check, static_cast<std::uint32_t>(*cheapest), 0});
            waiting.erase(cheapest);
        }
    }

    /// What later levels need of this one.
    void place_rest(Level level) {
        std::vector<bool> seen(code_.nodes.size());
        for (std::size_t k = 0; k < out_.tests.size(); ++k) {
            if (code_.checks[k].purpose == Purpose::Require && level_of(out_.tests[k]) > level) {
                place_rest(out_.tests[k].a, level, seen);
                place_rest(out_.tests[k].b, level, seen);
            }
        }
    }
    void place_rest(NodeId n, Level level, std::vector<bool>& seen) {
        if (seen[n]) {
            return;
        }
        seen[n] = true;
        if (code_.levels[n] <= level && code_.inside[n].empty()) {
            emit(n, out_.stages[static_cast<std::size_t>(level)]);
            return;
        }
        for (const NodeId part : parts(n)) {
            place_rest(part, level, seen);
        }
    }

    [[nodiscard]] std::vector<NodeId> parts(NodeId n) const {
        const Node& node = code_.nodes[n];
        if (node.op == Op::Fixpoint) {
            return code_.groups[node.group].bodies;
        }
        switch (arity(node.op)) {
        case 0:
            return {};
        case 1:
            return {node.a};
        default:
            return {node.a, node.b};
        }
    }

    // --- cost of what is not yet computed

    [[nodiscard]] std::size_t cost(const Test& t) const {
        std::vector<bool> seen = done_;
        return cost(t.a, seen) + cost(t.b, seen);
    }
    [[nodiscard]] std::size_t cost(NodeId n, std::vector<bool>& seen) const {
        if (seen[n]) {
            return 0;
        }
        seen[n] = true;
        std::size_t sum = 0;
        for (const NodeId part : parts(n)) {
            sum += cost(part, seen);
        }
        switch (code_.nodes[n].op) {
        case Op::Fixpoint:
            return 4 * sum; // iterations
        case Op::Sequence:
        case Op::Plus:
        case Op::Star:
            return sum + 4;
        default:
            return sum + 1;
        }
    }

    // --- emission: operands first

    void emit_operands(const Test& t, std::vector<Step>& steps) {
        emit(t.a, steps);
        if (t.kind == Test::Kind::NoRoundTrip) {
            emit(t.b, steps);
        }
    }

    void emit(NodeId n, std::vector<Step>& steps) {
        if (done_[n]) {
            return;
        }
        done_[n] = true;
        const Node& node = code_.nodes[n];
        switch (node.op) {
        case Op::Base:
        case Op::BaseSet:
            out_.bases.push_back(n);
            return;
        case Op::Variable:
            return;
        case Op::Fixpoint:
            solve(node.group, steps);
            return;
        default:
            for (const NodeId part : parts(n)) {
                emit(part, steps);
            }
            steps.push_back({Step::Kind::Compute, n, 0});
        }
    }

    void solve(GroupId g, std::vector<Step>& steps) {
        if (solved_[g]) {
            return;
        }
        solved_[g] = true;
        const Group& group = code_.groups[g];
        std::vector<bool> seen(code_.nodes.size());
        for (const NodeId body : group.bodies) {
            emit_around(body, g, steps, seen);
        }
        const auto at = open_.insert(std::ranges::upper_bound(open_, g), g) - open_.begin();
        auto& iteration = out_.groups[g];
        const bool shared = only_grows(g);
        for (std::size_t k = 0; k < group.bodies.size(); ++k) {
            emit(group.bodies[k], iteration);
            iteration.push_back({Step::Kind::Assign, group.variables[k], group.bodies[k]});
            if (!shared) {
                forget_inside(g); // the next body must see this variable's new value
            }
        }
        open_.erase(open_.begin() + at);
        steps.push_back({Step::Kind::Solve, g, 0});
    }

    /// What the group needs and does not depend on its variables, nor on those of a group within it.
    void emit_around(NodeId n, GroupId g, std::vector<Step>& steps, std::vector<bool>& seen) {
        if (seen[n]) {
            return;
        }
        seen[n] = true;
        if (std::ranges::includes(open_, code_.inside[n])) {
            emit(n, steps);
            out_.inputs[g].push_back(n);
            return;
        }
        for (const NodeId part : parts(n)) {
            emit_around(part, g, steps, seen);
        }
    }

    /// Then the order of computation within an iteration does not matter.
    [[nodiscard]] bool only_grows(GroupId g) const {
        for (NodeId n = 0; n < code_.nodes.size(); ++n) {
            const Node& node = code_.nodes[n];
            if ((node.op == Op::Not && is_inside(node.a, g)) || (node.op == Op::Diff && is_inside(node.b, g))) {
                return false;
            }
        }
        return true;
    }

    void forget_inside(GroupId g) {
        for (NodeId n = 0; n < code_.nodes.size(); ++n) {
            if (is_inside(n, g)) {
                done_[n] = false;
                if (code_.nodes[n].op == Op::Fixpoint) { // a group within the group
                    solved_[code_.nodes[n].group] = false;
                    out_.groups[code_.nodes[n].group].clear();
                    out_.inputs[code_.nodes[n].group].clear();
                }
            }
        }
    }

    const Code& code_;
    Schedule& out_;
    std::vector<bool> done_;
    std::vector<bool> solved_;  ///< of groups
    std::vector<GroupId> open_; ///< the groups whose steps are being made; ascending
};

} // namespace

Schedule::Schedule(const Code& code) { Scheduler(code, *this).run(); }

} // namespace heddle::cat
