#include "model/psc_order.hpp"

#include <algorithm>

namespace heddle {

void PscOrder::begin(EventTest included) {
    events_.list(included);
    width_ = events_.width();
    before_.resize(events_.size() * width_);
    for (std::uint32_t n = 0; n < events_.size(); ++n) {
        copy(before(n), events_.row(n));
    }
}

void PscOrder::pass(EventId access) {
    const GraphEvent& e = graph_[access];
    passed_[e.thread.index] = std::max(passed_[e.thread.index], e.index + 1);
}

void PscOrder::pass_readers(EventId write, EventTest included) {
    for (EventId r = graph_[write].first_reader; r != kNoEvent; r = graph_[r].next_reader) {
        if (graph_[r].is_seq_cst() && included(r)) {
            pass(r);
        }
    }
}

void PscOrder::begin_location(EventId init, EventTest included) {
    passed_.assign(width_, 0);
    pass_readers(init, included);
}

void PscOrder::add(EventId write, EventTest included) {
    if (graph_[write].is_seq_cst()) {
        join(before(events_.number(write)), passed_);
        pass(write);
    }
    pass_readers(write, included);
}

bool PscOrder::is_acyclic() {
    taken_.assign(width_, 0);
    next_of_.resize(events_.threads());
    for (std::size_t t = 0; t < events_.threads(); ++t) {
        next_of_[t] = events_.first(t);
    }
    std::size_t left = events_.size();
    for (bool any = true; any && left > 0;) {
        any = false;
        for (std::size_t t = 0; t < events_.threads(); ++t) {
            for (; next_of_[t] < events_.first(t + 1); ++next_of_[t]) {
                const std::uint32_t earlier = taken_[t];
                taken_[t] = graph_[events_[next_of_[t]]].index + 1; // it comes before itself
                if (!is_within(before(next_of_[t]), taken_)) {
                    taken_[t] = earlier;
                    break;
                }
                any = true;
                --left;
            }
        }
    }
    return left == 0;
}

} // namespace heddle
