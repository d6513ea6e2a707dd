#include "machine/deps.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle {

DepSet DepPool::intern(std::vector<std::uint32_t> set) {
    const auto [it, fresh] = index_.try_emplace(std::move(set), static_cast<DepSet>(sets_.size()));
    if (fresh) {
        sets_.push_back(it->first);
    }
    return it->second;
}

DepSet DepPool::single(std::uint32_t read) { return intern({read}); }

DepSet DepPool::unite(DepSet a, DepSet b) {
    if (a == b || b == 0) {
        return a;
    }
    if (a == 0) {
        return b;
    }
    if (a > b) {
        std::swap(a, b);
    }
    const std::uint64_t key = (std::uint64_t{a} << 32) | b;
    if (const auto known = unions_.find(key); known != unions_.end()) {
        return known->second;
    }
    std::vector<std::uint32_t> both;
    std::ranges::set_union(sets_[a], sets_[b], std::back_inserter(both));
    const DepSet result = intern(std::move(both));
    unions_.emplace(key, result);
    return result;
}

} // namespace heddle
