#include "search/stateful/threads.hpp"

#include <algorithm>

namespace heddle::stateful {

Threads::Id Threads::intern(const ThreadState& thread, Id like) {
    scratch_.assign(1, static_cast<std::uint64_t>(ThreadPhase::Running));
    images_.encode(thread, scratch_);
    return interner_.intern(scratch_, like);
}

Threads::Id Threads::plain(ThreadPhase phase) {
    auto& known = plain_[static_cast<std::size_t>(phase)];
    if (!known) {
        const std::uint64_t word = static_cast<std::uint64_t>(phase);
        known = interner_.intern(std::span(&word, 1));
    }
    return *known;
}

Threads::Id Threads::done(const Value& v) {
    if (!last_done_ || last_done_->first != v) {
        last_done_ = {v, make_done(v)};
    }
    return last_done_->second;
}

Threads::Id Threads::make_done(const Value& v) {
    const std::uint64_t words[5] = {static_cast<std::uint64_t>(ThreadPhase::Done), v.lo, v.hi, v.undef_lo, v.undef_hi};
    return interner_.intern(std::span<const std::uint64_t>(words, 5));
}

/// A thread at its Done has no frames any more.
Threads::Id Threads::leaving(const Action& done, ThreadId id) {
    const Value& v = done.value;
    const std::uint64_t words[6] = {static_cast<std::uint64_t>(ThreadPhase::Leaving),
                                    std::uint64_t{done.place.index} << 32 | id.index,
                                    v.lo,
                                    v.hi,
                                    v.undef_lo,
                                    v.undef_hi};
    return interner_.intern(std::span<const std::uint64_t>(words, 6));
}

Action Threads::run(ThreadState& thread, Id objects) {
    looped_ = false;
    constexpr unsigned kMost = 1 << 16;
    for (unsigned unseen = 0;; ++unseen) {
        Action a = machine_.run(thread, tables_[objects].objects);
        switch (a.kind) {
        case ActionKind::Output:
        case ActionKind::Yield:
        case ActionKind::Detach:
            machine_.resume(thread, {});
            break;
        case ActionKind::Loop:
            looped_ = true;
            machine_.resume(thread, {});
            break;
        default:
            return a;
        }
        if (unseen ==
            kMost) { // a loop that only prints or yields may never come to anything else, and budgets are looked at between steps
            Action pause;
            pause.kind = ActionKind::Pause;
            pause.place = a.place;
            return pause;
        }
    }
}

void Threads::count_unusual(Id objects) {
    constexpr unsigned kOften = 200;
    if (asked_about_it_ == 0) {
        challenger_ = objects;
    }
    asked_about_it_ += objects == challenger_ ? 1u : ~0u;
    if (asked_about_it_ > kOften) {
        usual_objects_ = challenger_;
        usual_.clear();
        usual_count_ = 0;
        asked_about_it_ = 0;
    }
}

Standing& Threads::find_slowly(Id thread, Id objects) {
    if (objects != usual_objects_) {
        count_unusual(objects);
    }
    const auto [it, fresh] = standing_.try_emplace(std::uint64_t{thread} << 32 | objects);
    Standing& s = it->second;
    if (objects == usual_objects_) {
        usual_.resize(std::max<std::size_t>(usual_.size(), thread + 1), nullptr);
        usual_[thread] = &s;
        usual_here_ = usual_.data();
        usual_count_ = usual_.size();
    }
    if (!fresh) {
        return s;
    }
    const auto words = image(thread);
    s.phase = static_cast<ThreadPhase>(words[0]);
    if (s.phase == ThreadPhase::Running) {
        s.state = images_.decode(words.subspan(1));
        images_.each_word(s.state, [&](const std::uint64_t& word) {
            if (looks_like_made(word)) {
                s.pointers.push_back(word);
            }
        });
        ThreadState copy = s.state;
        s.action = run(copy, objects);
        if (s.action.kind != ActionKind::Pause) {
            s.state = std::move(copy); // it stands there already; at most the machine has made the frame's shadow
        }
    } else if (s.phase == ThreadPhase::Leaving) {
        s.phase = ThreadPhase::Running;
        s.state.id = ThreadId(static_cast<std::uint32_t>(words[1]));
        s.state.memory = Ref<PrivateMemory>::adopt(new PrivateMemory);
        s.action.kind = ActionKind::Done;
        s.action.place = PlaceId(static_cast<std::uint32_t>(words[1] >> 32));
        s.action.value = {.lo = words[2], .hi = words[3], .undef_lo = words[4], .undef_hi = words[5]};
        if (looks_like_made(words[2])) {
            s.pointers.push_back(words[2]);
        }
    } else if (s.phase == ThreadPhase::Done) {
        s.result = {.lo = words[1], .hi = words[2], .undef_lo = words[3], .undef_hi = words[4]};
        if (looks_like_made(s.result.lo)) {
            s.pointers.push_back(s.result.lo);
        }
    }
    return s;
}

Threads::Id Threads::arrive(ThreadState&& thread, Id objects, Id like) {
    ThreadState moved = std::move(thread);
    const Action action = run(moved, objects);
    return moved.top ? intern(moved, like) : leaving(action, moved.id);
}

Threads::Id Threads::after_slowly(Id thread, Id before, Id now, const Value& outcome) {
    constexpr std::size_t kMostEdges = 16;
    Standing& s = find(thread, before);
    const bool room = before == now && is_short(outcome) && s.edges.size() < kMostEdges;
    const Edge edge{.thread = thread, .before = before, .now = now, .outcome = outcome};
    if (!room) {
        if (const auto* known = edges_.find(edge)) {
            looped_ = known->loops;
            return known->thread;
        }
    }
    ThreadState next = s.state;
    if (s.action.kind != ActionKind::Pause) {
        machine_.resume(next, outcome);
    }
    const Id id = arrive(std::move(next), now, thread);
    if (room) {
        s.edges.push_back({.outcome = outcome.lo, .to = id, .loops = looped_});
    } else {
        edges_.insert(edge, {.thread = id, .loops = looped_});
    }
    return id;
}

bool Threads::is_more_than(std::size_t many) const { return standing_.size() > many || edges_.size() > 4 * many; }

void Threads::forget() {
    usual_.clear();
    usual_count_ = 0;
    usual_objects_ = challenger_ = ~Id{0};
    asked_about_it_ = 0;
    standing_.clear();
    edges_.clear();
    plain_ = {};
    last_done_.reset();
}

} // namespace heddle::stateful
