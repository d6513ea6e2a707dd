#include "model/cat/judge.hpp"

#include "model/cat/bit_matrix.hpp"
#include "model/cat/schedule.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace heddle::cat {

/// The values of all nodes, in one piece of memory that is laid out when the number of events changes.
struct Judge::State {
    State(const Model& m, Architecture a)
        : code(m.code()), schedule(code), members(code.nodes.size()), where(code.nodes.size()), remembered(code.groups.size()) {
        for (const NodeId k : schedule.bases) {
            members[k] = code.nodes[k].op == Op::BaseSet ? membership(code.nodes[k].index, a) : nullptr;
        }
    }

    const Code& code;
    Schedule schedule;
    std::vector<Membership> members; ///< of nodes that are basic sets
    const Execution* x = nullptr;
    std::size_t n = 0;
    bool laid_out = false;
    std::vector<std::size_t> where; ///< of nodes, in `memory`
    std::vector<Word> memory;       ///< the last row is scratch
    /// By group, the inputs for which its variables hold the solution; empty: none. Coherence often changes without changing them.
    std::vector<std::vector<Word>> remembered;
    std::string broken;

    [[nodiscard]] Word* at(NodeId node) { return memory.data() + where[node]; }
    [[nodiscard]] std::size_t row() const { return std::max<std::size_t>((n + 63) / 64, 1); }

    void lay_out() {
        if (laid_out && n == x->events.size()) {
            return;
        }
        laid_out = true;
        n = x->events.size();
        std::size_t size = 0;
        for (NodeId k = 0; k < code.nodes.size(); ++k) {
            const Node& node = code.nodes[k];
            if (node.op == Op::Fixpoint) {
                continue; // where its variable is
            }
            where[k] = size;
            size += node.is_set ? row() : n * row();
        }
        for (NodeId k = 0; k < code.nodes.size(); ++k) {
            if (const Node& node = code.nodes[k]; node.op == Op::Fixpoint) {
                where[k] = where[code.groups[node.group].variables[node.index]];
            }
        }
        memory.assign(size + row(), 0);
        std::ranges::for_each(remembered, [](auto& words) { words.clear(); });
    }

    // --- basic sets and relations

    void add(Word* to, std::size_t a, std::size_t b) const { to[a * row() + b / 64] |= Word{1} << (b % 64); }

    void fill_bases(Level level) {
        for (const NodeId k : schedule.bases) {
            const Node& node = code.nodes[k];
            if (code.levels[k] != level) {
                continue;
            }
            Word* const to = at(k);
            std::fill_n(to, node.is_set ? row() : n * row(), Word{0});
            if (node.op == Op::Base) {
                fill(static_cast<BaseRelation>(node.index), to);
                continue;
            }
            for (std::size_t e = 0; e < n; ++e) {
                if (members[k](x->events[e])) {
                    to[e / 64] |= Word{1} << (e % 64);
                }
            }
        }
    }

    template <class F> void fill_pairs(Word* to, F&& related) {
        for (std::size_t a = 0; a < n; ++a) {
            for (std::size_t b = 0; b < n; ++b) {
                if (related(x->events[a], x->events[b])) {
                    add(to, a, b);
                }
            }
        }
    }

    void fill(BaseRelation relation, Word* to) {
        switch (relation) {
        case BaseRelation::Addr:
            return fill(x->addr, to);
        case BaseRelation::AddrPo:
            return fill(x->addr_po, to);
        case BaseRelation::Data:
            return fill(x->data, to);
        case BaseRelation::Ctrl:
            return fill(x->ctrl, to);
        case BaseRelation::Rmw:
        case BaseRelation::Lxsx:
        case BaseRelation::Amo:
            return fill_updates(relation, to);
        case BaseRelation::Rf:
            return fill_sources(to);
        case BaseRelation::Co:
            return fill_coherence(to, false);
        case BaseRelation::Fr:
            return fill_coherence(to, true);
        default:
            return fill_attributes(relation, to);
        }
    }

    void fill(const DependencyLists::List& pairs, Word* to) const {
        for (const auto& [a, b] : pairs) {
            add(to, a, b);
        }
    }

    void fill_updates(BaseRelation relation, Word* to) const {
        for (std::size_t e = 0; e < n; ++e) {
            const Event& w = x->events[e];
            const bool wanted = relation == BaseRelation::Rmw || w.exclusive == (relation == BaseRelation::Lxsx);
            if (w.update_read && wanted) {
                add(to, *w.update_read, e);
            }
        }
    }

