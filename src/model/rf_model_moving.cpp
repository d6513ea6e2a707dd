// RfModel: coherences that are had from others by moving writes to the end of their location (rc11 without seq_cst fences; Ways::move_writes).
//
// Let S be writes of one location that must stay together: whatever happens-before forces to come after one of them is one of them, and so is what one of them updates, and its update. Of a coherence with which
// the execution is consistent move S to the end, as it is in itself. Happens-before and updates: what is new is that S comes after others, and nothing forces it not to. psc: the new edges lead to
// seq_cst writes of S, from accesses of others. So a new cycle goes through S, and must leave it: not by coherence, which leads from S, and from reads of S, to S only. If no seq_cst event that is not of S has a
// seq_cst one of S in its happens-before, it cannot leave: then that works with any coherence, and none need be known. Otherwise (Moved::leaves) the coherence that is kept is taken and psc looked at (PscOrder).
//
// Late in an execution few things come after the writes that are there, in happens-before. So three questions are mostly answered, for which PscCoherence puts the whole execution together: may a read that nothing
// comes after read a write w? (If happens-before allows it what it puts before w is not in the S of w, or comes before w in it; and no edge of psc leads from the read but to S.) May a last read that is not there yet? May w be
// the latest of a part? All answers are yes; of the rest PscCoherence is asked. (In mixed_seq_cst(3) -DONE that had said no to 120 of 2,116 such questions, and is asked 321 now.)
#include "model/rf_model.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace heddle {

bool RfModel::add_later(EventId write, EventTest included, EventId newest, Moved& moved) const {
    const GraphEvent& w = graph_[write];
    const HappensBefore& hb = *model_->happens_before();
    const auto knows_a_read = [&](ConstClock row) {
        bool knows = false;
        for (EventId r = w.first_reader; r != kNoEvent && !knows; r = graph_[r].next_reader) {
            knows = r != newest && graph_[r].is_read() && hb.contains(row, r) && included(r);
        }
        return knows;
    };
    // An access of the location: a write, or the read of an update, moves with what it reads.
    const auto moves = [&](EventId id) {
        const EventId w_of = graph_[id].is_read() ? graph_.write_of_update(id) : id;
        return w_of != kNoEvent && included(w_of);
    };
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        const auto thread = graph_.thread(ThreadId(t));
        for (std::size_t k = thread.size(); k-- > 0;) {
            const EventId id = thread[k];
            if (id == newest || !included(id)) {
                continue;
            }
            const ConstClock row = hb.row(id);
            const bool knows = hb.contains(row, write);
            if (!knows && !knows_a_read(row)) {
                break; // nor does what comes before it in its thread
            }
            const GraphEvent& e = graph_[id];
            const bool is_here = e.is_access() && e.location == w.location;
            if (is_here) {
                const std::uint32_t rank = e.is_read() ? graph_[e.source].rank : e.rank;
                if (rank == 0 || rank >= 64) {
                    return false;
                }
                moved.writes |= std::uint64_t{1} << rank;
            }
            moved.leaves = moved.leaves || (knows && w.is_seq_cst() && e.is_seq_cst() && !(is_here && moves(id)));
        }
    }
    return true;
}

RfModel::Moved RfModel::moved_last(EventId write, EventTest included, EventId newest) const {
    const GraphEvent& w = graph_[write];
    if (!psc_ || !moves_writes_ || seq_cst_fences_ > 0 || w.rank == 0 || w.rank >= 64 || tracks_coherence(w.location)) {
        return {};
    }
    const auto& co = graph_.location(w.location).coherence;
    Moved moved{.writes = std::uint64_t{1} << w.rank};
    for (std::uint64_t done = 0; moved.writes != done;) {
        const auto rank = static_cast<std::size_t>(std::countr_zero(moved.writes & ~done));
        done |= std::uint64_t{1} << rank;
        if (const EventId read = graph_[co[rank]].update_read; read != kNoEvent) {
            const std::uint32_t updated = graph_[graph_[read].source].rank;
            if (updated == 0 || updated >= 64) {
                return {};
            }
            moved.writes |= std::uint64_t{1} << updated;
        }
        if (!add_later(co[rank], included, newest, moved)) {
            return {};
        }
    }
    return moved;
}

