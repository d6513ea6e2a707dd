// ForcedOrder: what follows from what must come before what.
#include "search/value/forced_order.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle {

// --- what follows --------------------------------------------------------------------------------------------------------------------------

bool ForcedOrder::put_before(Order& order, std::uint32_t a, std::uint32_t b) {
    if (order.before[b].has(a)) {
        return true;
    }
    if (a == b || order.before[a].has(b)) {
        return false;
    }
    Set earlier = order.before[a];
    earlier.insert(a);
    Set later = order.after[b];
    later.insert(b);
    later.remove(order.after[a]); // they have been
    later.all_of([&](std::uint32_t e) {
        order.before[e] |= earlier;
        return true;
    });
    earlier.all_of([&](std::uint32_t e) {
        order.after[e] |= later;
        return true;
    });
    touched_ |= later;
    return true;
}

bool ForcedOrder::order(std::uint32_t a, std::uint32_t b) { return put_before(facts_.order, a, b); }

bool ForcedOrder::look_at_sequence(std::uint32_t e) {
    const Access& access = accesses_[e];
    const Cell& cell = cells_[access.cell];
    Order& sequence = facts_.sequence;
    Set earlier = access.stores ? facts_.order.before[e] : facts_.happens.before[e] & cell.accesses;
    earlier &= seq_cst_;
    earlier.remove(sequence.before[e]);
    if (!earlier.all_of([&](std::uint32_t x) { return put_before(sequence, x, e); })) {
        return false;
    }
    Set others = stores_of(e);
    others.remove(seq_cst_);
    const bool counts = access.stores && others.empty(); // also what only reads
    Set there = sequence.before[e] & (counts ? cell.accesses : cell.stores);
    there.remove(facts_.order.before[e]);
    return there.all_of([&](std::uint32_t x) { return order(x, e); });
}

bool ForcedOrder::happen(std::uint32_t a, std::uint32_t b) {
    Order& known = facts_.happens;
    if (known.before[b].has(a)) {
        return true;
    }
    if (a == b || known.before[a].has(b)) {
        return false;
    }
    Set earlier = known.before[a];
    earlier.insert(a);
    Set later = known.after[b];
    later.insert(b);
    later.remove(known.after[a]);
    earlier.all_of([&](std::uint32_t e) {
        known.after[e] |= later;
        return true;
    });
    return later.all_of([&](std::uint32_t e) {
        Set there = earlier;
        there.remove(known.before[e]);
        there &= cells_[accesses_[e].cell].accesses;
        known.before[e] |= earlier;
        return there.all_of([&](std::uint32_t x) { return order(x, e); });
    });
}

ForcedOrder::Set ForcedOrder::message_of(std::uint32_t store) const {
    Set all = accesses_[store].message;
    for (std::uint32_t s = facts_.source[store]; s < kMost; s = facts_.source[s]) { // a release sequence goes on with an update
        all |= accesses_[s].message;
    }
    return all;
}

ForcedOrder::Set ForcedOrder::closed(const Set& accesses) const {
    Set past = accesses;
    accesses.all_of([&](std::uint32_t e) {
        past |= facts_.happens.before[e];
        return true;
    });
    return past;
}

bool ForcedOrder::learn(std::uint32_t r, std::uint32_t source) {
    const std::uint32_t learner = accesses_[r].learner;
    if (learner == kMost || !considered_.has(learner)) {
        return true;
    }
    Set message = message_of(source);
    message.remove(facts_.happens.before[learner]);
    return message.all_of_backwards([&](std::uint32_t e) { return happen(e, learner); });
}

bool ForcedOrder::learn_what_all_tell(std::uint32_t r, const Set& sources) {
    const std::uint32_t learner = accesses_[r].learner;
    if (learner == kMost || !considered_.has(learner)) {
        return true;
    }
    Set all = considered_;
    sources.all_of([&](std::uint32_t s) {
        all &= closed(message_of(s));
        return !all.empty();
    });
    all.remove(facts_.happens.before[learner]);
    return all.all_of_backwards([&](std::uint32_t e) { return happen(e, learner); });
}

