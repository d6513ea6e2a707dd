#include "search/enumerate/facts.hpp"

namespace heddle {
namespace {

void set(FactSet& facts, std::size_t fact) { facts[fact / 64] |= std::uint64_t{1} << (fact % 64); }

} // namespace

Facts::Facts(const Paths& paths) {
    number_facts(paths);
    number_of({}); // 0
    for (const ThreadPaths& thread : paths.threads) {
        OfThread& t = threads_.emplace_back();
        t.reach = nothing_;
        for (const Path& p : thread.paths) {
            t.paths.push_back(of_path(thread, p));
            add_all(t.reach, t.paths.back().provided);
        }
        for (const Shape& s : thread.shapes) {
            Of of{.needed = t.paths[s.paths.front()].needed, .provided = nothing_};
            for (const std::uint32_t p : s.paths) {
                for (std::size_t w = 0; w < of.needed.size(); ++w) {
                    of.needed[w] &= t.paths[p].needed[w];
                }
                add_all(of.provided, t.paths[p].provided);
            }
            t.shapes.push_back(std::move(of));
        }
    }
    close_reach(paths);
}

void Facts::number_facts(const Paths& paths) {
    std::size_t facts = 0;
    for (const auto& [address, pool] : paths.locations) {
        locations_.emplace(address, static_cast<std::uint32_t>(locations_.size()));
        first_value_.push_back(facts);
        facts += pool.values.size();
    }
    for (const auto& [thread, values] : paths.results) {
        first_result_.emplace(thread, facts);
        facts += values.size();
    }
    nothing_.assign((facts + 63) / 64, 0);
    initial_ = nothing_;
    for (const std::size_t first : first_value_) {
        set(initial_, first);
    }
}

Facts::Of Facts::of_path(const ThreadPaths& thread, const Path& path) {
    Of of{.needed = nothing_, .provided = nothing_, .accesses = std::vector<std::uint32_t>(locations_.size())};
    std::vector<LocationAccesses> sequences(locations_.size());
    const std::vector<Event>& events = thread.shapes[path.shape].events;
    for (std::size_t e = 0; e < events.size(); ++e) {
        if (events[e].is_access()) {
            const std::uint32_t l = location(events[e].location);
            set(events[e].is_read() ? of.needed : of.provided, first_value_[l] + path.values[e]);
            sequences[l].push_back({.is_write = events[e].is_write(), .value = path.values[e]});
        }
    }
    for (const auto& [joined, result] : path.joined) {
        set(of.needed, first_result_.at(joined.index) + result);
    }
    if (path.result) {
        set(of.provided, first_result_.at(thread.id.index) + *path.result);
    }
    for (std::size_t l = 0; l < sequences.size(); ++l) {
        of.accesses[l] = number_of(std::move(sequences[l]));
    }
    return of;
}

std::uint32_t Facts::number_of(LocationAccesses accesses) {
    std::vector<std::uint64_t> key;
    for (const LocationAccess& a : accesses) {
        key.push_back(std::uint64_t{a.value} << 1 | (a.is_write ? 1 : 0));
    }
    const auto [it, fresh] = index_.try_emplace(std::move(key), static_cast<std::uint32_t>(sequences_.size()));
    if (fresh) {
        sequences_.push_back(std::make_unique<const LocationAccesses>(std::move(accesses)));
    }
    return it->second;
}

void Facts::close_reach(const Paths& paths) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t t = 0; t < threads_.size(); ++t) {
            for (const Shape& s : paths.threads[t].shapes) {
                for (const std::uint32_t start : s.starts) {
                    changed = changed || !is_subset(threads_[start].reach, threads_[t].reach);
                    add_all(threads_[t].reach, threads_[start].reach);
                }
            }
        }
    }
}

} // namespace heddle