bool RfModel::moving_keeps_psc(const Moved& moved, LocationId location, EventTest included) {
    if (!moved.leaves) {
        return true;
    }
    order_->begin(included);
    for (std::uint32_t l = 0; l < seq_cst_writes_at_.size(); ++l) {
        if (seq_cst_writes_at_[l] == 0) {
            continue;
        }
        const auto& in_graph = graph_.location(LocationId(l)).coherence;
        order_->begin_location(in_graph.front(), included);
        const auto co = witness_ ? witness_->coherence(LocationId(l)) : std::span(in_graph);
        const auto moves = [&](EventId w) { return l == location.index && (moved.writes >> graph_[w].rank & 1) != 0; };
        for (const bool last : {false, true}) {
            for (const EventId w : co) {
                if (graph_[w].kind == EventKind::Write && graph_[w].present && included(w) && moves(w) == last) {
                    order_->add(w, included);
                }
            }
            if (l != location.index) {
                break;
            }
        }
    }
    return order_->is_acyclic();
}

bool RfModel::can_move_last(EventId write, EventTest included) {
    const Moved moved = moved_last(write, included);
    const auto& co = graph_.location(graph_[write].location).coherence;
    for (std::uint64_t rest = moved.writes; rest != 0; rest &= rest - 1) {
        if (!model_->happens_before()->at_or_before(co[static_cast<std::size_t>(std::countr_zero(rest))], write)) {
            return false;
        }
    }
    const bool has_order = !moved.leaves || (tries_the_graph_ && has_witness());
    return moved.writes != 0 && has_order && moving_keeps_psc(moved, graph_[write].location, included);
}

bool RfModel::knows_a_write(ConstClock known, EventId w) const {
    bool is = contains(known, w);
    for (EventId r = graph_[w].first_reader; r != kNoEvent && !is; r = graph_[r].next_reader) {
        is = graph_[r].is_read() && contains(known, r);
    }
    return is;
}

bool RfModel::moving_says(EventId read) {
    const GraphEvent& e = graph_[read];
    // It is the first that does not fit.
    const bool is_first = levels_.back().lost == 1 && facts_[read.index].loses && strays_at(e.location) == 0;
    if (!e.is_read() || !tries_the_graph_ || !uses_blocks_ || !is_first) {
        return false;
    }
    const auto all = [](EventId) { return true; };
    const Moved moved = moved_last(e.source, all, read);
    if (moved.writes == 0 || !moving_keeps_psc(moved, e.location, all)) {
        return false;
    }
    if (keeps_witness_) {
        Rc11Witness& next = next_rc11_witness();
        next.start(witness_, e.location, moved.writes);
        const Level& level = levels_.back();
        const std::size_t strays = level.strays;
        std::vector<std::uint32_t> strays_at = strays > 0 ? level.strays_at : std::vector<std::uint32_t>();
        push_level(read, next);
        levels_.back().strays = strays;
        levels_.back().strays_at = std::move(strays_at);
    }
    return true;
}

/// A source is certain if the read puts nothing before it that does not come before it anyway, if the coherence that is kept has all that is known before it, or if it can be moved to the end.
void RfModel::restrict_by_psc(LocationId location, ConstClock known, std::vector<std::uint8_t>& readable) {
    const auto& in_graph = graph_.location(location).coherence;
    known_writes_.clear();
    std::copy_if(in_graph.begin() + 1, in_graph.end(), std::back_inserter(known_writes_),
                 [&](EventId w) { return knows_a_write(known, w); });
    if (known_writes_.empty()) {
        return;
    }
    const bool has_order = tries_the_graph_ && has_witness() && strays_at(location) == 0;
    if (has_order) {
        const std::span<const EventId> co = witness_ ? witness_->coherence(location) : std::span(in_graph);
        for (std::size_t k = co.size(); k-- > 0;) {
            if (!graph_[co[k]].present) {
                continue;
            }
            std::uint8_t& may = readable[graph_[co[k]].rank];
            may = may == 1 ? 2 : may;
            if (std::ranges::find(known_writes_, co[k]) != known_writes_.end()) {
                break;
            }
        }
    }
    const auto all = [](EventId) { return true; };
    const HappensBefore& hb = *model_->happens_before();
    const auto puts_nothing = [&](EventId source) {
        return std::ranges::all_of(known_writes_, [&](EventId w) { return hb.at_or_before(w, source); });
    };
    const auto can_move = [&](EventId source) {
        const Moved moved = moved_last(source, all);
        return moved.writes != 0 && (!moved.leaves || has_order) && moving_keeps_psc(moved, location, all);
    };
    bool is_open = false;
    for (std::size_t k = 0; k < in_graph.size(); ++k) {
        readable[k] = readable[k] == 1 && (puts_nothing(in_graph[k]) || can_move(in_graph[k])) ? 2 : readable[k];
        is_open = is_open || readable[k] == 1;
    }
    if (is_open) {
        psc_->restrict(location, known, readable);
    }
}

} // namespace heddle
