#include "model/global_order.hpp"

#include <algorithm>

namespace heddle {
namespace {

bool is_full_fence_event(const GraphEvent& e) {
    switch (e.kind) {
    case EventKind::Fence:
        return is_full_fence(e.order);
    case EventKind::Begin:
    case EventKind::End:
    case EventKind::Spawn:
    case EventKind::Join:
        return true;
    default:
        return false;
    }
}

} // namespace

bool GlobalOrder::is_store_fence(const GraphEvent& e) const {
    return e.kind == EventKind::Fence && heddle::is_store_fence(buffer_, e.order, e.fence);
}

bool GlobalOrder::drains(const GraphEvent& e) const {
    if (e.kind == EventKind::Write && comes_after_all(buffer_, e.order)) {
        return true;
    }
    return is_full_fence_event(e) || (e.is_access() && e.update) || is_store_fence(e);
}

std::uint32_t GlobalOrder::chain_of(const GraphEvent& e) {
    const std::uint32_t thread = e.thread.index;
    switch (buffer_) {
    case Buffer::None:
        return thread;
    case Buffer::PerThread:
        return 2 * thread + (e.kind == EventKind::Write ? 1 : 0);
    case Buffer::PerLocation:
        break;
    }
    const bool store = is_store_fence(e);
    return chains_->of(thread, e.kind == EventKind::Write ? e.location.index + 2 : store ? 1 : 0);
}

void GlobalOrder::make_room(std::size_t chains) {
    order_.make_room(graph_, chains);
    if (chain_.size() < graph_.slots()) {
        const std::size_t slots = graph_.slots() * 2;
        chain_.resize(slots);
        last_.resize(slots);
        previous_write_.resize(slots);
    }
    if (scratch_.size() < order_.chains()) {
        scratch_.resize(order_.chains());
    }
}

void GlobalOrder::follow_thread(const GraphEvent& e, EventId previous, Clock row) {
    const auto follow = [&](EventId earlier) {
        if (earlier != kNoEvent) {
            join(row, order_.row(earlier));
        }
    };
    if (buffer_ == Buffer::None || previous == kNoEvent) {
        follow(previous);
        return;
    }
    const Last& last = last_[previous.index];
    const bool store_fence = is_store_fence(e);
    if (!store_fence) {
        follow(last.read);
        follow(last.barrier);
    }
    if (e.kind == EventKind::Write || store_fence) {
        follow(last.stores);
    }
    if (e.kind == EventKind::Write && buffer_ == Buffer::PerLocation) {
        // What came before the thread's write of the location before it need not come before its other writes (that write released it), and rows grow along chains.
        EventId w = last.write;
        while (w != kNoEvent && graph_[w].location != e.location) {
            w = previous_write_[w.index];
        }
        follow(w);
    }
    if (drains(e)) {
        // All writes of the thread; those before the last drain come with it.
        const std::uint32_t from = last.drain == kNoEvent ? 0 : graph_[last.drain].index;
        for (EventId w = last.write; w != kNoEvent && graph_[w].index >= from; w = previous_write_[w.index]) {
            follow(w);
        }
        follow(last.drain);
    }
}

void GlobalOrder::start(const GlobalOrder& from) {
    make_room(from.order_.chains());
    order_.start(from.order_, graph_.slots());
    const auto take = [&](auto& to, const auto& of) { std::copy_n(of.begin(), std::min(of.size(), graph_.slots()), to.begin()); };
    take(chain_, from.chain_);
    take(last_, from.last_);
    take(previous_write_, from.previous_write_);
}

ConstClock GlobalOrder::before(const GraphEvent& e) {
    std::ranges::fill(scratch_, 0);
    follow_thread(e, po_previous(e), scratch_);
    return scratch_;
}

std::uint32_t GlobalOrder::floor(const GraphEvent& e) {
    const auto& co = graph_.location(e.location).coherence;
    if (co.size() == 1 || po_previous(e) == kNoEvent) {
        return 0;
    }
    const ConstClock known = before(e);
    // Besides the global order each location by itself is in order (coherence): a thread knows what it wrote and read there.
    const auto known_to_thread = [&](EventId w) {
        bool seen = graph_[w].thread == e.thread;
        graph_.for_each_reader(w, [&](EventId r) { seen = seen || (graph_[r].is_read() && graph_[r].thread == e.thread); });
        return seen;
    };
    auto rank = static_cast<std::uint32_t>(co.size() - 1);
    while (rank > 0 && !is_in(known, co[rank]) && !known_to_thread(co[rank])) {
        --rank;
    }
    return rank;
}

void GlobalOrder::add(EventId e) {
    const GraphEvent& event = graph_[e];
    const std::uint32_t chain = chain_of(event);
    const std::size_t wanted =
        buffer_ == Buffer::PerLocation ? chains_->size() : graph_.threads() * (buffer_ == Buffer::PerThread ? 2 : 1);
    make_room(wanted);
    chain_[e.index] = chain;
    const EventId previous = po_previous(event);
    const Last last = previous == kNoEvent ? Last{} : last_[previous.index];
    order_.begin(e, buffer_ == Buffer::None ? previous : kNoEvent);
    const Clock row = order_.row(e);
    if (buffer_ != Buffer::None) {
        follow_thread(event, previous, row);
    }
    if (event.kind == EventKind::Write) {
        previous_write_[e.index] = last.write;
    } else if (event.source != kNoEvent) {
        const GraphEvent& source = graph_[event.source];
        // Reading one's own buffered write orders nothing.
        if (source.kind != EventKind::Init && (!event.is_read() || source.thread != event.thread || buffer_ == Buffer::None)) {
            join(row, order_.row(event.source));
        }
    }
    row[chain] = event.index + 1;

    Last& own = last_[e.index];
    own = last;
    if (event.kind == EventKind::Write) {
        own.write = e;
        own.barrier = event.update || drains_after(event.order) ? e : last.barrier;
    } else if (is_store_fence(event)) {
        own.stores = e;
    } else {
        own.read = e;
    }
    own.drain = drains(event) ? e : last.drain;
}

void GlobalOrder::put_before(EventId e, EventId target, EventId newest) {
    // In each chain those that come after `target` are the last. A thread has a chain or two, or under pso one a location.
    for (std::uint32_t t = 0; t < graph_.threads(); ++t) {
        auto thread = graph_.thread(ThreadId(t));
        if (included_) {
            thread = thread.first(t < included_->size() ? (*included_)[t] : 0);
        }
        bool reads_done = false;
        bool writes_done = buffer_ == Buffer::None;
        for (std::size_t k = thread.size(); k-- > 0 && !(reads_done && writes_done);) {
            const EventId x = thread[k];
            bool& done = buffer_ != Buffer::None && graph_[x].kind == EventKind::Write ? writes_done : reads_done;
            if (x == e || done) {
                continue;
            }
            if (is_in(order_.row(x), target)) {
                if (e == newest || !is_in(order_.row(x), e)) { // else it comes after all that comes before `e` already
                    order_.put_before(e, x, newest);
                }
            } else if (buffer_ != Buffer::PerLocation) {
                done = true;
            }
        }
    }
}

} // namespace heddle
