#include "graph/execution.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace heddle {
namespace {

/// By creation or joining of a thread.
bool comes_before(const Event& x, const Event& y) {
    return (x.kind == EventKind::Spawn && y.kind == EventKind::Begin && x.other == y.thread) ||
           (x.kind == EventKind::End && y.kind == EventKind::Join && y.other == x.thread);
}

/// Sets of events, as rows of bits.
class EventSets {
  public:
    explicit EventSets(std::size_t events) : words_((events + 63) / 64) {}
    std::size_t add() {
        bits_.resize(bits_.size() + words_);
        return bits_.size() / std::max<std::size_t>(1, words_) - 1;
    }
    void put(std::size_t set, std::size_t e) { bits_[set * words_ + e / 64] |= std::uint64_t{1} << (e % 64); }
    [[nodiscard]] std::span<const std::uint64_t> operator[](std::size_t set) const {
        return std::span(bits_).subspan(set * words_, words_);
    }

  private:
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
};

/// Rows at a time, from the last event to the first: the events of a thread stand in program order.
void add_orders(const std::vector<Event>& events, Relations& r) {
    constexpr std::size_t kNone = ~std::size_t{0};
    EventSets sets(events.size());
    const std::size_t not_initial = sets.add();
    std::vector<std::size_t> later; // by thread: its events that have been met
    struct Accessed {
        ThreadId thread;
        Address location;
        std::size_t later; ///< the thread's accesses of it that have been met
    };
    std::vector<Accessed> accessed;
    for (std::size_t a = events.size(); a-- > 0;) {
        const Event& x = events[a];
        if (x.kind == EventKind::Init) {
            continue;
        }
        sets.put(not_initial, a);
        later.resize(std::max<std::size_t>(later.size(), x.thread.index + 1), kNone);
        std::size_t& own = later[x.thread.index];
        own = own == kNone ? sets.add() : own;
        r.po.add_all(a, sets[own]);
        sets.put(own, a);
        if (x.is_access()) {
            auto known = std::ranges::find_if(
                accessed, [&](const Accessed& k) { return k.thread == x.thread && k.location == x.location; });
            if (known == accessed.end()) {
                known = accessed.insert(known, {x.thread, x.location, sets.add()});
            }
            r.po_loc.add_all(a, sets[known->later]);
            sets.put(known->later, a);
        }
    }
    const std::size_t all = sets.add();
    for (std::size_t e = 0; e < events.size(); ++e) {
        sets.put(all, e);
    }
    for (std::size_t a = 0; a < events.size(); ++a) {
        const Event& x = events[a];
        const bool initial = x.kind == EventKind::Init;
        r.external.add_all(a, sets[all]);
        if (initial) {
            r.external.remove(a, a);
            r.threads.add_all(a, sets[not_initial]);
            continue;
        }
        r.external.remove_all(a, sets[later[x.thread.index]]);
        if (x.kind == EventKind::Spawn || x.kind == EventKind::End) {
            for (std::size_t b = 0; b < events.size(); ++b) {
                if (events[b].kind != EventKind::Init && comes_before(x, events[b])) {
                    r.threads.add(a, b);
                }
            }
        }
    }
}

} // namespace

std::string canonical(const Execution& x, bool with_coherence) {
    // An access is named by its thread and how many accesses and choices its thread made before.
    const auto shows = [](const Event& e) { return e.is_access() || e.kind == EventKind::Choose; };
    std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> threads; // thread -> index -> position
    for (std::size_t e = 0; e < x.events.size(); ++e) {
        if (x.events[e].kind != EventKind::Init && shows(x.events[e])) {
            threads[x.events[e].thread.index][x.events[e].index] = e;
        }
    }
    std::vector<std::string> names(x.events.size(), "init");
    for (const auto& [thread, events] : threads) {
        std::size_t nth = 0;
        for (const auto& [index, e] : events) {
            names[e] = fmt::format("{}.{}", thread, nth++);
        }
    }
    std::string text;
    for (const auto& [thread, events] : threads) {
        for (const auto& [index, e] : events) {
            const Event& event = x.events[e];
            text +=
                fmt::format("{}:{}{}{} ", names[e], static_cast<int>(event.kind), event.source ? "<" + names[*event.source] : "",
                            event.kind == EventKind::Choose ? fmt::format("={}", event.chosen) : "");
        }
    }
    for (const auto& [address, writes] : x.coherence) {
        for (const std::size_t w : writes) {
            text += writes.size() == 1 || !with_coherence ? "" : names[w] + (w == writes.back() ? " " : ",");
        }
    }
    return text;
}

void depend_on_updates(const std::vector<Event>& events, DependencyLists& on) {
    std::vector<std::optional<std::size_t>> write_of(events.size()); // by the read of an update
    DependencyLists::List added;
    for (std::size_t w = 0; w < events.size(); ++w) {
        if (!events[w].update_read) {
            continue;
        }
        write_of[*events[w].update_read] = w;
        for (std::size_t e = w + 1; is_acquire(events[*events[w].update_read].order) && e < events.size(); ++e) {
            if (events[e].thread == events[w].thread && events[e].kind != EventKind::Init) {
                added.emplace_back(w, e);
            }
        }
    }
    for (const auto* list : {&on.addr, &on.data, &on.ctrl, &on.addr_po}) {
        for (const auto& [read, e] : *list) {
            if (write_of[read] && *write_of[read] != e) {
                added.emplace_back(*write_of[read], e);
            }
        }
    }
    on.ctrl.insert(on.ctrl.end(), added.begin(), added.end());
}

Relations::Relations(const Execution& x)
    : po(x.events.size()), po_loc(x.events.size()), threads(x.events.size()), rf(x.events.size()), co(x.events.size()),
      fr(x.events.size()), rmw(x.events.size()), external(x.events.size()) {
    add_orders(x.events, *this);
    for (std::size_t e = 0; e < x.events.size(); ++e) {
        if (x.events[e].source) {
            rf.add(*x.events[e].source, e);
        }
        if (x.events[e].update_read) {
            rmw.add(*x.events[e].update_read, e);
        }
    }
    for (const auto& [location, writes] : x.coherence) {
        for (std::size_t i = 0; i < writes.size(); ++i) {
            for (std::size_t j = i + 1; j < writes.size(); ++j) {
                co.add(writes[i], writes[j]);
            }
        }
    }
    fr = rf.inverse().then(co) - Relation::identity(x.events.size(), [](std::size_t) { return true; });
}

} // namespace heddle