bool ForcedOrder::have_read_initial(std::uint32_t r) {
    Set stores = stores_of(r);
    stores.remove(facts_.order.after[r]);
    return stores.all_of([&](std::uint32_t w) { return w == r || order(r, w); });
}

bool ForcedOrder::have_read(std::uint32_t r, std::uint32_t source) {
    if (!accesses_[r].buffered.has(source) && !order(source, r)) {
        return false;
    }
    Set stores = stores_of(r);
    stores.erase(r);
    stores.erase(source);
    Set seen = facts_.order.before[r];
    seen |= accesses_[r].buffered;
    seen &= stores;
    seen.remove(facts_.order.before[source]);
    if (!seen.all_of([&](std::uint32_t w) { return order(w, source); })) {
        return false;
    }
    stores &= facts_.order.after[source];
    stores.remove(facts_.order.after[r]);
    if (!stores.all_of([&](std::uint32_t w) { return order(r, w); })) {
        return false;
    }
    if (is_machine_) {
        facts_.source[r] = source;
        return true;
    }
    if (facts_.source[r] == kMost) {
        facts_.source[r] = source;
        chains_ = chains_ || accesses_[r].stores;
        touched_.insert(r); // who has read an update learns what that has read, too
        if (accesses_[r].stores) {
            facts_.taken.insert(source);
        }
    }
    return learn(r, source);
}

bool ForcedOrder::come_after_all(std::uint32_t r, const Set& sources) {
    if (sources.meets(accesses_[r].buffered)) {
        return true;
    }
    Set all = considered_;
    sources.all_of([&](std::uint32_t s) {
        Set past = facts_.order.before[s];
        past.insert(s);
        all &= past;
        return true;
    });
    all.remove(facts_.order.before[r]);
    return all.all_of([&](std::uint32_t e) { return order(e, r); }) && (is_machine_ || learn_what_all_tell(r, sources));
}

/// Had it read this, something would happen before what comes before it at its location. (So the data that a lock protects tell who had the lock before whom.)
bool ForcedOrder::tells_too_much(std::uint32_t r, std::uint32_t source) const {
    const std::uint32_t learner = accesses_[r].learner;
    if (learner == kMost || !considered_.has(learner)) {
        return false;
    }
    Set told = closed(message_of(source));
    told.remove(facts_.happens.before[learner]);
    Set later = facts_.happens.after[learner];
    later.insert(learner);
    return told.meets(later) || !told.all_of([&](std::uint32_t e) { return !later.meets(facts_.order.before[e]); });
}

ForcedOrder::Sources ForcedOrder::sources_of(std::uint32_t r) const {
    const Access& read = accesses_[r];
    const Cell& cell = cells_[read.cell];
    Set seen = facts_.order.before[r];
    seen |= read.buffered;
    seen &= stores_of(r);
    seen.erase(r);
    Set possible = stores_of_value(r, read.read);
    possible.erase(r);
    Set later = facts_.order.after[r];
    later.remove(read.buffered); // what it finds in its own buffer may reach memory after the read
    possible.remove(later);
    if (!is_machine_ && read.stores) {
        possible.remove(facts_.taken); // by another update
    }
    Sources sources{.stores = {}, .initial = cell.initial == read.read && seen.empty()};
    possible.all_of([&](std::uint32_t s) {
        if (!seen.meets(facts_.order.after[s])) { // or it is overwritten
            sources.add(s);
        }
        return true;
    });
    if (read.learner != kMost && sources.are_several()) {
        sources.count = 0;
        std::exchange(sources.stores, {}).all_of([&](std::uint32_t s) {
            if (!tells_too_much(r, s)) {
                sources.add(s);
            }
            return true;
        });
    }
    return sources;
}

bool ForcedOrder::look_at_read(std::uint32_t r) {
    if (facts_.source[r] != kMost) {
        return facts_.source[r] == kInitial ? !stores_of(r).meets(facts_.order.before[r]) && have_read_initial(r)
                                            : have_read(r, facts_.source[r]);
    }
    const Sources sources = sources_of(r);
    if (!is_machine_) {
        if (sources.are_several() && accesses_[r].learner != kMost) {
            facts_.unsure.insert(r);
        } else {
            facts_.unsure.erase(r);
        }
    }
    if (sources.count == 0) {
        return sources.initial && have_read_initial(r);
    }
    if (sources.initial) {
        return true;
    }
    return sources.count == 1 ? have_read(r, sources.last) : come_after_all(r, sources.stores);
}

