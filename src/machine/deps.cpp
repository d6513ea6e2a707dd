#include "machine/deps.hpp"

#include <algorithm>

namespace heddle {

DepSet DepPool::unite_different(DepSet a, DepSet b) {
    // The common repetitions: a loop that branches on the same value again.
    if (is_part(b, a)) {
        return a;
    }
    if (is_part(a, b)) {
        return b;
    }
    const auto [known, fresh] = index_.try_emplace((std::uint64_t{a} << 32) | b, static_cast<DepSet>(unions_.size() * 2));
    if (fresh) {
        unions_.push_back({a, b});
    }
    return known->second;
}

std::vector<std::uint32_t> DepPool::elements(DepSet set) const {
    std::vector<std::uint32_t> reads;
    std::vector<DepSet> open;
    if (marks_.size() < unions_.size()) {
        marks_.resize(unions_.size() * 2);
    }
    ++mark_;
    const auto meet = [&](DepSet s) {
        if ((s & 1) != 0) {
            reads.push_back(s >> 1);
        } else if (s != 0 && marks_[s / 2] != mark_) {
            marks_[s / 2] = mark_;
            open.push_back(s);
        }
    };
    meet(set);
    while (!open.empty()) {
        const Union both = unions_[open.back() / 2];
        open.pop_back();
        meet(both.first);
        meet(both.second);
    }
    std::ranges::sort(reads);
    const auto repeated = std::ranges::unique(reads);
    reads.erase(repeated.begin(), repeated.end());
    return reads;
}

} // namespace heddle
