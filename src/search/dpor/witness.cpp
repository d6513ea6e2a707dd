// Explorer: the execution at hand, written down for reports.
#include "search/dpor/explorer.hpp"

#include "search/conclude/names.hpp"
#include <utility>

namespace heddle {

std::string Explorer::name_of(const Location& l) const { return heddle::name_of(memory_.objects(), l.address, l.size); }

Witness Explorer::witness(std::vector<std::size_t>* positions) const {
    Witness w;
    positions->assign(graph_.slots(), 0);
    for (std::uint32_t k = 0; k < graph_.locations(); ++k) {
        const Location& l = graph_.location(LocationId(k));
        const bool used = l.coherence.size() > 1 || graph_[l.init].first_reader != kNoEvent;
        if (used) {
            (*positions)[l.init.index] = w.events.size();
            w.events.push_back({.event = {.kind = EventKind::Init, .location = l.address},
                                .value = memory_.load(l.address, l.size),
                                .size = l.size});
            name_access(w.events.back(), memory_.objects());
        }
    }
    // Each thread as far as its reads' sources have been told. Where everybody waits (load buffering), somebody reads what is told later.
    std::vector<std::size_t> told(graph_.threads());
    std::vector<bool> is_told(graph_.slots());
    bool all_wait = false;
    for (bool more = true; more;) {
        more = false;
        bool some_left = false;
        for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
            const auto events = graph_.thread(ThreadId(t));
            for (; told[t] < events.size(); ++told[t]) {
                const EventId e = events[told[t]];
                if (e == kNoEvent) {
                    continue; // cut away, and not back yet
                }
                const GraphEvent& event = graph_[e];
                if (event.source != kNoEvent && graph_[event.source].kind != EventKind::Init && graph_[event.source].present &&
                    !is_told[event.source.index] && !(event.is_read() && std::exchange(all_wait, false))) {
                    some_left = true;
                    break;
                }
                more = true;
                is_told[e.index] = true;
                (*positions)[e.index] = w.events.size();
                WitnessEvent out{
                    .event = {.kind = event.kind, .order = event.order, .fence = event.fence, .update = event.update},
                    .place = event.kind != EventKind::Begin ? place_of(e)
                             : event.source == kNoEvent     ? PlaceId{}
                                                            : place_of(event.source),
                    .value = notes_[e.index].value};
                out.event.thread = event.thread;
                out.event.index = event.index;
                out.event.other = event.other;
                if (event.is_access()) {
                    const Location& l = graph_.location(event.location);
                    out.event.location = l.address;
                    out.size = l.size;
                    name_access(out, memory_.objects());
                    const ActionKind by = notes_[e.index].before.step->action.kind;
                    out.lock = by == ActionKind::Lock || by == ActionKind::Unlock;
                } else if (event.kind == EventKind::Alloc || event.kind == EventKind::Free) {
                    out.event.location = object_of(e);
                    out.name = heddle::name_of(memory_.objects(), object_of(e));
                }
                if (event.update_read != kNoEvent) {
                    out.event.update_read = (*positions)[event.update_read.index];
                }
                out.event.chosen = event.kind == EventKind::Choose ? out.value.lo : 0;
                w.events.push_back(std::move(out));
            }
        }
        all_wait = !more && some_left;
        more = more || all_wait;
    }
    for (const EventId e : graph_.order()) {
        if (graph_[e].is_read() && graph_[graph_[e].source].present) {
            w.events[(*positions)[e.index]].event.source = (*positions)[graph_[e].source.index];
        }
    }
    // The ends that nobody waited for: see finished().
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        const ThreadId id(t);
        if (exists(id) && !ended(id) && finished(id)) {
            WitnessEvent end{.event = {.kind = EventKind::End}, .place = threads_[t].at.step->action.place};
            end.event.thread = id;
            end.event.index = static_cast<std::uint32_t>(graph_.thread(id).size());
            w.events.push_back(std::move(end));
        }
    }
    for (std::uint32_t k = 0; k < graph_.locations(); ++k) {
        const Location& l = graph_.location(LocationId(k));
        if (l.coherence.size() > 1) {
            auto& co = w.coherence.emplace_back();
            for (const EventId e : l.coherence) {
                co.push_back((*positions)[e.index]);
            }
        }
    }
    return w;
}

} // namespace heddle