bool ForcedOrder::look_at_update(std::uint32_t u) {
    const std::uint32_t v = accesses_[u].read;
    Set takers;
    Set both; // and who gives it
    std::uint32_t taken = 0;
    std::uint32_t given = cells_[accesses_[u].cell].initial == v ? 1 : 0;
    stores_of(u).all_of([&](std::uint32_t s) {
        const Access& a = accesses_[s];
        if (a.replaces() && a.read == v) {
            takers.insert(s);
            both.insert(s);
            ++taken;
        } else if (a.written == v && !(a.reads && a.read == v)) {
            both.insert(s);
            ++given;
        }
        return true;
    });
    if (taken != given) {
        return taken < given;
    }
    std::uint32_t last = kMost;
    std::uint32_t candidates = 0;
    takers.all_of([&](std::uint32_t y) {
        if (!both.meets(facts_.order.after[y])) {
            last = y;
            ++candidates;
        }
        return candidates < 2;
    });
    if (candidates != 1) {
        return candidates > 0;
    }
    both.remove(facts_.order.before[last]);
    return both.all_of([&](std::uint32_t s) { return s == last || order(s, last); });
}

/// Would look_at_read find nothing new of a read, if at its location only the store and what comes before that has changed? `chains`: and what updates have certainly read.
bool ForcedOrder::is_settled(std::uint32_t r, std::uint32_t store, bool chains) const {
    const std::uint32_t source = facts_.source[r];
    if (source >= kMost || r == store || (chains && accesses_[source].reads)) {
        return false;
    }
    const Set& before = facts_.order.before[store]; // what comes before the read itself has not changed, or it was looked at
    return !before.has(source) || before.has(r);
}

/// That something is missing would not show otherwise: fewer histories would be known to be contradictions, and decide would say yes where there is no execution, both of which other
/// shortcuts mostly hide. (Seq_cst accesses are not looked at again: what they tell is not all found, since they are asked only when something at them has changed. Where there are two, decide is not asked.)
bool ForcedOrder::is_closed() {
    const bool possible = considered_.all_of([&](std::uint32_t e) {
        const Access& a = accesses_[e];
        return (!a.reads || look_at_read(e)) && (!a.replaces() || look_at_update(e));
    });
    return possible && touched_.empty();
}

bool ForcedOrder::saturate() {
    for (;;) {
        if (touched_.empty()) { // nothing near them has changed, but what they would tell may be too much now
            const Set unsure = facts_.unsure & considered_;
            if (!unsure.all_of([&](std::uint32_t r) { return look_at_read(r); })) {
                return false;
            }
            if (touched_.empty()) {
                HEDDLE_CHECK(!checks_ || is_closed(), "what is forced was not all found");
                return true;
            }
        }
        Set reads;   // of which something may follow
        Set updates; // the same
        const Set touched = std::exchange(touched_, {});
        const bool chains = std::exchange(chains_, false);
        const Set sequenced = touched & seq_cst_;
        touched.all_of([&](std::uint32_t e) {
            const Access& a = accesses_[e];
            if (a.reads) {
                reads.insert(e);
            }
            if (a.stores) {
                Set there = cells_[a.cell].reads;
                updates |= there;
                there.remove(reads);
                there.all_of([&](std::uint32_t r) {
                    if (!is_settled(r, e, chains)) {
                        reads.insert(r);
                    }
                    return true;
                });
            }
            return true;
        });
        updates |= reads;
        updates &= considered_;
        const auto look = [&](std::uint32_t e) {
            return (!reads.has(e) || look_at_read(e)) && (!accesses_[e].replaces() || look_at_update(e));
        };
        // In the order in which they were added: a read mostly says something about what was added after it.
        if (!updates.all_of(look) || !sequenced.all_of([&](std::uint32_t e) { return look_at_sequence(e); })) {
            return false;
        }
    }
}

} // namespace heddle
