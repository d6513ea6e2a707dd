#include "report/interleave.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace heddle {
namespace {

/// Puts the steps of a witness in order one after the other. A step is one event, or the two of an update: nobody comes between
/// those. Merging the two makes no cycle that was not there: all that must follow an update's read must follow its write too, as the
/// write comes directly after the read's source in coherence.
///
/// Program order, reads-from and threads are edges between steps. Where they have a cycle, reads-from gives way. Coherence and from-reads are only in the price of a step: a write is free
/// exactly when the writes before it in coherence and the reads of what it replaces are in place. When all of these relations together
/// are acyclic, some step has all its predecessors in place and is free; so only free steps are ever taken, and no read becomes stale. When
/// they are cyclic, the cheapest write is taken.
class Scheduler {
  public:
    /// `lifetimes`: free an object after the accesses that come before that in the witness, which reads-from alone does not ask for.
    Scheduler(const Witness& witness, bool lifetimes) : events_(witness.events), steps_(witness.events.size()) {
        for (std::size_t e = 0; e < events_.size(); ++e) {
            steps_[step_of(e)].events.push_back(e);
        }
        add_program_order();
        add_threads();
        for (std::size_t e = 0; e < events_.size(); ++e) {
            if (events_[e].event.source) {
                add_source(*events_[e].event.source, e);
                ++unread_[*events_[e].event.source];
            }
        }
        for (const std::vector<std::size_t>& writes : witness.coherence) {
            for (std::size_t k = 1; k < writes.size(); ++k) {
                before_[writes[k]] = writes[k - 1];
            }
        }
        if (lifetimes) {
            add_lifetimes();
        }
    }

    /// Nothing when the edges have a cycle even without reads-from.
    std::optional<std::vector<std::size_t>> run() {
        std::set<std::size_t> ready;
        std::set<std::size_t> early; ///< but for what they read from, these are ready
        const auto look_at = [&](std::size_t s) {
            if (!steps_[s].events.empty() && steps_[s].missing == 0) {
                (steps_[s].sources == 0 ? ready : early).insert(s);
            }
        };
        for (std::size_t s = 0; s < steps_.size(); ++s) {
            look_at(s);
        }
        std::vector<std::size_t> order;
        std::vector<bool> placed(steps_.size());
        while (!ready.empty() || !early.empty()) {
            auto& from = ready.empty() ? early : ready;
            const std::size_t next = *std::ranges::min_element(from, {}, [this](std::size_t s) { return price(s); });
            from.erase(next);
            place(next, order);
            placed[next] = true;
            for (const std::size_t after : steps_[next].after) {
                --steps_[after].missing;
                look_at(after);
            }
            for (const std::size_t reader : steps_[next].readers) {
                if (--steps_[reader].sources == 0 && !placed[reader]) {
                    early.erase(reader);
                    look_at(reader);
                }
            }
        }
        if (placed_ != events_.size()) {
            return std::nullopt;
        }
        return order;
    }

  private:
    struct Step {
        std::vector<std::size_t> events;  ///< none: the write of an update, which belongs to its read's step
        std::vector<std::size_t> after;   ///< steps that must come later
        std::vector<std::size_t> readers; ///< steps that should come later: they read from this one
        std::size_t missing = 0;          ///< steps that must come before and have not come yet
        std::size_t sources = 0;          ///< steps that this one reads from and that have not come yet
    };

    [[nodiscard]] std::size_t step_of(std::size_t e) const { return events_[e].event.update_read.value_or(e); }

    void add_edge(std::size_t from, std::size_t to) {
        const std::size_t a = step_of(from);
        const std::size_t b = step_of(to);
        if (a != b) {
            steps_[a].after.push_back(b);
            ++steps_[b].missing;
        }
    }

    void add_source(std::size_t from, std::size_t to) {
        if (step_of(from) != step_of(to)) {
            steps_[step_of(from)].readers.push_back(step_of(to));
            ++steps_[step_of(to)].sources;
        }
    }

    void add_program_order() {
        for (std::size_t e = 0; e < events_.size(); ++e) {
            const Event& event = events_[e].event;
            if (event.kind == EventKind::Init) {
                continue;
            }
            const auto [last, first] = last_of_.try_emplace(event.thread, e);
            if (first) {
                first_of_[event.thread] = e;
            } else {
                add_edge(std::exchange(last->second, e), e);
            }
        }
    }

    void add_threads() {
        for (std::size_t e = 0; e < events_.size(); ++e) {
            const Event& event = events_[e].event;
            if (event.kind == EventKind::Spawn && first_of_.contains(event.other)) {
                add_edge(e, first_of_[event.other]);
            }
            if (event.kind == EventKind::Join && last_of_.contains(event.other)) {
                add_edge(last_of_[event.other], e);
            }
        }
    }

