#include "frontend/generate/critical_cycles.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::generate {
namespace {

using Kind = Relation::Kind;

/// Whether the two in a row amount to one relation.
bool composes(const Relation& a, const Relation& b) {
    return (a.kind == Kind::Rf && b.kind == Kind::Fr) || (a.kind == Kind::Fr && b.kind == Kind::Co) ||
           (a.kind == Kind::Co && b.kind == Kind::Co) || (a.kind == Kind::Po && b.kind == Kind::Po);
}

bool may_follow(const Relation& a, const Relation& b) {
    const bool marks_agree = !a.target_mark || !b.source_mark || a.target_mark == b.source_mark;
    return a.target == b.source && marks_agree && !composes(a, b);
}

/// What one thread contributes: the relations inside it and the external communication that leaves it.
using Stretch = std::vector<Relation>;

/// What of a cycle is in the test, whatever its rotation: communications inside a thread are there by the values only.
using Test = std::vector<std::tuple<Relation, std::uint32_t, bool>>;

Test test_of(const Cycle& cycle) {
    Test test;
    for (std::size_t k = 0; k < cycle.relations.size(); ++k) {
        Relation relation = cycle.relations[k];
        relation.kind = relation.is_communication() && !relation.external ? Kind::Po : relation.kind;
        test.emplace_back(relation, cycle.accesses[k].value, cycle.accesses[k].fixed);
    }
    Test least = test;
    for (std::size_t k = 1; k < test.size(); ++k) {
        std::ranges::rotate(test, std::next(test.begin()));
        least = std::min(least, test);
    }
    return least;
}

bool changes_location(const Relation& relation) { return !relation.same_location; }

class Enumeration {
  public:
    Enumeration(const Vocabulary& vocabulary, const CriticalCycles& wanted, const std::function<bool(const Cycle&)>& visit)
        : vocabulary_(vocabulary), wanted_(wanted), visit_(visit) {
        relations_ = wanted.relations;
        std::ranges::sort(relations_);
        const auto [first, last] = std::ranges::unique(relations_);
        relations_.erase(first, last);
        Stretch stretch;
        grow_stretch(stretch);
        std::ranges::sort(stretches_, {}, [](const Stretch& s) { return std::pair<std::size_t, const Stretch&>(s.size(), s); });
    }

    bool run() {
        for (unsigned threads = wanted_.min_threads; threads <= wanted_.max_threads; ++threads) {
            threads_ = threads;
            for (std::size_t k = 0; k < stretches_.size(); ++k) {
                chosen_ = {k};
                if (!grow_cycle(stretches_[k].size())) {
                    return false;
                }
            }
        }
        return true;
    }

  private:
    /// Collects all stretches that start with `stretch`. A cycle has a further relation for every other thread, which bounds the length.
    void grow_stretch(Stretch& stretch) {
        if (stretch.size() + wanted_.min_threads > wanted_.max_length + 1) {
            return;
        }
        const bool moved = std::ranges::any_of(stretch, changes_location);
        for (const Relation& relation : relations_) {
            if ((!stretch.empty() && !may_follow(stretch.back(), relation)) || (moved && changes_location(relation))) {
                continue;
            }
            stretch.push_back(relation);
            if (relation.external) {
                if (stretch.size() + wanted_.min_threads <= wanted_.max_length + 1) {
                    stretches_.push_back(stretch);
                }
            } else {
                grow_stretch(stretch);
            }
            stretch.pop_back();
        }
    }

    /// Adds threads to `chosen_`, which has `length` relations.
    bool grow_cycle(std::size_t length) {
        if (chosen_.size() == threads_) {
            return finish();
        }
        const std::size_t missing = threads_ - chosen_.size();
        // A later stretch with a smaller number would make this a rotation of another cycle.
        for (std::size_t k = chosen_.front(); k < stretches_.size(); ++k) {
            if (length + stretches_[k].size() + (missing - 1) > wanted_.max_length) {
                break; // they are sorted by size
            }
            if (may_follow(stretches_[chosen_.back()].back(), stretches_[k].front())) {
                chosen_.push_back(k);
                const bool go_on = grow_cycle(length + stretches_[k].size());
                chosen_.pop_back();
                if (!go_on) {
                    return false;
                }
            }
        }
        return true;
    }

    bool finish() {
        if (!may_follow(stretches_[chosen_.back()].back(), stretches_[chosen_.front()].front()) || !is_least_rotation()) {
            return true;
        }
        std::vector<Relation> relations;
        for (const std::size_t k : chosen_) {
            relations.insert(relations.end(), stretches_[k].begin(), stretches_[k].end());
        }
        // What is no cycle after all (a single change of location, several steps at one location) is not counted.
        const auto cycle = make_cycle(vocabulary_, std::move(relations));
        return !cycle || !seen_.insert(test_of(*cycle)).second || visit_(*cycle);
    }

    [[nodiscard]] bool is_least_rotation() const {
        std::vector<std::size_t> turned = chosen_;
        for (std::size_t k = 1; k < chosen_.size(); ++k) {
            std::ranges::rotate(turned, std::next(turned.begin()));
            if (turned < chosen_) {
                return false;
            }
        }
        return true;
    }

    const Vocabulary& vocabulary_;
    const CriticalCycles& wanted_;
    const std::function<bool(const Cycle&)>& visit_;
    std::vector<Relation> relations_;
    std::vector<Stretch> stretches_;
    unsigned threads_ = 0;
    std::vector<std::size_t> chosen_; ///< the stretches of the cycle so far
    std::set<Test> seen_;
};

} // namespace

bool for_each_critical_cycle(const Vocabulary& vocabulary, const CriticalCycles& wanted,
                             const std::function<bool(const Cycle&)>& visit) {
    return Enumeration(vocabulary, wanted, visit).run();
}

} // namespace heddle::generate
