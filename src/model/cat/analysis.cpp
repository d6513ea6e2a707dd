#include "model/cat/analysis.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace heddle::cat {
namespace {

// --- monotonicity
//
// An execution grows when events are added to it, with the edges that they have to the events that are there. What of an expression's value
// concerns the old events may then change in one direction only, or not at all: program order, locations, threads and the words of events are
// Fixed, and so is any combination of them that looks at one pair of events at a time. Compositions, closures, domains and ranges gain by paths
// through new events. Reads-from and coherence are taken to grow too, so that a search may choose them after the events.
// A check that an expression is empty, irreflexive or acyclic stays broken when the expression grows.

enum class Growth : std::uint8_t { Fixed, Grows, Shrinks, Either };

Growth together(Growth a, Growth b) {
    if (a == b || b == Growth::Fixed) {
        return a;
    }
    return a == Growth::Fixed ? b : Growth::Either;
}

Growth opposite(Growth g) { return g == Growth::Grows ? Growth::Shrinks : g == Growth::Shrinks ? Growth::Grows : g; }

/// Of a value that is reached through events that may be new.
Growth through_new_events(Growth g) { return g == Growth::Fixed || g == Growth::Grows ? Growth::Grows : Growth::Either; }

class Growths {
  public:
    explicit Growths(const Code& code) : code_(code), growth_(code.nodes.size(), Growth::Fixed) {
        for (bool changed = true; changed;) {
            changed = false;
            for (NodeId n = 0; n < code.nodes.size(); ++n) {
                const Growth g = together(growth_[n], of(code.nodes[n])); // upwards only, so it ends
                changed |= g != growth_[n];
                growth_[n] = g;
            }
        }
    }

    [[nodiscard]] Growth at(NodeId n) const { return growth_[n]; }

    /// The deepest expression that is not known to grow only, in words.
    [[nodiscard]] std::string blame(NodeId n) const {
        const Node& node = code_.nodes[n];
        if (node.op == Op::Variable || node.op == Op::Fixpoint) {
            for (const NodeId body : code_.groups[node.group].bodies) {
                if (!bad(body)) {
                    continue;
                }
                const Op op = code_.nodes[body].op;
                return op == Op::Variable || op == Op::Fixpoint ? "a recursive definition" : blame(body);
            }
        }
        for (const NodeId part : {node.a, node.b}) {
            if (part != 0 && bad(part) && code_.nodes[part].op != Op::Variable) {
                return blame(part);
            }
        }
        return node.op == Op::Diff  ? "the right-hand side of a difference (\\) may grow"
               : node.op == Op::Not ? "the operand of a complement (~) may grow"
                                    : "an expression that takes something away";
    }

  private:
    [[nodiscard]] bool bad(NodeId n) const { return growth_[n] == Growth::Shrinks || growth_[n] == Growth::Either; }

    [[nodiscard]] Growth of(const Node& node) const {
        switch (node.op) {
        case Op::Empty:
        case Op::All:
        case Op::BaseSet:
            return Growth::Fixed;
        case Op::Base: {
            const auto r = static_cast<BaseRelation>(node.index);
            const bool chosen = r == BaseRelation::Rf || r == BaseRelation::Co || r == BaseRelation::Fr;
            return chosen ? Growth::Grows : Growth::Fixed;
        }
        case Op::Variable:
        case Op::Fixpoint: {
            Growth g = Growth::Grows; // iterating adds
            for (const NodeId body : code_.groups[node.group].bodies) {
                g = together(g, growth_[body]);
            }
            return g;
        }
        case Op::Not:
            return opposite(growth_[node.a]);
        case Op::Diff:
            return together(growth_[node.a], opposite(growth_[node.b]));
        case Op::Union:
        case Op::Inter:
        case Op::Product:
        case Op::RestrictDomain:
        case Op::RestrictRange:
            return together(growth_[node.a], growth_[node.b]);
        case Op::Identity:
        case Op::Inverse:
        case Op::Maybe:
            return growth_[node.a];
        case Op::Domain:
        case Op::Range:
        case Op::Plus:
        case Op::Star:
            return through_new_events(growth_[node.a]);
        case Op::Sequence:
            return through_new_events(together(growth_[node.a], growth_[node.b]));
        }
        return Growth::Either;
    }

    const Code& code_;
    std::vector<Growth> growth_;
};

// --- coherence

/// Is one of the basic relations certainly part of an expression? By shape alone.
class Coverage {
  public:
    explicit Coverage(const Code& code) : code_(code) {}

    [[nodiscard]] const Node& at(NodeId n) const { return code_.nodes[n]; }

    [[nodiscard]] bool is_reflexive(NodeId n) const {
        const Node& node = at(n);
        return node.op == Op::Star || node.op == Op::Maybe || is_base(node, BaseRelation::Id) ||
               (node.op == Op::Union && (is_reflexive(node.a) || is_reflexive(node.b)));
    }

