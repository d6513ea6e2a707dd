#include "search/enumerate/location_choices.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace heddle {
namespace {

/// Coherence is chosen write by write from the initial one on; the reads that come before a write in its thread choose their sources when it
/// is placed, the rest at the end.
///
/// acyclic (po-loc | rf | co | fr) holds exactly when, along each thread, a write comes later in coherence than all that the thread has
/// written or read before, and a read reads that or something later: each way to break it is one of the five forbidden shapes (coWW,
/// coRW1, coRW2, coWR, coRR) to which every cycle of one location reduces (Alglave, Maranget, Tautschnig, TOPLAS 2014).
class Coherent {
  public:
    Coherent(std::span<const LocationAccesses* const> threads, const std::function<bool()>& gives_up)
        : threads_(threads), gives_up_(gives_up), at_(threads.size()), low_(threads.size()) {
        std::uint16_t read = 0;
        std::uint16_t write = 1;
        for (const LocationAccesses* accesses : threads) {
            auto& numbers = numbers_.emplace_back();
            for (const LocationAccess& a : *accesses) {
                numbers.push_back(a.is_write ? write++ : read++);
            }
        }
        sources_.resize(read);
        writes_ = write;
        order_.push_back(0);
        values_.push_back(0);
    }

    /// Every solution as a record: the sources, then the order. Nothing when given up on.
    std::optional<std::vector<std::uint16_t>> run() {
        place();
        return stopped_ ? std::nullopt : std::optional(std::move(records_));
    }

  private:
    /// Places the next write of some thread, every one in turn.
    void place() {
        if (stopped_) {
            return;
        }
        if (order_.size() == writes_) {
            return finish(0);
        }
        for (std::size_t t = 0; t < threads_.size(); ++t) {
            const auto& accesses = *threads_[t];
            const bool has_write = std::any_of(accesses.begin() + static_cast<std::ptrdiff_t>(at_[t]), accesses.end(),
                                               [](const LocationAccess& a) { return a.is_write; });
            if (has_write) {
                advance(t, at_[t], low_[t]);
            }
        }
    }

    /// Access `at` of thread t and what follows, up to its next write, which comes next in coherence.
    void advance(std::size_t t, std::size_t at, std::size_t low) {
        const LocationAccess& a = (*threads_[t])[at];
        if (!a.is_write) {
            for (std::size_t p = low; p < order_.size(); ++p) {
                if (values_[p] == a.value) {
                    sources_[numbers_[t][at]] = order_[p];
                    advance(t, at + 1, p);
                }
            }
            return;
        }
        const std::size_t at_before = std::exchange(at_[t], at + 1);
        const std::size_t low_before = std::exchange(low_[t], order_.size());
        order_.push_back(numbers_[t][at]);
        values_.push_back(a.value);
        place();
        order_.pop_back();
        values_.pop_back();
        at_[t] = at_before;
        low_[t] = low_before;
    }

    /// All writes are placed: the reads that are left, thread by thread.
    void finish(std::size_t t) {
        if (t == threads_.size()) {
            records_.insert(records_.end(), sources_.begin(), sources_.end());
            records_.insert(records_.end(), order_.begin(), order_.end());
            constexpr std::size_t kAskEvery = 1 << 16;
            stopped_ = stopped_ || (gives_up_ && (++solutions_ % kAskEvery) == 0 && gives_up_());
            return;
        }
        finish(t, at_[t], low_[t]);
    }
    void finish(std::size_t t, std::size_t at, std::size_t low) {
        if (at == threads_[t]->size()) {
            return finish(t + 1);
        }
        for (std::size_t p = low; p < order_.size() && !stopped_; ++p) {
            if (values_[p] == (*threads_[t])[at].value) {
                sources_[numbers_[t][at]] = order_[p];
                finish(t, at + 1, p);
            }
        }
    }

