#include "model/coherence_search.hpp"

#include <algorithm>

namespace heddle {
namespace {

class CoherenceSearch {
  public:
    explicit CoherenceSearch(const CoherenceQuestion& q)
        : x_(q.x), axioms_(q.axioms), relations_(without_coherence(q.x)), base_(axioms_.order(x_, relations_)),
          readers_(x_.events.size()), given_(x_.events.size()) {
        if (q.also) {
            base_.add(q.also->first, q.also->second);
        }
        for (std::size_t e = 0; e < x_.events.size(); ++e) {
            if (x_.events[e].source) {
                readers_[*x_.events[e].source].push_back(e);
            }
            const bool sc = x_.events[e].order == Order::SeqCst;
            seq_cst_ += sc ? 1 : 0;
        }
        for (const auto& [location, writes] : x_.coherence) {
            for (std::size_t i = 1; i < writes.size(); ++i) {
                given_.add(writes.front(), writes[i]);
                for (std::size_t j = i + 1; j < writes.size() && q.is_given(location); ++j) {
                    given_.add(writes[i], writes[j]);
                }
            }
        }
    }

    std::optional<std::map<Address, std::vector<std::size_t>>> find() {
        Relation co = given_;
        if (!solve(co)) {
            return std::nullopt;
        }
        return ordered(co);
    }

  private:
    static Execution without_coherence(const Execution& x) { return {.events = x.events, .coherence = {}}; }

    [[nodiscard]] std::map<Address, std::vector<std::size_t>> ordered(const Relation& co) const {
        auto coherence = x_.coherence;
        for (auto& [location, writes] : coherence) {
            std::ranges::sort(writes, [&](std::size_t a, std::size_t b) { return co.contains(a, b); });
        }
        return coherence;
    }

    /// Adds to `next` what follows for two writes of one location.
    void force(std::size_t a, std::size_t b, const Relation& before, Relation& next) const {
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
        if (forced) {
            next.add(a, b);
        }
    }

    /// An update stands right behind its source: who is before it is not behind the source, and the other way round.
    void force_updates(const std::vector<std::size_t>& writes, Relation& next) const {
        for (const std::size_t u : writes) {
            if (!x_.events[u].update_read) {
                continue;
            }
            const std::size_t source = *x_.events[*x_.events[u].update_read].source;
            next.add(source, u);
            for (const std::size_t w : writes) {
                if (w == u || w == source) {
                    continue;
                }
                if (next.contains(w, u)) {
                    next.add(w, source);
                }
                if (next.contains(source, w)) {
                    next.add(u, w);
                }
            }
        }
    }

    bool saturate(Relation& co) const {
        for (;;) {
            Relation next = co.closure();
            if (!next.irreflexive()) {
                return false;
            }
            Relation before = base_;
            if (axioms_.coherence_orders) {
                before = (base_ | next | relations_.rf.inverse().then(next)).closure();
                if (!before.irreflexive()) {
                    return false;
                }
            }
            for (const auto& [location, writes] : x_.coherence) {
                for (const std::size_t a : writes) {
                    for (const std::size_t b : writes) {
                        if (a != b && !next.contains(a, b)) {
                            force(a, b, before, next);
                        }
                    }
                }
                force_updates(writes, next);
            }
            if (next == co) {
                return true;
            }
            co = std::move(next);
        }
    }

    bool solve(Relation& co) const {
        if (!saturate(co)) {
            return false;
        }
        for (const auto& [location, writes] : x_.coherence) {
            for (std::size_t i = 0; i < writes.size(); ++i) {
                for (std::size_t j = i + 1; j < writes.size(); ++j) {
                    if (co.contains(writes[i], writes[j]) || co.contains(writes[j], writes[i])) {
                        continue;
                    }
                    Relation attempt = co;
                    attempt.add(writes[i], writes[j]);
                    if (solve(attempt)) {
                        co = std::move(attempt);
                        return true;
                    }
                    co.add(writes[j], writes[i]);
                    return solve(co);
                }
            }
        }
        // Everything is in order. Only seq_cst is not a matter of what was forced.
        return axioms_.coherence_orders || seq_cst_ < 2 || !axioms_.broken({.events = x_.events, .coherence = ordered(co)});
    }

    const Execution& x_;
    const Axioms& axioms_;
    Relations relations_; ///< without co and fr
    Relation base_;
    std::vector<std::vector<std::size_t>> readers_;
    Relation given_;
    std::size_t seq_cst_ = 0;
};

} // namespace

std::optional<std::map<Address, std::vector<std::size_t>>> find_coherence(const CoherenceQuestion& question) {
    return CoherenceSearch(question).find();
}

} // namespace heddle
