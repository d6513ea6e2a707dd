#include "machine/deps.hpp"

#include <algorithm>
#include <unordered_set>

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
    std::unordered_set<DepSet> seen{0};
    std::vector<DepSet> open{set};
    while (!open.empty()) {
        const DepSet next = open.back();
        open.pop_back();
        if (!seen.insert(next).second) {
            continue;
        }
        if ((next & 1) != 0) {
            reads.push_back(next >> 1);
        } else {
            open.push_back(unions_[next / 2].first);
            open.push_back(unions_[next / 2].second);
        }
    }
    std::ranges::sort(reads);
    return reads;
}

} // namespace heddle
