// Code: a resolved model. Expressions of sets and relations as a graph without repetition, and the checks on them.
//
// Functions are inlined and names resolved; what stands twice in the model (or comes to the same after inlining) is one node and computed once. A
// node knows its level: on what choices of an execution its value depends.
#pragma once

#include "model/cat/names.hpp"
#include "model/cat/syntax.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::cat {

using NodeId = std::uint32_t;  ///< into Code::nodes
using GroupId = std::uint32_t; ///< into Code::groups

enum class Level : std::uint8_t {
    Events,    ///< events and their dependencies
    Sources,   ///< and reads-from
    Coherence, ///< and coherence
};
inline constexpr std::size_t kLevels = 3;

enum class Op : std::uint8_t {
    // of sets and of relations
    Empty,
    All,
    Union,
    Inter,
    Diff,
    Not,
    Variable, ///< of a recursive definition, inside it; `index`: which
    Fixpoint, ///< its value, outside; `index`: which
    // sets
    BaseSet, ///< `index`: SetName
    Domain,
    Range,
    // relations
    Base,           ///< `index`: BaseRelation
    Identity,       ///< on set a
    Product,        ///< set a times set b
    Sequence,       ///< a ; b
    RestrictDomain, ///< [a] ; b
    RestrictRange,  ///< a ; [b]
    Inverse,
    Plus,
    Star,
    Maybe,
};

struct Node {
    Op op = Op::Empty;
    bool is_set = false;
    NodeId a = 0, b = 0; ///< operands; 0 where there is none
    std::uint32_t index = 0;
    GroupId group = 0; ///< of Variable and Fixpoint

    friend auto operator<=>(const Node&, const Node&) = default;
};

/// `let rec x = ... and y = ...`: the least solution, by iterating from empty, in the order of the definitions.
struct Group {
    std::vector<NodeId> variables;
    std::vector<NodeId> bodies;
};

struct Check {
    CheckKind kind = CheckKind::Acyclic;
    Purpose purpose = Purpose::Require;
    bool negated = false;
    NodeId expr = 0;
    std::string name;
    Place place;
};

struct Code {
    std::vector<Node> nodes;
    std::vector<Level> levels; ///< of nodes
    std::vector<Group> groups;
    /// Of nodes: the groups inside of which it stands, that is, on whose variables it depends; ascending.
    std::vector<std::vector<GroupId>> inside;
    std::vector<Check> checks;
    bool implies_coherence = false;
    std::string not_monotone; ///< why; empty if it is
};

/// Makes nodes, each once, and simplifies what is cheap to see.
class CodeBuilder {
  public:
    CodeBuilder();

    NodeId empty(bool set) { return make({.op = Op::Empty, .is_set = set}); }
    NodeId all(bool set) { return make({.op = Op::All, .is_set = set}); }
    NodeId base_set(SetName name) { return make({.op = Op::BaseSet, .is_set = true, .index = name}); }
    NodeId base(BaseRelation r) { return make({.op = Op::Base, .index = static_cast<std::uint32_t>(r)}); }
    NodeId unary(Op op, NodeId a);
    NodeId binary(Op op, NodeId a, NodeId b);

    /// A recursive group: `variable` for each name, then `close` with the bodies, then `fixpoint` for its values.
    GroupId open_group();
    NodeId variable(GroupId group, bool set);
    void close_group(GroupId group, std::vector<NodeId> bodies);
    NodeId fixpoint(GroupId group, std::size_t k);

    [[nodiscard]] bool is_set(NodeId n) const { return code_.nodes[n].is_set; }
    void add(Check check) { code_.checks.push_back(std::move(check)); }
    /// With levels and the rest of what Code keeps besides nodes and checks.
    Code finish();

  private:
    NodeId make(const Node& node);
    [[nodiscard]] const Node& at(NodeId n) const { return code_.nodes[n]; }
    [[nodiscard]] bool is_empty(NodeId n) const { return at(n).op == Op::Empty; }
    NodeId union_of(NodeId a, NodeId b);
    NodeId inter_of(NodeId a, NodeId b);
    NodeId sequence_of(NodeId a, NodeId b);
    NodeId closure_of(Op op, NodeId a);
    void compute_levels();
    void compute_inside();

    Code code_;
    std::map<Node, NodeId> known_;
};

/// Number of operands that are nodes.
std::size_t arity(Op op);

} // namespace heddle::cat
