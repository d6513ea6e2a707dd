// ValueExplorer: is it worth postponing a read?
//
// A postponed read goes on only with a value that a later write makes realizable. Let w be that write, of value v to location y. Then in the run that shows
// it somebody reads from w (without w it would be a run too): the postponed read itself, so y is its location; or a read of v at y that was there
// before w, and which then had another write to read from. So it is not worth it unless
//   1. some thread that is not postponed can still come to a write by reading what is there, or a postponed one was just given something new;
//   2. some other thread may still write to the read's location, or a value that somebody reads elsewhere and that has another source too.
// Also not when no other thread ever writes to its location (or even reads it, if this is an update): then what it reads is settled. That is not known before the end; it is taken for granted until
// somebody does write there, and then the search starts again knowing so (Lessons::users). Sound: as long as nobody has written there, the search is that of
// a program in which that location is a thread's own and reading it is nothing that others can see, and the first write of another thread is an event of that
// program too, so it is found. (An update can be seen by who reads there: it may keep another thread's update from writing. Random programs showed it.)
// What threads may still do is overestimated: every thread is followed along the tree of its steps with all values that its locations hold or may come to
// hold, whether realizable together or not, until nothing new comes up. What takes too long to foresee, or cannot be (a new object, a new
// thread), is taken to matter.
#include "search/value/value_explorer.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace heddle {

/// What all threads but one may still do.
class ValueExplorer::Foresight {
  public:
    Foresight(ValueExplorer& explorer, ThreadId without) : x_(explorer), without_(without) {}

    /// 1. Pre: nobody asks.
    bool somebody_writes() {
        for (std::uint32_t k = 0; k < x_.threads_.size(); ++k) {
            const Thread& t = x_.threads_[k];
            if (t.exists && !t.postponed && k != without_.index && !x_.finished(ThreadId(k))) {
                follow(ThreadId(k), true);
            }
            if (matters_ || !writes_.empty()) {
                return true;
            }
        }
        return false;
    }

    /// 2.
    bool somebody_matters(LocationId location) {
        do {
            changed_ = false;
            for (std::uint32_t k = 0; k < x_.threads_.size() && !matters_; ++k) {
                if (x_.threads_[k].exists && k != without_.index && !x_.finished(ThreadId(k))) {
                    follow(ThreadId(k), false);
                }
            }
        } while (changed_ && !matters_);
        return matters_ || std::ranges::any_of(writes_, [&](const auto& entry) {
                   const auto& [what, by] = entry;
                   return what.first == location || (is_read(what.first) && by.size() + (is_there(what) ? 1 : 0) > 1);
               });
    }

  private:
    using What = std::pair<LocationId, ValueId>;
    static constexpr unsigned kTooFar = 60; ///< steps

    /// Goes along everything that the thread may do; `to_write`: up to the first write.
    void follow(ThreadId t, bool to_write) {
        to_write_ = to_write;
        seen_.clear();
        ahead_.assign(1, x_.threads_[t.index].at.step);
        if (x_.threads_[t.index].at.part > 0) {
            matters_ = true; // in the middle of an access in pieces
        }
        while (!ahead_.empty() && !matters_) {
            Step* const s = ahead_.back();
            ahead_.pop_back();
            if (!seen_.insert(s).second) {
                continue;
            }
            if (++steps_ > kTooFar) {
                matters_ = true;
                return;
            }
            look(t, *s);
        }
    }

    void look(ThreadId t, Step& s) {
        const Action& a = s.action;
        switch (a.kind) {
        case ActionKind::Load:
        case ActionKind::Rmw:
        case ActionKind::Lock:
        case ActionKind::Store:
        case ActionKind::Unlock:
            access(s);
            return;
        case ActionKind::Fence:
        case ActionKind::Free:
            go(s, {});
            return;
        case ActionKind::Choose:
            if (a.count > 4) {
                matters_ = true;
            }
            for (std::uint64_t n = 0; n < a.count && !matters_; ++n) {
                go(s, {.lo = n});
            }
            return;
        case ActionKind::Join: {
            const std::uint64_t other = a.value.lo;
            if (other >= x_.threads_.size() || !x_.threads_[other].exists || other == without_.index ||
                (to_write_ && x_.threads_[other].postponed)) {
                return; // it waits, or has failed
            }
            const ThreadId u(static_cast<std::uint32_t>(other));
            if (x_.finished(u)) {
                go(s, x_.step_of(u).action.value);
            } else if (to_write_) {
                matters_ = true;
            } else {
                for (const Value& v : results_[u]) {
                    go(s, v);
                }
            }
            return;
        }
        case ActionKind::Done:
        case ActionKind::Exit: {
            auto& known = results_[t];
            if (std::ranges::find(known, a.value) == known.end()) {
                known.push_back(a.value);
                changed_ = true;
            }
            return;
        }
        case ActionKind::Block:
        case ActionKind::Trap:
            return;
        default:
            matters_ = true;
        }
    }