    void fill_sources(Word* to) const {
        for (std::size_t e = 0; e < n; ++e) {
            if (x->events[e].source) {
                add(to, *x->events[e].source, e);
            }
        }
    }

    /// co, or fr: from a read to the writes after its source.
    void fill_coherence(Word* to, bool from_reads) {
        later_.assign(n * row(), 0);
        Word* const co = from_reads ? later_.data() : to;
        for (const auto& [location, writes] : x->coherence) {
            for (std::size_t k = writes.size(); k-- > 1;) {
                Word* const before = co + writes[k - 1] * row();
                std::copy_n(co + writes[k] * row(), row(), before);
                before[writes[k] / 64] |= Word{1} << (writes[k] % 64);
            }
        }
        for (std::size_t e = 0; from_reads && e < n; ++e) {
            if (x->events[e].source) {
                std::copy_n(co + *x->events[e].source * row(), row(), to + e * row());
            }
        }
    }
    std::vector<Word> later_{};

    void fill_attributes(BaseRelation relation, Word* to) {
        const auto is_init = [](const Event& e) { return e.kind == EventKind::Init; };
        const auto internal = [&](const Event& a, const Event& b) {
            return is_init(a) == is_init(b) && (is_init(a) || a.thread == b.thread);
        };
        switch (relation) {
        case BaseRelation::Po:
            return fill_pairs(to, [&](const Event& a, const Event& b) {
                return !is_init(a) && !is_init(b) && a.thread == b.thread && a.index < b.index;
            });
        case BaseRelation::Loc:
            return fill_pairs(
                to, [](const Event& a, const Event& b) { return a.is_access() && b.is_access() && a.location == b.location; });
        case BaseRelation::Int:
            return fill_pairs(to, internal);
        case BaseRelation::Ext:
            return fill_pairs(to, [&](const Event& a, const Event& b) { return !internal(a, b); });
        case BaseRelation::Id:
            return fill_pairs(to, [](const Event& a, const Event& b) { return &a == &b; });
        case BaseRelation::Init:
            return fill_pairs(to, [&](const Event& a, const Event& b) { return is_init(a) && !is_init(b); });
        case BaseRelation::Create:
            return fill_pairs(to, [](const Event& a, const Event& b) {
                return a.kind == EventKind::Spawn && b.kind == EventKind::Begin && a.other == b.thread;
            });
        case BaseRelation::Join:
            return fill_pairs(to, [](const Event& a, const Event& b) {
                return a.kind == EventKind::End && b.kind == EventKind::Join && b.other == a.thread;
            });
        default:
            HEDDLE_CHECK(false, "a basic relation that nobody fills");
        }
    }

    // --- steps

    bool run(const std::vector<Step>& steps) {
        return n <= 64 ? run(BitMatrix<true>(n), steps) : run(BitMatrix<false>(n), steps);
    }

    template <bool one> bool run(const BitMatrix<one>& m, const std::vector<Step>& steps) {
        for (const Step& s : steps) {
            switch (s.kind) {
            case Step::Kind::Compute:
                compute(m, s.what);
                break;
            case Step::Kind::Solve:
                solve(m, s.what);
                break;
            case Step::Kind::Assign:
                changed_ |= m.assign(at(s.what), at(s.from), code.nodes[s.what].is_set);
                break;
            case Step::Kind::Check:
                if (!holds(m, schedule.tests[s.what])) {
                    broken = code.checks[s.what].name;
                    return false;
                }
                break;
            }
        }
        return true;
    }
    bool changed_ = false;

    /// Are the inputs of the group those of last time? Remembers them.
    bool is_solved(GroupId g) {
        std::vector<Word>& before = remembered[g];
        std::size_t k = 0;
        bool same = !before.empty();
        for (const NodeId input : schedule.inputs[g]) {
            const std::size_t size = code.nodes[input].is_set ? row() : n * row();
            before.resize(std::max(before.size(), k + size));
            same = same && std::equal(at(input), at(input) + size, before.data() + k);
            std::copy_n(at(input), size, before.data() + k);
            k += size;
        }
        return same;
    }

