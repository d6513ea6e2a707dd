#include "search/value/foreknowledge.hpp"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

constexpr std::size_t kManyValues = 64; ///< of a location: from then on they are not told apart

} // namespace

Foreknowledge::Foreknowledge(Lessons& lessons) : lessons_(lessons), goes_by_count_(lessons.whole.empty()) {
    for (const auto& [address, use] : lessons.users) {
        for (const auto& [t, thread] : use.threads) {
            Storing& all = anywhere_.of(t);
            all.until = std::max(all.until, thread.stores_until);
            all.after.insert(thread.stores_after);
        }
        static_cast<void>(frees(use));
    }
}

Foreknowledge::Storing& Foreknowledge::StoringThreads::of(std::uint32_t t) {
    if (t >= threads.size()) {
        threads.resize(t + 1, {.claimed = claimed_beyond ? 0 : kNothingMore});
    }
    return threads[t];
}

bool Foreknowledge::StoringThreads::is_over(const Now& now, bool by_count) const {
    for (std::size_t u = 0; u < threads.size(); ++u) {
        const Standing at = u < now.size() ? now[u] : Standing{};
        const bool counts = by_count || at.done == kNothingMore || at.place == 0;
        if ((threads[u].until > at.done || !counts) && !threads[u].is_past(at.place)) {
            return false;
        }
    }
    return true;
}

void Foreknowledge::StoringThreads::claim_over(const Now& now, bool by_place) {
    if (now.size() > threads.size()) {
        static_cast<void>(of(static_cast<std::uint32_t>(now.size() - 1)));
    }
    for (std::size_t u = 0; u < threads.size(); ++u) {
        const Standing at = u < now.size() ? now[u] : Standing{};
        const std::uint32_t place = by_place && at.done != kNothingMore ? at.place : 0;
        if (threads[u].is_past(place)) {
            threads[u].claimed_after.insert(place);
        } else {
            threads[u].claimed = std::min(threads[u].claimed, at.done);
        }
    }
    claimed_beyond = true;
}

Foreknowledge::Known& Foreknowledge::known(LocationId l, Address address) {
    if (l.index >= locations_.size()) {
        locations_.resize(l.index + 1);
    }
    Known& k = locations_[l.index];
    if (!k.lesson) {
        k.lesson = &lessons_.users[address];
        for (const auto& [t, thread] : k.lesson->threads) {
            k.storing.of(t).until = thread.stores_until;
            k.storing.of(t).after = thread.stores_after;
        }
    }
    return k;
}

bool Foreknowledge::frees(const LocationUse& lesson) {
    if (!lesson.repeats) {
        return false;
    }
    bool surprise = false;
    for (const auto& [t, thread] : lesson.threads) {
        const bool others_read =
            std::ranges::any_of(lesson.threads, [&](const auto& u) { return u.first != t && u.second.reads; });
        if (others_read) {
            Storing& s = freeing_.of(t);
            s.until = std::max(s.until, thread.stores_until);
            s.after.insert(thread.stores_after);
            surprise = surprise || s.is_claimed();
        }
    }
    return surprise;
}

bool Foreknowledge::uses(ThreadId t, Known& k, bool writes) {
    k.lesson->threads.try_emplace(t.index);
    return std::ranges::any_of(k.alone, [&](const Alone& a) { return a.thread != t.index && (writes || a.even_reading); });
}

bool Foreknowledge::reads(ThreadId t, LocationId l, Address address) {
    Known& k = known(l, address);
    k.readers.resize(std::max<std::size_t>(k.readers.size(), t.index + 1));
    if (k.readers[t.index] != 0) {
        return false;
    }
    k.readers[t.index] = 1;
    const bool surprise = uses(t, k, false);
    bool& known_to_read = k.lesson->threads[t.index].reads;
    if (known_to_read) {
        return surprise;
    }
    known_to_read = true;
    return frees(*k.lesson) || surprise;
}

bool Foreknowledge::stores(OpAt at, LocationId l, Address address, const PlaceSet& places) {
    Known& k = known(l, address);
    Storing& here = k.storing.of(at.thread.index);
    here.until = std::max(here.until, at.op + 1);
    here.after.insert(places);
    Storing& all = anywhere_.of(at.thread.index);
    all.until = std::max(all.until, here.until);
    all.after.insert(places);
    const bool surprise = uses(at.thread, k, true) || here.is_claimed() || all.is_claimed();
    LocationUse::Thread& lesson = k.lesson->threads[at.thread.index];
    lesson.stores_until = here.until;
    lesson.stores_after.insert(places);
    return frees(*k.lesson) || surprise;
}

bool Foreknowledge::is_waited_on(LocationId l, Address address) {
    // What was stored there before has not been kept. It is after starting again: soon, since nothing else is known about it yet.
    return !std::exchange(known(l, address).lesson->is_waited_on, true);
}

bool Foreknowledge::is_news(LocationId l, Address address, const Value& stored) {
    const LocationUse& lesson = *known(l, address).lesson;
    return lesson.is_waited_on && lesson.values.size() <= kManyValues && !lesson.values.contains(stored);
}

bool Foreknowledge::stores_value(OpAt at, LocationId l, Address address, const Value& stored) {
    if (!is_news(l, address, stored)) {
        return false;
    }
    Known& k = known(l, address);
    k.lesson->values.insert(stored);
    const bool too_many = k.lesson->values.size() > kManyValues; // nothing will be news any more
    return too_many ? k.storing_others.claimed_beyond : k.storing_others.of(at.thread.index).claimed <= at.op;
}

bool Foreknowledge::repeats(LocationId l, Address address) {
    Known& k = known(l, address);
    const bool news = !k.lesson->repeats;
    k.lesson->repeats = true;
    return news && (frees(*k.lesson) || k.storing_others.claimed_beyond);
}

bool Foreknowledge::is_left_alone(ThreadId t, LocationId l, Address address, bool even_reading) {
    Known& k = known(l, address);
    if (std::ranges::any_of(k.lesson->threads, [&](const auto& user) {
            return user.first != t.index && (even_reading || user.second.stores_until > 0);
        })) {
        return false;
    }
    const auto known = std::ranges::find(k.alone, t.index, &Alone::thread);
    if (known == k.alone.end()) {
        k.alone.push_back({t.index, even_reading});
    } else {
        known->even_reading = known->even_reading || even_reading;
    }
    return true;
}

bool Foreknowledge::nobody_stores_there(LocationId l, Address address, const Now& now, const Meant& meant) {
    const Known& k = known(l, address);
    if (k.storing.is_over(now, goes_by_count_)) {
        return true;
    }
    if (!meant || !k.lesson->is_waited_on || k.lesson->values.size() > kManyValues) {
        return false;
    }
    return std::ranges::none_of(k.lesson->values, meant);
}

void Foreknowledge::claim_nobody_stores_there(LocationId l, Address address, const Now& now) {
    Known& k = known(l, address);
    if (k.storing.is_over(now, goes_by_count_)) {
        k.storing.claim_over(now, true);
    } else {
        k.storing_others.claim_over(now, false);
    }
}

bool Foreknowledge::nobody_stores(const Now& now) {
    if (!anywhere_.is_over(now, goes_by_count_)) {
        return false;
    }
    anywhere_.claim_over(now, true);
    return true;
}

} // namespace heddle
