#include "graph/execution.hpp"

#include <fmt/format.h>
#include <utility>

namespace heddle {
namespace {

/// By creation or joining of a thread.
bool comes_before(const Event& x, const Event& y) {
    return (x.kind == EventKind::Spawn && y.kind == EventKind::Begin && x.other == y.thread) ||
           (x.kind == EventKind::End && y.kind == EventKind::Join && y.other == x.thread);
}

void add_orders(const std::vector<Event>& events, Relations& r) {
    const std::size_t n = events.size();
    for (std::size_t a = 0; a < n; ++a) {
        const Event& x = events[a];
        for (std::size_t b = 0; b < n; ++b) {
            const Event& y = events[b];
            if (x.kind == EventKind::Init || y.kind == EventKind::Init || x.thread != y.thread) {
                if (a != b) {
                    r.external.add(a, b);
                }
                if (y.kind != EventKind::Init && (x.kind == EventKind::Init || comes_before(x, y))) {
                    r.threads.add(a, b);
                }
            } else if (x.index < y.index) {
                r.po.add(a, b);
                if (x.is_access() && y.is_access() && x.location == y.location) {
                    r.po_loc.add(a, b);
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