    void access(Step& s) {
        const Action& a = s.action;
        const AddressKind kind = kind_of(a.address);
        if ((kind == AddressKind::Heap || kind == AddressKind::Stack) && !x_.memory_.objects().find(a.address)) {
            matters_ = true;
            return;
        }
        if (s.pieces == 0) {
            x_.locate(s);
        }
        if (s.pieces > 1) {
            matters_ = true;
            return;
        }
        const LocationId l = s.location;
        if (a.kind == ActionKind::Store || a.kind == ActionKind::Unlock) {
            const Location& bytes = x_.places_.location(l);
            write(s, l, part_of(a.kind == ActionKind::Unlock ? Value{} : a.value, 0, bytes.size));
            if (!to_write_) {
                go(s, {});
            }
            return;
        }
        changed_ = read_.insert(l).second || changed_;
        for (const ValueId v : std::vector<ValueId>(pool(l))) {
            Edge& edge = x_.steps_.reading(s, x_.history_.value(v));
            if (s.may_wait && !edge.satisfies()) {
                continue;
            }
            if (edge.writes) {
                write(s, l, edge.written);
                if (to_write_) {
                    return;
                }
            }
            ahead_.push_back(x_.steps_.follow(s, x_.steps_.reading(s, x_.history_.value(v))));
        }
    }

    void write(Step& by, LocationId l, const Value& value) {
        const ValueId v = x_.history_.id_of(value);
        auto& values = pool(l);
        if (std::ranges::find(values, v) == values.end()) {
            values.push_back(v);
            changed_ = true;
        }
        changed_ = writes_[{l, v}].insert(&by).second || changed_;
    }

    void go(Step& s, const Value& outcome) { ahead_.push_back(x_.steps_.follow(s, x_.steps_.having(s, outcome))); }

    /// What a location holds at some time.
    std::vector<ValueId>& pool(LocationId l) {
        auto [it, fresh] = pools_.try_emplace(l);
        if (fresh) {
            it->second = x_.candidates(l);
        }
        return it->second;
    }
    [[nodiscard]] bool is_there(const What& what) {
        const auto values = x_.candidates(what.first);
        return std::ranges::find(values, what.second) != values.end();
    }
    /// By somebody, before or later?
    [[nodiscard]] bool is_read(LocationId l) const { return read_.contains(l) || x_.history_.is_read(l); }

    ValueExplorer& x_;
    ThreadId without_;
    bool to_write_ = false;
    bool matters_ = false; ///< something cannot be foreseen
    bool changed_ = false;
    unsigned steps_ = 0;
    std::vector<Step*> ahead_;
    std::unordered_set<const Step*> seen_;
    std::map<LocationId, std::vector<ValueId>> pools_;
    std::map<What, std::set<const Step*>> writes_; ///< with those who write it
    std::set<LocationId> read_;
    std::map<ThreadId, std::vector<Value>> results_;
};

bool ValueExplorer::is_left_alone(ThreadId t) {
    constexpr unsigned kEnough = 100; // surprises: a program that writes somewhere else all the time
    Step& s = step_of(t);
    if (s.pieces > 1 || lessons_.surprises >= kEnough) {
        return false;
    }
    const bool updates = s.action.kind != ActionKind::Load;
    const LocationId l = location_of(s, 0);
    const auto known = lessons_.users.find(places_.location(l).address);
    if (known != lessons_.users.end() &&
        std::ranges::any_of(known->second, [&](const auto& user) { return user.first != t.index && (updates || user.second); })) {
        return false;
    }
    if (l.index >= left_alone_.size()) {
        left_alone_.resize(l.index + 1);
    }
    bool& even_reading = left_alone_[l.index].try_emplace(t.index, updates).first->second;
    even_reading = even_reading || updates;
    return true;
}

void ValueExplorer::note_use(ThreadId t, LocationId l, bool writes) {
    const std::uint8_t use = writes ? 3 : 1;
    noted_.resize(std::max<std::size_t>(noted_.size(), l.index + 1));
    auto& noted = noted_[l.index];
    noted.resize(std::max<std::size_t>(noted.size(), t.index + 1));
    if ((noted[t.index] & use) == use) {
        return;
    }
    noted[t.index] |= use;
    bool& known_to_write = lessons_.users[places_.location(l).address].try_emplace(t.index, writes).first->second;
    known_to_write = known_to_write || writes;
    if (l.index < left_alone_.size() &&
        std::ranges::any_of(
            left_alone_[l.index], [&](const auto& relies) { return relies.first != t.index && (writes || relies.second); })) {
        ++lessons_.surprises;
        throw LessonLearnt{};
    }
}

bool ValueExplorer::may_get_more(ThreadId t) {
    if (is_left_alone(t)) {
        return false;
    }
    bool asks = false;
    for (std::uint32_t k = 0; k < threads_.size() && !asks; ++k) {
        asks = k != t.index && threads_[k].asks && !new_values_for(ThreadId(k), true).empty();
    }
    if (!asks) {
        bool some_go_on = false;
        for (std::uint32_t k = 0; k < threads_.size() && !some_go_on; ++k) {
            const ThreadId u(k);
            some_go_on = u != t && threads_[k].exists && !threads_[k].postponed && !finished(u) && stands_at_read(u) &&
                         !values_for(u, true).empty();
        }
        if (!some_go_on || !Foresight(*this, t).somebody_writes()) {
            return false;
        }
    }
    Step& s = step_of(t);
    return s.pieces > 1 || Foresight(*this, t).somebody_matters(location_of(s, 0));
}

bool ValueExplorer::may_wait_for_good(ThreadId t) {
    Step& s = step_of(t);
    if (!s.may_wait || s.pieces > 1) {
        return false;
    }
    return std::ranges::any_of(candidates(location_of(s, 0)),
                               [&](ValueId v) { return !steps_.reading(s, history_.value(v)).satisfies(); });
}

} // namespace heddle
