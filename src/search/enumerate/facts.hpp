// Facts: what each path needs of the others and gives to them, as sets of bits, and its accesses by location, as numbers.
//
// A fact is "this value is written to this location", or "this thread ends with this result". A combination of paths in which somebody needs a
// fact that nobody provides is no execution, whatever the model; this is found with a few words of bits.
#pragma once

#include "search/enumerate/location_choices.hpp"
#include "search/enumerate/paths.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace heddle {

using FactSet = std::vector<std::uint64_t>; ///< bits; all sets of one Facts are equally long

inline void add_all(FactSet& to, const FactSet& from) {
    for (std::size_t w = 0; w < to.size(); ++w) {
        to[w] |= from[w];
    }
}
inline FactSet unite(FactSet a, const FactSet& b) {
    add_all(a, b);
    return a;
}
inline bool is_subset(const FactSet& part, const FactSet& whole) {
    for (std::size_t w = 0; w < part.size(); ++w) {
        if ((part[w] & ~whole[w]) != 0) {
            return false;
        }
    }
    return true;
}
/// Of the union of two.
inline bool is_subset(const FactSet& part, const FactSet& one, const FactSet& other) {
    for (std::size_t w = 0; w < part.size(); ++w) {
        if ((part[w] & ~(one[w] | other[w])) != 0) {
            return false;
        }
    }
    return true;
}

/// Threads, shapes, paths: their positions in Paths::threads, ThreadPaths::shapes, ThreadPaths::paths.
class Facts {
  public:
    /// The paths must not change while these facts are used.
    explicit Facts(const Paths& paths);

    [[nodiscard]] const FactSet& nothing() const { return nothing_; }
    [[nodiscard]] const FactSet& initial() const { return initial_; } ///< what holds without anybody doing anything
    [[nodiscard]] const FactSet& needed(std::uint32_t thread, std::uint32_t path) const {
        return threads_[thread].paths[path].needed;
    }
    [[nodiscard]] const FactSet& provided(std::uint32_t thread, std::uint32_t path) const {
        return threads_[thread].paths[path].provided;
    }
    /// By all paths of the shape.
    [[nodiscard]] const FactSet& always_needed(std::uint32_t thread, std::uint32_t shape) const {
        return threads_[thread].shapes[shape].needed;
    }
    /// By any path of the shape.
    [[nodiscard]] const FactSet& provided_by_shape(std::uint32_t thread, std::uint32_t shape) const {
        return threads_[thread].shapes[shape].provided;
    }
    /// By any path of the thread and of the threads that it can spawn, and so on.
    [[nodiscard]] const FactSet& provided_from(std::uint32_t thread) const { return threads_[thread].reach; }

    /// The number of a location: its position among Paths::locations.
    [[nodiscard]] std::uint32_t location(Address address) const { return locations_.at(address); }
    /// The number of the sequence of accesses that the path makes to a location; 0: none.
    [[nodiscard]] std::uint32_t accesses(std::uint32_t thread, std::uint32_t path, std::uint32_t location) const {
        return threads_[thread].paths[path].accesses[location];
    }
    [[nodiscard]] const LocationAccesses& sequence(std::uint32_t number) const { return *sequences_[number]; }

  private:
    struct Of {
        FactSet needed, provided;
        std::vector<std::uint32_t> accesses{}; ///< of a path: by location
    };
    struct OfThread {
        std::vector<Of> paths;
        std::vector<Of> shapes;
        FactSet reach;
    };
    void number_facts(const Paths& paths);
    Of of_path(const ThreadPaths& thread, const Path& path);
    void close_reach(const Paths& paths);
    std::uint32_t number_of(LocationAccesses accesses);

    std::unordered_map<Address, std::uint32_t> locations_;
    std::vector<std::size_t> first_value_;                      ///< by location: the fact that value 0 is written to it
    std::map<std::uint32_t, std::size_t> first_result_;         ///< by thread
    std::map<std::vector<std::uint64_t>, std::uint32_t> index_; ///< of sequences
    std::vector<std::unique_ptr<const LocationAccesses>> sequences_;
    FactSet nothing_, initial_;
    std::vector<OfThread> threads_;
};

} // namespace heddle
