#include "search/value/foreknowledge.hpp"

#include <algorithm>

namespace heddle {

Foreknowledge::Foreknowledge(Lessons& lessons) : lessons_(lessons) {
    for (const auto& [address, use] : lessons.users) {
        for (const auto& [t, thread] : use.threads) {
            Storing& all = anywhere_.of(t);
            all.until = std::max(all.until, thread.stores_until);
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

bool Foreknowledge::StoringThreads::is_over(const Lengths& now) const {
    for (std::size_t u = 0; u < threads.size(); ++u) {
        if (threads[u].until > (u < now.size() ? now[u] : 0)) {
            return false;
        }
    }
    return true;
}

void Foreknowledge::StoringThreads::claim_over(const Lengths& now) {
    if (now.size() > threads.size()) {
        static_cast<void>(of(static_cast<std::uint32_t>(now.size() - 1)));
    }
    for (std::size_t u = 0; u < threads.size(); ++u) {
        threads[u].claimed = std::min(threads[u].claimed, u < now.size() ? now[u] : 0);
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
        }
    }
    return k;
}

bool Foreknowledge::frees(const LocationUse& lesson) {
    if (!lesson.is_read || !lesson.repeats) {
        return false;
    }
    bool surprise = false;
    for (const auto& [t, thread] : lesson.threads) {
        Storing& s = freeing_.of(t);
        s.until = std::max(s.until, thread.stores_until);
        surprise = surprise || s.is_claimed();
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
    bool surprise = uses(t, k, false);
    if (!k.lesson->is_read) {
        k.lesson->is_read = true;
        surprise = frees(*k.lesson) || surprise;
    }
    return surprise;
}

bool Foreknowledge::stores(OpAt at, LocationId l, Address address) {
    Known& k = known(l, address);
    Storing& here = k.storing.of(at.thread.index);
    if (here.until > at.op) {
        return false;
    }
    here.until = at.op + 1;
    Storing& all = anywhere_.of(at.thread.index);
    all.until = std::max(all.until, here.until);
    bool surprise = uses(at.thread, k, true) || here.is_claimed() || all.is_claimed();
    k.lesson->threads[at.thread.index].stores_until = here.until;
    return frees(*k.lesson) || surprise;
}

bool Foreknowledge::repeats(LocationId l, Address address) {
    Known& k = known(l, address);
    const bool news = !k.lesson->repeats;
    k.lesson->repeats = true;
    return news && frees(*k.lesson);
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

bool Foreknowledge::nothing_matters(LocationId l, Address address, const Lengths& now) {
    return freeing_.is_over(now) && known(l, address).storing.is_over(now);
}

void Foreknowledge::claim_nothing_matters(LocationId l, Address address, const Lengths& now) {
    known(l, address).storing.claim_over(now);
    freeing_.claim_over(now);
}

bool Foreknowledge::nobody_stores(const Lengths& now) {
    if (!anywhere_.is_over(now)) {
        return false;
    }
    anywhere_.claim_over(now);
    return true;
}

} // namespace heddle
