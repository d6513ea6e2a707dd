#include "model/cat/code.hpp"

#include "support/check.hpp"

#include <algorithm>

namespace heddle::cat {

std::size_t arity(Op op) {
    switch (op) {
    case Op::Empty:
    case Op::All:
    case Op::Variable:
    case Op::Fixpoint:
    case Op::BaseSet:
    case Op::Base:
        return 0;
    case Op::Not:
    case Op::Domain:
    case Op::Range:
    case Op::Identity:
    case Op::Inverse:
    case Op::Plus:
    case Op::Star:
    case Op::Maybe:
        return 1;
    default:
        return 2;
    }
}

CodeBuilder::CodeBuilder() { make({.op = Op::Empty}); } // node 0, so that an operand that is not there is harmless

NodeId CodeBuilder::make(const Node& node) {
    const auto [it, is_new] = known_.try_emplace(node, static_cast<NodeId>(code_.nodes.size()));
    if (is_new) {
        code_.nodes.push_back(node);
    }
    return it->second;
}

NodeId CodeBuilder::unary(Op op, NodeId a) {
    const Node& n = at(a);
    switch (op) {
    case Op::Not:
        if (n.op == Op::Empty || n.op == Op::All) {
            return n.op == Op::Empty ? all(n.is_set) : empty(n.is_set);
        }
        return n.op == Op::Not ? n.a : make({.op = op, .is_set = n.is_set, .a = a});
    case Op::Domain:
    case Op::Range:
        if (n.op == Op::Identity) {
            return n.a;
        }
        return is_empty(a) ? empty(true) : make({.op = op, .is_set = true, .a = a});
    case Op::Inverse:
        if (n.op == Op::Inverse) {
            return n.a;
        }
        return is_empty(a) || n.op == Op::Identity ? a : make({.op = op, .a = a});
    case Op::Identity:
        if (is_empty(a)) {
            return empty(false);
        }
        return n.op == Op::All ? base(BaseRelation::Id) : make({.op = op, .a = a});
    default:
        return closure_of(op, a);
    }
}

NodeId CodeBuilder::closure_of(Op op, NodeId a) {
    const Op inner = at(a).op;
    if (is_empty(a)) {
        return op == Op::Plus ? a : base(BaseRelation::Id);
    }
    if (inner == op || inner == Op::Star) {
        return a; // (r*)+ = r*, (r+)+ = r+
    }
    if ((inner == Op::Plus || inner == Op::Maybe) && op != inner) {
        return make({.op = Op::Star, .a = at(a).a}); // (r?)+ = (r?)* = (r+)? = (r+)* = r*
    }
    return make({.op = op, .a = a});
}

NodeId CodeBuilder::union_of(NodeId a, NodeId b) {
    if (a == b || is_empty(b)) {
        return a;
    }
    return is_empty(a) ? b : make({.op = Op::Union, .is_set = is_set(a), .a = std::min(a, b), .b = std::max(a, b)});
}

NodeId CodeBuilder::inter_of(NodeId a, NodeId b) {
    if (a == b || is_empty(a) || at(b).op == Op::All) {
        return a;
    }
    if (is_empty(b) || at(a).op == Op::All) {
        return b;
    }
    if (at(a).op == Op::Product) {
        std::swap(a, b);
    }
    if (at(b).op == Op::Product && !is_set(a)) { // r & (S * T) = [S] ; r ; [T]
        const Node product = at(b);
        return sequence_of(unary(Op::Identity, product.a), sequence_of(a, unary(Op::Identity, product.b)));
    }
    return make({.op = Op::Inter, .is_set = is_set(a), .a = std::min(a, b), .b = std::max(a, b)});
}

NodeId CodeBuilder::sequence_of(NodeId a, NodeId b) {
    if (is_empty(a) || is_empty(b)) {
        return empty(false);
    }
    const NodeId id = base(BaseRelation::Id);
    if (a == id || b == id) {
        return a == id ? b : a;
    }
    const Node left = at(a);
    const Node right = at(b);
    if (left.op == Op::Identity && right.op == Op::Identity) {
        return unary(Op::Identity, inter_of(left.a, right.a));
    }
    if (left.op == Op::Identity) {
        return make({.op = Op::RestrictDomain, .a = left.a, .b = b});
    }
    if (right.op == Op::Identity) {
        return make({.op = Op::RestrictRange, .a = a, .b = right.a});
    }
    return make({.op = Op::Sequence, .a = a, .b = b});
}

NodeId CodeBuilder::binary(Op op, NodeId a, NodeId b) {
    switch (op) {
    case Op::Union:
        return union_of(a, b);
    case Op::Inter:
        return inter_of(a, b);
    case Op::Sequence:
        return sequence_of(a, b);
    case Op::Diff:
        if (a == b || at(b).op == Op::All) {
            return empty(is_set(a));
        }
        return is_empty(a) || is_empty(b) ? a : make({.op = op, .is_set = is_set(a), .a = a, .b = b});
    case Op::Product:
        if (is_empty(a) || is_empty(b)) {
            return empty(false);
        }
        return at(a).op == Op::All && at(b).op == Op::All ? all(false) : make({.op = op, .a = a, .b = b});
    default:
        HEDDLE_CHECK(false, "not a binary operator of cat");
        return 0;
    }
}

GroupId CodeBuilder::open_group() {
    code_.groups.emplace_back();
    return static_cast<GroupId>(code_.groups.size() - 1);
}

NodeId CodeBuilder::variable(GroupId group, bool set) {
    auto& variables = code_.groups[group].variables;
    variables.push_back(
        make({.op = Op::Variable, .is_set = set, .index = static_cast<std::uint32_t>(variables.size()), .group = group}));
    return variables.back();
}

void CodeBuilder::close_group(GroupId group, std::vector<NodeId> bodies) { code_.groups[group].bodies = std::move(bodies); }

NodeId CodeBuilder::fixpoint(GroupId group, std::size_t k) {
    return make({.op = Op::Fixpoint,
                 .is_set = is_set(code_.groups[group].variables[k]),
                 .index = static_cast<std::uint32_t>(k),
                 .group = group});
}

void CodeBuilder::compute_levels() {
    auto& levels = code_.levels;
    levels.assign(code_.nodes.size(), Level::Events);
    for (bool changed = true; changed;) { // what stands in a recursive group depends on all of it
        changed = false;
        for (NodeId n = 0; n < code_.nodes.size(); ++n) {
            const Node& node = code_.nodes[n];
            Level level = Level::Events;
            if (node.op == Op::Base) {
                const auto r = static_cast<BaseRelation>(node.index);
                level = r == BaseRelation::Rf                            ? Level::Sources
                        : r == BaseRelation::Co || r == BaseRelation::Fr ? Level::Coherence
                                                                         : Level::Events;
            } else if (node.op == Op::Variable || node.op == Op::Fixpoint) {
                for (const NodeId body : code_.groups[node.group].bodies) {
                    level = std::max(level, levels[body]);
                }
            } else {
                level = arity(node.op) > 0 ? std::max(level, levels[node.a]) : level;
                level = arity(node.op) > 1 ? std::max(level, levels[node.b]) : level;
            }
            changed |= level != levels[n];
            levels[n] = level;
        }
    }
}

void CodeBuilder::compute_inside() {
    auto& inside = code_.inside;
    inside.assign(code_.nodes.size(), {});
    const auto joined = [](std::vector<GroupId> x, const std::vector<GroupId>& y) {
        std::vector<GroupId> both;
        std::ranges::set_union(x, y, std::back_inserter(both));
        return both;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (NodeId n = 0; n < code_.nodes.size(); ++n) {
            const Node& node = code_.nodes[n];
            std::vector<GroupId> groups;
            if (node.op == Op::Variable) {
                groups = {node.group};
            } else if (node.op == Op::Fixpoint) { // what its bodies depend on, itself apart
                for (const NodeId body : code_.groups[node.group].bodies) {
                    groups = joined(std::move(groups), inside[body]);
                }
                std::erase(groups, node.group);
            } else {
                groups = arity(node.op) > 0 ? inside[node.a] : groups;
                groups = arity(node.op) > 1 ? joined(std::move(groups), inside[node.b]) : groups;
            }
            if (groups != inside[n]) {
                inside[n] = std::move(groups);
                changed = true;
            }
        }
    }
}

Code CodeBuilder::finish() {
    compute_levels();
    compute_inside();
    return std::move(code_);
}

} // namespace heddle::cat
