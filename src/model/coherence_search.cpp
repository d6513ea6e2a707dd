#include "model/coherence_search.hpp"

#include <algorithm>

namespace heddle {
namespace {

class CoherenceSearch {
  public:
    explicit CoherenceSearch(const CoherenceQuestion& q)
        : x_(q.x), axioms_(q.axioms), relations_(without_coherence(q.x)), readers_(x_.events.size()) {
        Relation base = axioms_.order(x_, relations_);
        if (q.also) {
            base.add(q.also->first, q.also->second);
        }
        start_ = {.co = Relation(x_.events.size()), .before = base.closure()};
        possible_ = start_.before.irreflexive();
        for (std::size_t e = 0; e < x_.events.size(); ++e) {
            if (x_.events[e].source) {
                readers_[*x_.events[e].source].push_back(e);
            }
            const bool sc = x_.events[e].order == Order::SeqCst;
            seq_cst_ += sc ? 1 : 0;
        }
        for (const auto& [location, writes] : x_.coherence) {
            const bool given = q.is_given(location);
            for (std::size_t i = 1; i < writes.size(); ++i) {
                possible_ = possible_ && put(start_, given ? writes[i - 1] : writes.front(), writes[i]);
            }
            for (const std::size_t w : writes) {
                const bool earlier = q.latest && w != *q.latest && x_.events[*q.latest].location == location;
                possible_ = possible_ && (!earlier || put(start_, w, *q.latest));
            }
        }
    }

    std::optional<std::map<Address, std::vector<std::size_t>>> find() {
        if (!possible_ || !solve(start_)) {
            return std::nullopt;
        }
        return ordered(start_.co);
    }

  private:
    /// What is known to be in order; both are transitive and have no cycle.
    struct Known {
        Relation co;
        Relation before; ///< the model's order, with co and fr where these belong to it
    };

    static Execution without_coherence(const Execution& x) { return {.events = x.events, .coherence = {}}; }

    [[nodiscard]] std::map<Address, std::vector<std::size_t>> ordered(const Relation& co) const {
        auto coherence = x_.coherence;
        for (auto& [location, writes] : coherence) {
            std::ranges::sort(writes, [&](std::size_t a, std::size_t b) { return co.contains(a, b); });
        }
        return coherence;
    }

    /// Puts `a` before `b` in the order `in`. False: it is the other way round.
    static bool put(Relation& in, std::size_t a, std::size_t b) {
        if (a == b || in.contains(b, a)) {
            return false;
        }
        if (!in.contains(a, b)) {
            in.add_closed(a, b);
        }
        return true;
    }
    /// The same in coherence, with what it means for the model's order. (Pairs that follow from others need no fr of their own: theirs follow too.)
    bool put(Known& known, std::size_t a, std::size_t b) const {
        if (!put(known.co, a, b)) {
            return false;
        }
        if (!axioms_.coherence_orders) {
            return true;
        }
        bool good = put(known.before, a, b);
        for (const std::size_t p : readers_[a]) {
            // An update that reads `a` and is `b` itself comes before by program order.
            good = good && put(known.before, p, b);
        }
        return good;
    }

    /// Must `a` come before `b`, both writes of one location?
    [[nodiscard]] bool is_forced(std::size_t a, std::size_t b, const Relation& before) const {
        const Relation& local = relations_.po_loc;
        const Relation& seen =
            axioms_.coherence_orders ? local : before; // reading one's own buffered write orders nothing globally
        bool forced = before.contains(a, b) || local.contains(a, b);
        for (const std::size_t q : readers_[b]) {
            forced = forced || before.contains(a, q) || local.contains(a, q);
        }
        for (const std::size_t p : readers_[a]) {
            forced = forced || seen.contains(p, b);
            for (const std::size_t q : readers_[b]) {
                forced = forced || seen.contains(p, q);
            }
        }
        return forced;
    }

    /// An update stands right behind its source: who is before it is not behind the source, and the other way round.
    bool put_updates(const std::vector<std::size_t>& writes, Known& known) const {
        for (const std::size_t u : writes) {
            if (!x_.events[u].update_read) {
                continue;
            }
            const std::size_t source = *x_.events[*x_.events[u].update_read].source;
            if (!put(known, source, u)) {
                return false;
            }
            for (const std::size_t w : writes) {
                if (w == u || w == source) {
                    continue;
                }
                if ((known.co.contains(w, u) && !put(known, w, source)) || (known.co.contains(source, w) && !put(known, u, w))) {
                    return false;
                }
            }
        }
        return true;
    }

    bool saturate(Known& known) const {
        for (;;) {
            const Relation co_before = known.co;
            const Relation order_before = known.before;
            for (const auto& [location, writes] : x_.coherence) {
                for (const std::size_t a : writes) {
                    for (const std::size_t b : writes) {
                        if (a != b && !known.co.contains(a, b) && is_forced(a, b, known.before) && !put(known, a, b)) {
                            return false;
                        }
                    }
                }
                if (!put_updates(writes, known)) {
                    return false;
                }
            }
            if (known.co == co_before && known.before == order_before) {
                return true;
            }
        }
    }

    bool solve(Known& known) const {
        if (!saturate(known)) {
            return false;
        }
        for (const auto& [location, writes] : x_.coherence) {
            for (std::size_t i = 0; i < writes.size(); ++i) {
                for (std::size_t j = i + 1; j < writes.size(); ++j) {
                    if (known.co.contains(writes[i], writes[j]) || known.co.contains(writes[j], writes[i])) {
                        continue;
                    }
                    Known attempt = known;
                    if (put(attempt, writes[i], writes[j]) && solve(attempt)) {
                        known = std::move(attempt);
                        return true;
                    }
                    return put(known, writes[j], writes[i]) && solve(known);
                }
            }
        }
        // Everything is in order. Only seq_cst is not a matter of what was forced.
        return axioms_.coherence_orders || seq_cst_ < 2 || !axioms_.broken({.events = x_.events, .coherence = ordered(known.co)});
    }

    const Execution& x_;
    const Axioms& axioms_;
    Relations relations_; ///< without co and fr
    std::vector<std::vector<std::size_t>> readers_;
    Known start_;
    bool possible_ = true;
    std::size_t seq_cst_ = 0;
};

} // namespace

std::optional<std::map<Address, std::vector<std::size_t>>> find_coherence(const CoherenceQuestion& question) {
    return CoherenceSearch(question).find();
}

} // namespace heddle