    template <bool one> void solve(const BitMatrix<one>& m, GroupId g) {
        if (is_solved(g)) {
            return;
        }
        for (const NodeId v : code.groups[g].variables) {
            m.zero(at(v), code.nodes[v].is_set);
        }
        const bool outer = changed_;
        // A definition that only adds settles after as many rounds as there are pairs. One that also takes away might never.
        std::size_t left = 16 + code.groups[g].variables.size() * n * n;
        do {
            HEDDLE_CHECK(left-- > 0, "a recursive definition of the model does not settle");
            changed_ = false;
            run(m, schedule.groups[g]);
        } while (changed_);
        changed_ = outer;
    }

    template <bool one> void compute(const BitMatrix<one>& m, NodeId k) {
        const Node& node = code.nodes[k];
        Word* const to = at(k);
        const Word* const a = at(node.a);
        const Word* const b = at(node.b);
        switch (node.op) {
        case Op::Empty:
            return m.zero(to, node.is_set);
        case Op::All:
            return m.all(to, node.is_set);
        case Op::Union:
            return m.unite(to, a, b, node.is_set);
        case Op::Inter:
            return m.intersect(to, a, b, node.is_set);
        case Op::Diff:
            return m.subtract(to, a, b, node.is_set);
        case Op::Not:
            return m.complement(to, a, node.is_set);
        case Op::Domain:
            return m.domain(to, a);
        case Op::Range:
            return m.range(to, a);
        case Op::Identity:
            return m.identity(to, a);
        case Op::Product:
            return m.product(to, a, b);
        case Op::Sequence:
            return m.compose(to, a, b);
        case Op::RestrictDomain:
            return m.restrict_domain(to, a, b);
        case Op::RestrictRange:
            return m.restrict_range(to, a, b);
        case Op::Inverse:
            return m.inverse(to, a);
        case Op::Plus:
            return m.closure(to, a);
        case Op::Star:
            m.closure(to, a);
            return m.add_identity(to);
        case Op::Maybe:
            m.copy(to, a, false);
            return m.add_identity(to);
        case Op::Variable:
        case Op::Fixpoint:
        case Op::BaseSet:
        case Op::Base:
            break;
        }
        HEDDLE_CHECK(false, "a node that is not computed in steps");
    }

    template <bool one> bool holds(const BitMatrix<one>& m, const Test& t) {
        const auto plainly = [&] {
            switch (t.kind) {
            case Test::Kind::Acyclic:
                return m.is_acyclic(at(t.a), memory.data() + memory.size() - row());
            case Test::Kind::Irreflexive:
                return m.is_irreflexive(at(t.a));
            case Test::Kind::Empty:
                return m.is_empty(at(t.a), code.nodes[t.a].is_set);
            case Test::Kind::NoRoundTrip:
                return m.no_round_trip(at(t.a), at(t.b));
            }
            return false;
        };
        return plainly() != t.negated;
    }

    bool holds(const Test& t) { return n <= 64 ? holds(BitMatrix<true>(n), t) : holds(BitMatrix<false>(n), t); }

    bool stage(Level level) {
        fill_bases(level);
        return run(schedule.stages[static_cast<std::size_t>(level)]);
    }
};

Judge::Judge(const Model& model, Architecture architecture) : state_(std::make_unique<State>(model, architecture)) {}
Judge::~Judge() = default;

bool Judge::begin(const Execution& x) {
    state_->x = &x;
    state_->lay_out();
    return state_->stage(Level::Events);
}

bool Judge::choose_sources() { return state_->stage(Level::Sources); }
bool Judge::choose_coherence() { return state_->stage(Level::Coherence); }

std::vector<std::string> Judge::flags() const {
    State& s = *state_;
    s.run(s.schedule.flags);
    std::vector<std::string> raised;
    for (const Test& t : s.schedule.tests) {
        const Check& c = s.code.checks[t.check];
        if (c.purpose == Purpose::Require || s.holds(t) != (c.purpose == Purpose::Flag)) {
            continue;
        }
        const std::string name = c.purpose == Purpose::Flag              ? c.name
                                 : c.purpose == Purpose::UndefinedUnless ? "undef"
                                                                         : "assertion failed: " + c.name;
        if (std::ranges::find(raised, name) == raised.end()) {
            raised.push_back(name);
        }
    }
    return raised;
}

const std::string& Judge::broken() const { return state_->broken; }

} // namespace heddle::cat