    [[nodiscard]] bool has(NodeId n, BaseRelation r) const {
        return contains(n, [&](const Node& node) { return is_base(node, r); }) || (has_half(n, r, true) && has_half(n, r, false));
    }
    [[nodiscard]] bool has_po_loc(NodeId n) const {
        return contains(n, [&](const Node& node) {
            return is_base(node, BaseRelation::Po) || is_base(node, BaseRelation::Loc) ||
                   is_both(node, BaseRelation::Po, BaseRelation::Loc);
        });
    }
    [[nodiscard]] bool has_com(NodeId n) const {
        return has(n, BaseRelation::Rf) && has(n, BaseRelation::Co) && has(n, BaseRelation::Fr);
    }
    /// Does the expression contain (rf | co | fr)+ ?
    [[nodiscard]] bool has_eco(NodeId n) const {
        return contains(n, [&](const Node& node) { return (node.op == Op::Plus || node.op == Op::Star) && has_com(node.a); });
    }
    /// Does it contain (po | rf)+ ?
    [[nodiscard]] bool has_po_rf(NodeId n) const {
        return contains(n, [&](const Node& node) {
            return (node.op == Op::Plus || node.op == Op::Star) && has(node.a, BaseRelation::Po) && has(node.a, BaseRelation::Rf);
        });
    }

  private:
    static bool is_base(const Node& node, BaseRelation r) {
        return node.op == Op::Base && node.index == static_cast<std::uint32_t>(r);
    }
    [[nodiscard]] bool is_both(const Node& node, BaseRelation r, BaseRelation s) const {
        return node.op == Op::Inter &&
               ((is_base(at(node.a), r) && is_base(at(node.b), s)) || (is_base(at(node.a), s) && is_base(at(node.b), r)));
    }
    /// rfe or rfi, or rf itself.
    [[nodiscard]] bool has_half(NodeId n, BaseRelation r, bool external) const {
        return contains(n, [&](const Node& node) {
            return is_base(node, r) || is_both(node, r, external ? BaseRelation::Ext : BaseRelation::Int);
        });
    }
    /// Is something that `found` accepts part of n: a side of a union, the inside of a closure, a composition with something reflexive?
    [[nodiscard]] bool contains(NodeId n, const std::function<bool(const Node&)>& found) const {
        const Node& node = at(n);
        if (found(node)) {
            return true;
        }
        switch (node.op) {
        case Op::Union:
            return contains(node.a, found) || contains(node.b, found);
        case Op::Plus:
        case Op::Star:
        case Op::Maybe:
            return contains(node.a, found);
        case Op::Sequence:
            return (contains(node.a, found) && is_reflexive(node.b)) || (contains(node.b, found) && is_reflexive(node.a));
        default:
            return false;
        }
    }

    const Code& code_;
};

/// acyclic r is what irreflexive r+ says.
bool is_acyclic_check(const Code& code, const Check& c) {
    return c.kind == CheckKind::Acyclic || (c.kind == CheckKind::Irreflexive && code.nodes[c.expr].op == Op::Plus);
}

bool implies_coherence(const Code& code, const Check& c) {
    const Coverage cover(code);
    if (is_acyclic_check(code, c)) {
        return cover.has_po_loc(c.expr) && cover.has_com(c.expr);
    }
    // irreflexive hb ; eco? : a cycle in po-loc | com has a form of one step of po-loc and one of eco (coherence is total). With rf in hb, the
    // steps co;rf and fr;rf of eco need not be there.
    const Node& n = code.nodes[c.expr];
    if (c.kind != CheckKind::Irreflexive || n.op != Op::Sequence) {
        return false;
    }
    return (cover.has_po_loc(n.a) && cover.has_eco(n.b)) || (cover.has_po_rf(n.a) && cover.has_com(n.b));
}

} // namespace

bool implies_coherence(const Code& code) {
    return std::ranges::any_of(
        code.checks, [&](const Check& c) { return c.purpose == Purpose::Require && !c.negated && implies_coherence(code, c); });
}

std::string why_not_monotone(const Code& code) {
    const Growths growths(code);
    for (const Check& c : code.checks) {
        if (c.purpose != Purpose::Require) {
            continue;
        }
        const Growth g = growths.at(c.expr);
        if (c.negated) {
            return fmt::format("{}: the check {} is negated: more events may make it hold", text_of(c.place), c.name);
        }
        if (g == Growth::Shrinks || g == Growth::Either) {
            return fmt::format("{}: the check {} may hold again when events are added: {}", text_of(c.place), c.name,
                               growths.blame(c.expr));
        }
    }
    return "";
}

} // namespace heddle::cat
