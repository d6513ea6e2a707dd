#include "model/psc_coherence.hpp"

#include "model/saturated_order.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <bit>

namespace heddle {

// --- what there is ---------------------------------------------------------------------------------------------------------------------------

void PscCoherence::list_fences(Write& w, EventTest included) {
    const auto begin = [&] { return static_cast<std::uint32_t>(numbers_.size()); };
    scratch_.assign(hb_.row(w.event).size(), 0);
    const bool initial = graph_[w.event].kind == EventKind::Init;
    if (!initial) {
        join(scratch_, hb_.row(w.event));
    }
    graph_.for_each_reader(w.event, [&](EventId r) {
        if (graph_[r].is_read() && included(r)) {
            join(scratch_, hb_.row(r));
        }
    });
    w.fences.begin = begin();
    for (std::size_t t = 0; t < events_.threads(); ++t) {
        const std::uint32_t fence = events_.last_fence(t, scratch_[t]);
        if (fence != SeqCstEvents::kNone) {
            numbers_.push_back(fence);
        }
    }
    w.fences.end = begin();
    const auto list_after = [&](auto&& comes_after) {
        for (std::size_t t = 0; t < events_.threads() && !initial; ++t) {
            for (std::uint32_t n = events_.first(t); n < events_.first(t + 1); ++n) {
                if (events_.is_fence(n) && comes_after(events_[n])) {
                    numbers_.push_back(n);
                    break;
                }
            }
        }
    };
    w.targets.begin = begin();
    if (graph_[w.event].is_seq_cst()) {
        numbers_.push_back(events_.number(w.event));
    }
    list_after([&](EventId fence) { return hb_.at_or_before(w.event, fence); });
    w.targets.end = w.after_reads.begin = begin();
    list_after([&](EventId fence) {
        bool is_after = false;
        graph_.for_each_reader(w.event, [&](EventId r) {
            is_after = is_after || (graph_[r].is_read() && included(r) && hb_.at_or_before(r, fence));
        });
        return is_after;
    });
    w.after_reads.end = begin();
}

void PscCoherence::list_effects(Write& w, EventTest included) {
    const auto begin = [&] { return static_cast<std::uint32_t>(numbers_.size()); };
    w.accesses.begin = begin();
    if (graph_[w.event].is_seq_cst()) {
        numbers_.push_back(events_.number(w.event));
    }
    graph_.for_each_reader(w.event, [&](EventId r) {
        if (graph_[r].is_read() && graph_[r].is_seq_cst() && included(r)) {
            numbers_.push_back(events_.number(r));
        }
    });
    w.accesses.end = begin();
    if (events_.has_fences()) {
        list_fences(w, included);
    } else if (graph_[w.event].is_seq_cst()) {
        w.targets = {.begin = w.accesses.begin, .end = w.accesses.begin + 1};
    }
}

void PscCoherence::list_writes(Here& here, EventTest included) {
    here.first = static_cast<std::uint32_t>(writes_.size());
    const auto& co = graph_.location(here.location).coherence;
    bool any_seq_cst = false;
    for (std::size_t k = 0; k < co.size(); ++k) {
        if (k == 0 || included(co[k])) {
            writes_.push_back({.event = co[k]});
            any_seq_cst = any_seq_cst || graph_[co[k]].is_seq_cst();
        }
    }
    here.count = static_cast<std::uint32_t>(writes_.size()) - here.first;
    here.words = (here.count + 63) / 64;
    const std::span<Write> writes = std::span(writes_).subspan(here.first);
    for (std::uint32_t b = 1; b < here.count; ++b) {
        const EventId read = graph_[writes[b].event].update_read;
        for (std::uint32_t a = 0; a < here.count && read != kNoEvent; ++a) {
            if (writes[a].event == graph_[read].source) {
                writes[b].updated = a;
                writes[a].taker = b;
            }
        }
    }
    if (!any_seq_cst && !events_.has_fences()) {
        return; // no edge of psc has anything to do with it
    }
    for (Write& w : writes) {
        list_effects(w, included);
        here.orders = here.orders || !w.targets.empty() || !w.after_reads.empty();
    }
}

void PscCoherence::list_locations(EventTest included) {
    locations_.clear();
    writes_.clear();
    numbers_.clear();
    std::uint32_t bits = 0;
    for (std::uint32_t l = 0; l < graph_.locations(); ++l) {
        if (graph_.location(LocationId(l)).coherence.size() == 1) {
            continue;
        }
        Here& here = locations_.emplace_back();
        here.location = LocationId(l);
        list_writes(here, included);
        here.bits = bits;
        bits += here.count * here.words;
    }
    state_.co.assign(bits, 0);
}

// --- what is known ---------------------------------------------------------------------------------------------------------------------------

bool PscCoherence::put(std::uint32_t where, std::uint32_t a, std::uint32_t b) {
    const Here& here = locations_[where];
    if (is_before(here, a, b)) {
        return true;
    }
    if (a == b || is_before(here, b, a)) {
        return false;
    }
    for (std::uint32_t later = 1; later < here.count; ++later) {
        if (later != b && !is_before(here, b, later)) {
            continue;
        }
        for (std::uint32_t k = 0; k < here.words; ++k) {
            const std::uint64_t earlier = row(here, a)[k] | (k == a / 64 ? std::uint64_t{1} << (a % 64) : 0);
            std::uint64_t more = earlier & ~row(here, later)[k];
            row(here, later)[k] |= more;
            for (; more != 0; more &= more - 1) {
                news_.push_back({where, k * 64 + static_cast<std::uint32_t>(std::countr_zero(more)), later});
            }
        }
    }
    return true;
}

/// An update stands right behind what it updates: what is before it is not behind that, and the other way round.
bool PscCoherence::put_updates(const Pair& p) {
    const Here& here = locations_[p.where];
    const std::uint32_t updated = write(here, p.b).updated;
    const std::uint32_t taker = write(here, p.a).taker;
    return (updated == kNone || updated == p.a || put(p.where, p.a, updated)) &&
           (taker == kNone || taker == p.b || put(p.where, taker, p.b));
}

ConstClock PscCoherence::joined(Range of, bool more) {
    if (!more) {
        scratch_.assign(width_, 0);
    }
    for (std::uint32_t k = of.begin; k < of.end; ++k) {
        join(scratch_, row(numbers_[k]));
    }
    return scratch_;
}

bool PscCoherence::put_before(ConstClock earlier, std::uint32_t target) {
    if (is_in(earlier, target)) {
        return false;
    }
    const Clock own = row(target);
    if (std::equal(own.begin(), own.end(), earlier.begin(), [](std::uint32_t has, std::uint32_t more) { return has >= more; })) {
        return true;
    }
    // In each thread those that come after it are the last.
    for (std::size_t t = 0; t < events_.threads(); ++t) {
        for (std::uint32_t n = events_.first(t + 1); n-- > events_.first(t) && is_in(row(n), target);) {
            join(row(n), earlier);
        }
    }
    return true;
}

bool PscCoherence::put_into_psc(const Pair& p) {
    const Here& here = locations_[p.where];
    const Write& a = write(here, p.a);
    const Write& b = write(here, p.b);
    const auto put_all = [&](ConstClock earlier, Range targets) {
        return std::all_of(numbers_.begin() + targets.begin, numbers_.begin() + targets.end,
                           [&](std::uint32_t t) { return put_before(earlier, t); });
    };
    if (!a.fences.empty() && !b.after_reads.empty() && !put_all(joined(a.fences), b.after_reads)) {
        return false;
    }
    if (b.targets.empty() || (a.accesses.empty() && a.fences.empty())) {
        return true;
    }
    joined(a.accesses);
    return put_all(joined(a.fences, true), b.targets);
}

bool PscCoherence::is_forbidden(const Here& here, std::uint32_t a, std::uint32_t b) {
    const Write& earlier = write(here, a);
    const Write& later = write(here, b);
    const auto any_in = [&](ConstClock clock, Range targets) {
        return std::any_of(numbers_.begin() + targets.begin, numbers_.begin() + targets.end,
                           [&](std::uint32_t t) { return is_in(clock, t); });
    };
    if (!earlier.fences.empty() && !later.after_reads.empty() && any_in(joined(earlier.fences), later.after_reads)) {
        return true;
    }
    if (later.targets.empty() || (earlier.accesses.empty() && earlier.fences.empty())) {
        return false;
    }
    joined(earlier.accesses);
    return any_in(joined(earlier.fences, true), later.targets);
}

bool PscCoherence::settle() {
    for (std::size_t k = 0; k < news_.size(); ++k) {
        const Pair p = news_[k];
        if (!put_updates(p) || (locations_[p.where].orders && !put_into_psc(p))) {
            return false;
        }
    }
    news_.clear();
    return true;
}

bool PscCoherence::force_by_happens_before(std::uint32_t where, EventTest included) {
    const Here& here = locations_[where];
    const std::size_t width = hb_.row(write(here, 1).event).size();
    known_.assign(here.count * width, 0);
    const auto for_each_at = [&](std::uint32_t number, auto&& visit) {
        const EventId w = write(here, number).event;
        if (number > 0) {
            visit(w);
        }
        graph_.for_each_reader(w, [&](EventId r) {
            if (graph_[r].is_read() && included(r)) {
                visit(r);
            }
        });
    };
    for (std::uint32_t b = 0; b < here.count; ++b) {
        const Clock known(known_.data() + b * width, width);
        for_each_at(b, [&](EventId e) { join(known, hb_.row(e)); });
    }
    for (std::uint32_t a = 1; a < here.count; ++a) {
        for (std::uint32_t b = 0; b < here.count; ++b) {
            const ConstClock known(known_.data() + b * width, width);
            bool forced = false;
            for_each_at(a, [&](EventId e) { forced = forced || (a != b && hb_.contains(known, e)); });
            if (forced && !put(where, a, b)) {
                return false;
            }
        }
    }
    return true;
}

bool PscCoherence::force(std::uint32_t where, EventTest included, EventId latest) {
    const Here& here = locations_[where];
    for (std::uint32_t b = 1; b < here.count; ++b) {
        row(here, b)[0] |= 1;
        news_.push_back({where, 0, b});
        if (b > 1 && is_given_(here.location) && !put(where, b - 1, b)) {
            return false;
        }
    }
    const bool has_latest = latest != kNoEvent && graph_[latest].location == here.location;
    for (std::uint32_t last = 0; last < here.count && has_latest; ++last) {
        for (std::uint32_t a = 0; a < here.count && write(here, last).event == latest; ++a) {
            if (a != last && !put(where, a, last)) {
                return false;
            }
        }
    }
    return here.count == 1 || (force_by_happens_before(where, included) && settle());
}

// --- what follows, and what is open ----------------------------------------------------------------------------------------------------------

bool PscCoherence::saturate() {
    for (bool changed = true; changed;) {
        changed = false;
        if (!settle()) {
            return false;
        }
        for (std::uint32_t l = 0; l < locations_.size(); ++l) {
            const Here& here = locations_[l];
            for (std::uint32_t b = 2; b < here.count && here.orders; ++b) {
                for (std::uint32_t a = 1; a < b; ++a) {
                    if (is_before(here, a, b) || is_before(here, b, a)) {
                        continue;
                    }
                    const bool not_first = is_forbidden(here, a, b);
                    if (!not_first && !is_forbidden(here, b, a)) {
                        continue;
                    }
                    changed = true;
                    if (!(not_first ? put(l, b, a) : put(l, a, b)) || !settle()) {
                        return false;
                    }
                }
            }
        }
    }
    return true;
}

std::optional<PscCoherence::Pair> PscCoherence::open_pair(bool orders) const {
    for (std::uint32_t l = 0; l < locations_.size(); ++l) {
        const Here& here = locations_[l];
        for (std::uint32_t b = 2; b < here.count && here.orders == orders; ++b) {
            for (std::uint32_t a = 1; a < b; ++a) {
                if (!is_before(here, a, b) && !is_before(here, b, a)) {
                    const bool swapped = places_[write(here, b).event] < places_[write(here, a).event];
                    return swapped ? Pair{l, b, a} : Pair{l, a, b};
                }
            }
        }
    }
    return std::nullopt;
}

bool PscCoherence::decide(std::size_t depth) {
    if (!saturate()) {
        return false;
    }
    const auto open = open_pair(true);
    if (!open) {
        return true;
    }
    if (saved_.size() <= depth) {
        saved_.resize(depth + 1);
    }
    saved_[depth] = state_;
    if (put(open->where, open->a, open->b) && decide(depth + 1)) {
        return true;
    }
    news_.clear();
    state_ = saved_[depth];
    return put(open->where, open->b, open->a) && decide(depth + 1);
}

/// Where psc has no part in it, any order will do that respects what is forced (forced_coherence.hpp).
bool PscCoherence::order_the_rest(EventTest included, EventId latest) {
    for (std::uint32_t l = 0; l < locations_.size(); ++l) {
        if (!locations_[l].orders && !force(l, included, latest)) {
            return false;
        }
    }
    while (const auto open = open_pair(false)) {
        if (!put(open->where, open->a, open->b) || !settle()) {
            return false;
        }
    }
    return true;
}

bool PscCoherence::begin(EventTest included, EventId latest) {
    events_.list(included);
    width_ = events_.width();
    list_locations(included);
    news_.clear();
    state_.psc.resize(events_.size() * width_);
    for (std::uint32_t n = 0; n < events_.size(); ++n) {
        copy(row(n), events_.row(n));
    }
    for (std::uint32_t l = 0; l < locations_.size(); ++l) {
        if (locations_[l].orders && !force(l, included, latest)) {
            return false;
        }
    }
    return true;
}

bool PscCoherence::exists(EventTest included, EventId latest) {
    return begin(included, latest) && decide(0) && order_the_rest(included, latest);
}

/// The read is no event of psc, and nothing comes after it. So all that it does is to put the writes that are known, by themselves or by a read of them, before the one that it reads.
void PscCoherence::restrict(LocationId location, ConstClock known, std::vector<std::uint8_t>& readable) {
    const bool consistent = begin([](EventId) { return true; }, kNoEvent) && saturate();
    HEDDLE_CHECK(consistent, "a question about an inconsistent execution");
    const auto here = std::ranges::find(locations_, location, &Here::location);
    if (here == locations_.end()) {
        return; // only Init
    }
    const auto where = static_cast<std::uint32_t>(here - locations_.begin());
    is_known_.clear();
    for (std::uint32_t a = 0; a < here->count; ++a) {
        const EventId w = write(*here, a).event;
        bool is = hb_.contains(known, w);
        graph_.for_each_reader(w, [&](EventId r) { is = is || (graph_[r].is_read() && hb_.contains(known, r)); });
        is_known_.push_back(is ? 1 : 0);
    }
    const auto may_be_read = [&](std::uint32_t source) {
        bool changes = false;
        for (std::uint32_t a = 1; a < here->count; ++a) {
            if (a == source || is_known_[a] == 0 || is_before(*here, a, source)) {
                continue;
            }
            if (!put(where, a, source)) {
                return false;
            }
            changes = true;
        }
        return !changes || decide(0); // without it there is a coherence
    };
    begun_ = state_;
    for (std::uint32_t n = 0; n < here->count; ++n) {
        std::uint8_t& may = readable[graph_[write(*here, n).event].rank];
        if (may == 1) {
            may = may_be_read(n) ? 1 : 0;
            news_.clear();
            state_ = begun_;
        }
    }
}

void PscCoherence::remember() {
    for_each_location([&](LocationId, std::span<const EventId> co) {
        for (std::size_t k = 1; k < co.size() && co.size() > 2; ++k) {
            places_.set(co[k], k);
        }
    });
}

void PscCoherence::order_writes(const Here& here) {
    ordered_.resize(here.count);
    for (std::uint32_t n = 0; n < here.count; ++n) {
        std::size_t earlier = 0;
        for (std::uint32_t k = 0; k < here.words; ++k) {
            earlier += static_cast<std::size_t>(std::popcount(row(here, n)[k]));
        }
        ordered_[earlier] = write(here, n).event;
    }
}

} // namespace heddle
