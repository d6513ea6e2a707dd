#include "graph/execution.hpp"

#include <fmt/format.h>
#include <utility>

namespace heddle {
namespace {

void add_orders(const std::vector<Event>& events, Relations& r) {
    const std::size_t n = events.size();
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
            const Event& x = events[a];
            const Event& y = events[b];
            const bool init = x.kind == EventKind::Init || y.kind == EventKind::Init;
            if (a != b && (init || x.thread != y.thread)) {
                r.external.add(a, b);
            }
            if (x.kind == EventKind::Init && y.kind != EventKind::Init) {
                r.threads.add(a, b);
            }
            if (init) {
                continue;
            }
            if (x.thread == y.thread && x.index < y.index) {
                r.po.add(a, b);
                if (x.is_access() && y.is_access() && x.location == y.location) {
                    r.po_loc.add(a, b);
                }
            }
            const bool begins = x.kind == EventKind::Spawn && y.kind == EventKind::Begin && x.other == y.thread;
            const bool joins = x.kind == EventKind::End && y.kind == EventKind::Join && y.other == x.thread;
            if (begins || joins) {
                r.threads.add(a, b);
            }
        }
    }
}

} // namespace

std::string canonical(const Execution& x) {
    const auto name = [&](std::size_t e) {
        const Event& event = x.events[e];
        return event.kind == EventKind::Init ? std::string("init") : fmt::format("{}.{}", event.thread.index, event.index);
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> lines;
    for (const Event& event : x.events) {
        if (event.kind != EventKind::Init) {
            lines[{event.thread.index, event.index}] =
                fmt::format("{}{}", static_cast<int>(event.kind), event.source ? "<" + name(*event.source) : "");
        }
    }
    std::string text;
    for (const auto& [key, line] : lines) {
        text += fmt::format("{}.{}:{} ", key.first, key.second, line);
    }
    for (const auto& [address, writes] : x.coherence) {
        for (const std::size_t w : writes) {
            text += writes.size() == 1 ? "" : name(w) + (w == writes.back() ? " " : ",");
        }
    }
    return text;
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
