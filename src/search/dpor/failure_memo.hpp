// FailureMemo: the questions about iterations that fail (explorer_failures.cpp) that were answered by no.
//
// A table of fixed size in which a newer question takes the place of an older one, and questions are compared as a whole: it is never wrong, and memory does not grow.
#pragma once

#include "graph/event_id.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle {

struct Step;

class FailureMemo {
  public:
    /// The locations that questions about a loop whose iterations begin at this step have come to, which only become more.
    std::vector<LocationId>& locations(const Step* first) { return locations_[first]; }

    /// The question at hand: to be filled in.
    std::vector<std::uint64_t>& key() { return key_; }
    [[nodiscard]] bool has_key() const { return table_[slot()] == key_; }
    void remember_key() { table_[slot()] = key_; }

    /// Steps may be taken away, and others come to lie where they were.
    void clear() {
        locations_.clear();
        for (auto& question : table_) {
            question.clear();
        }
    }

  private:
    [[nodiscard]] std::size_t slot() const {
        std::uint64_t hash = 0;
        for (const std::uint64_t word : key_) {
            hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        }
        return hash >> (64 - kBits);
    }

    static constexpr unsigned kBits = 10;
    std::unordered_map<const Step*, std::vector<LocationId>> locations_;
    std::vector<std::uint64_t> key_;
    std::vector<std::vector<std::uint64_t>> table_ = std::vector<std::vector<std::uint64_t>>(std::size_t{1} << kBits);
};

} // namespace heddle
