#include "search/stateful/termination.hpp"

#include <algorithm>
#include <set>

namespace heddle::stateful {
namespace {

/// Tarjan's algorithm, with a stack of its own instead of recursion.
class Components {
  public:
    explicit Components(const std::vector<std::vector<std::uint32_t>>& next)
        : next_(next), number_(next.size(), 0), low_(next.size(), 0), component_(next.size(), kNone) {
        for (std::uint32_t v = 0; v < next.size(); ++v) {
            if (number_[v] == 0) {
                visit(v);
            }
        }
    }
    [[nodiscard]] const std::vector<std::uint32_t>& of_states() const { return component_; }
    [[nodiscard]] std::uint32_t count() const { return count_; }

  private:
    static constexpr std::uint32_t kNone = 0xffff'ffff;
    void enter(std::uint32_t v) {
        number_[v] = low_[v] = ++visited_;
        open_.push_back(v);
        path_.push_back({v, 0});
    }
    void visit(std::uint32_t root) {
        enter(root);
        while (!path_.empty()) {
            auto& [v, at] = path_.back();
            if (at < next_[v].size()) {
                const std::uint32_t w = next_[v][at++];
                if (number_[w] == 0) {
                    enter(w);
                } else if (component_[w] == kNone) {
                    low_[v] = std::min(low_[v], number_[w]);
                }
                continue;
            }
            const std::uint32_t done = v;
            path_.pop_back();
            if (!path_.empty()) {
                low_[path_.back().first] = std::min(low_[path_.back().first], low_[done]);
            }
            if (low_[done] == number_[done]) {
                for (std::uint32_t w = kNone; w != done;) {
                    w = open_.back();
                    open_.pop_back();
                    component_[w] = count_;
                }
                ++count_;
            }
        }
    }

    const std::vector<std::vector<std::uint32_t>>& next_;
    std::vector<std::uint32_t> number_; ///< in the order visited, from 1; 0: not visited
    std::vector<std::uint32_t> low_;
    std::vector<std::uint32_t> component_;
    std::vector<std::uint32_t> open_;
    std::vector<std::pair<std::uint32_t, std::size_t>> path_; ///< a state, and how many of its steps were taken
    std::uint32_t visited_ = 0;
    std::uint32_t count_ = 0;
};

} // namespace

std::optional<Step> endless_step(const std::vector<Step>& steps) {
    std::vector<StateSet::Id> ids;
    for (const Step& s : steps) {
        ids.insert(ids.end(), {s.from, s.to});
    }
    std::ranges::sort(ids);
    ids.erase(std::ranges::unique(ids).begin(), ids.end());
    const auto position = [&](StateSet::Id id) {
        return static_cast<std::uint32_t>(std::ranges::lower_bound(ids, id) - ids.begin());
    };
    std::vector<std::vector<std::uint32_t>> next(ids.size());
    for (const Step& s : steps) {
        next[position(s.from)].push_back(position(s.to));
    }
    const Components components(next);
    const auto& of = components.of_states();

    struct Component {
        std::uint32_t states = 0;
        std::set<std::uint32_t> moving{};                            ///< who takes a step within
        std::vector<std::pair<std::uint32_t, std::uint32_t>> able{}; ///< who could where: mover and state
        std::optional<Step> shown{};
    };
    std::vector<Component> all(components.count());
    for (const std::uint32_t c : of) {
        ++all[c].states;
    }
    for (const Step& s : steps) {
        const std::uint32_t from = position(s.from);
        Component& c = all[of[from]];
        c.able.emplace_back(s.mover, from);
        if (of[position(s.to)] == of[from]) {
            c.moving.insert(s.mover);
            if (!c.shown && s.mover < kFlush) {
                c.shown = s;
            }
        }
    }
    for (Component& c : all) {
        if (!c.shown) {
            continue; // nobody does anything for ever
        }
        std::ranges::sort(c.able);
        c.able.erase(std::ranges::unique(c.able).begin(), c.able.end());
        bool fair = true;
        for (std::size_t k = 0; k < c.able.size();) {
            const std::uint32_t mover = c.able[k].first;
            std::uint32_t states = 0;
            for (; k < c.able.size() && c.able[k].first == mover; ++k) {
                ++states;
            }
            fair = fair && (states < c.states || c.moving.contains(mover)); // else it could go on everywhere and never does
        }
        if (fair) {
            return c.shown;
        }
    }
    return std::nullopt;
}

} // namespace heddle::stateful