    std::span<const LocationAccesses* const> threads_;
    const std::function<bool()>& gives_up_;
    std::vector<std::vector<std::uint16_t>> numbers_; ///< of each access of each thread, among the reads or the writes
    std::size_t writes_ = 1;
    std::vector<std::size_t> at_;       ///< by thread: the first access that has not chosen
    std::vector<std::size_t> low_;      ///< by thread: the latest place in coherence that it has seen
    std::vector<std::uint16_t> order_;  ///< coherence so far
    std::vector<std::uint32_t> values_; ///< of `order_`
    std::vector<std::uint16_t> sources_;
    std::vector<std::uint16_t> records_;
    std::size_t solutions_ = 0;
    bool stopped_ = false;
};

/// Every source that wrote the value, every order.
class Unrestricted {
  public:
    Unrestricted(std::span<const LocationAccesses* const> threads, const std::function<bool()>& gives_up) : gives_up_(gives_up) {
        values_.push_back(0);
        for (const LocationAccesses* accesses : threads) {
            for (const LocationAccess& a : *accesses) {
                (a.is_write ? values_ : reads_).push_back(a.value);
            }
        }
        sources_.resize(reads_.size());
        order_.resize(values_.size());
    }
    std::optional<std::vector<std::uint16_t>> run() {
        choose(0);
        return stopped_ ? std::nullopt : std::optional(std::move(records_));
    }

  private:
    void choose(std::size_t read) {
        if (read < reads_.size()) {
            for (std::size_t w = 0; w < values_.size() && !stopped_; ++w) {
                if (values_[w] == reads_[read]) {
                    sources_[read] = static_cast<std::uint16_t>(w);
                    choose(read + 1);
                }
            }
            return;
        }
        std::iota(order_.begin(), order_.end(), std::uint16_t{0});
        do {
            records_.insert(records_.end(), sources_.begin(), sources_.end());
            records_.insert(records_.end(), order_.begin(), order_.end());
            constexpr std::size_t kAskEvery = 1 << 16;
            stopped_ = stopped_ || (gives_up_ && (++solutions_ % kAskEvery) == 0 && gives_up_());
        } while (!stopped_ && std::next_permutation(order_.begin() + 1, order_.end()));
    }

    const std::function<bool()>& gives_up_;
    std::vector<std::uint32_t> reads_;  ///< their values
    std::vector<std::uint32_t> values_; ///< of the writes
    std::vector<std::uint16_t> sources_;
    std::vector<std::uint16_t> order_;
    std::vector<std::uint16_t> records_;
    std::size_t solutions_ = 0;
    bool stopped_ = false;
};

} // namespace

LocationChoices choices_of(std::span<const LocationAccesses* const> threads, bool coherent,
                           const std::function<bool()>& gives_up) {
    LocationChoices c;
    for (const LocationAccesses* accesses : threads) {
        for (const LocationAccess& a : *accesses) {
            ++(a.is_write ? c.writes : c.reads);
        }
    }
    const auto found = coherent ? Coherent(threads, gives_up).run() : Unrestricted(threads, gives_up).run();
    c.complete = found.has_value();
    const std::vector<std::uint16_t> records = found.value_or(std::vector<std::uint16_t>());
    const std::size_t length = std::size_t{c.reads} + c.writes;
    std::vector<const std::uint16_t*> sorted;
    for (std::size_t at = 0; at < records.size(); at += length) {
        sorted.push_back(records.data() + at);
    }
    const auto same_sources = [&](const std::uint16_t* a, const std::uint16_t* b) { return std::equal(a, a + c.reads, b); };
    std::ranges::sort(sorted, [&](const std::uint16_t* a, const std::uint16_t* b) {
        return std::lexicographical_compare(a, a + length, b, b + length);
    });
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        if (k == 0 || !same_sources(sorted[k - 1], sorted[k])) {
            c.first_order.push_back(static_cast<std::uint32_t>(k));
            c.sources.insert(c.sources.end(), sorted[k], sorted[k] + c.reads);
        }
        c.orders.insert(c.orders.end(), sorted[k] + c.reads, sorted[k] + length);
    }
    c.first_order.push_back(static_cast<std::uint32_t>(sorted.size()));
    return c;
}

} // namespace heddle