    void add_lifetimes() {
        std::map<Address, std::vector<std::size_t>> accesses; ///< by the object's first byte, so far
        for (const WitnessEvent& e : events_) {
            if (e.event.kind == EventKind::Free) {
                accesses[e.event.location];
            }
        }
        for (std::size_t e = 0; e < events_.size(); ++e) {
            const Event& event = events_[e].event;
            if (event.kind == EventKind::Free) {
                for (const std::size_t access : accesses[event.location]) {
                    add_edge(access, e);
                }
            } else if (event.kind != EventKind::Init && event.is_access()) {
                // The last freed object that starts before it may be another one, below its own: an edge too many, which agrees with
                // the witness's order like the others.
                const auto after = accesses.upper_bound(event.location);
                if (after != accesses.begin()) {
                    std::prev(after)->second.push_back(e);
                }
            }
        }
    }

    /// The less the sooner. Only a write can make reads stale: those of the value that it replaces which have not been made yet. Next to that:
    /// the order of coherence, staying with a thread (a switch costs the reader more than anything), and the witness's own order.
    using Price = std::tuple<std::size_t, bool, bool, std::size_t>;
    [[nodiscard]] Price price(std::size_t s) const {
        const Event& event = events_[steps_[s].events.back()].event;
        std::size_t spoilt = 0;
        bool early = false;
        if (event.is_write()) {
            const auto latest = latest_.find(event.location);
            const auto unread = latest == latest_.end() ? unread_.end() : unread_.find(latest->second);
            spoilt = unread == unread_.end() ? 0 : unread->second;
            const bool reads_it = event.update_read && latest != latest_.end() &&
                                  events_[*event.update_read].event.source == std::optional(latest->second);
            spoilt -= reads_it ? 1 : 0;
            const auto before = before_.find(steps_[s].events.back());
            early = before != before_.end() && !written_.contains(before->second);
        }
        return {spoilt, early, event.kind != EventKind::Init && event.thread != current_, s};
    }

    void place(std::size_t s, std::vector<std::size_t>& order) {
        for (const std::size_t e : steps_[s].events) {
            const Event& event = events_[e].event;
            ++placed_;
            if (event.source) {
                --unread_[*event.source];
            }
            if (event.is_write()) {
                latest_[event.location] = e;
                written_.insert(e);
            }
            if (event.kind != EventKind::Init) {
                current_ = event.thread;
                order.push_back(e);
            }
        }
    }

    const std::vector<WitnessEvent>& events_;
    std::vector<Step> steps_; ///< by the position of their first event
    std::map<ThreadId, std::size_t> first_of_;
    std::map<ThreadId, std::size_t> last_of_;
    std::map<std::size_t, std::size_t> before_; ///< of a write: the one before it in coherence
    std::map<std::size_t, std::size_t> unread_; ///< of a write: reads from it that are still to come
    std::map<Address, std::size_t> latest_;     ///< the write that a read would see now
    std::set<std::size_t> written_;
    ThreadId current_{};
    std::size_t placed_ = 0;
};

} // namespace

std::vector<std::size_t> interleave(const Witness& witness) {
    const auto living = Scheduler(witness, true).run();
    const auto free = Scheduler(witness, false).run();
    if (living && free) {
        return stale_reads(witness, *living).size() <= stale_reads(witness, *free).size() ? *living : *free;
    }
    // The witness breaks its own promise (it extends program order). A story in its own order is better than none.
    std::vector<std::size_t> order;
    for (std::size_t e = 0; e < witness.events.size(); ++e) {
        if (witness.events[e].event.kind != EventKind::Init) {
            order.push_back(e);
        }
    }
    return order;
}

std::map<std::size_t, std::size_t> stale_reads(const Witness& witness, const std::vector<std::size_t>& order) {
    const std::set<std::size_t> early = early_reads(witness, order);
    std::map<Address, std::size_t> latest;
    std::map<std::size_t, std::size_t> stale;
    for (const std::size_t e : order) {
        const Event& event = witness.events[e].event;
        if (event.kind == EventKind::Write) {
            latest[event.location] = e;
        } else if (event.is_read() && event.source && latest.contains(event.location) &&
                   latest[event.location] != *event.source && !early.contains(e)) {
            stale[e] = latest[event.location];
        }
    }
    return stale;
}

std::set<std::size_t> early_reads(const Witness& witness, const std::vector<std::size_t>& order) {
    std::set<std::size_t> written;
    std::set<std::size_t> early;
    for (const std::size_t e : order) {
        const Event& event = witness.events[e].event;
        if (event.is_read() && event.source && witness.events[*event.source].event.kind != EventKind::Init &&
            !written.contains(*event.source)) {
            early.insert(e);
        }
        written.insert(e);
    }
    return early;
}

} // namespace heddle
