// Relation against the definitions, on random relations: of a word a row, of several, and around the border.
#include "graph/relation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

namespace heddle {
namespace {

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

Pairs pairs_of(const Relation& r) {
    Pairs all;
    for (std::size_t a = 0; a < r.size(); ++a) {
        for (std::size_t b = 0; b < r.size(); ++b) {
            if (r.contains(a, b)) {
                all.emplace(a, b);
            }
        }
    }
    Pairs visited;
    r.for_each([&](std::size_t a, std::size_t b) { visited.emplace(a, b); });
    EXPECT_EQ(visited, all);
    return all;
}

Pairs composed(const Pairs& first, const Pairs& second) {
    Pairs all;
    for (const auto& [a, b] : first) {
        for (auto it = second.lower_bound({b, 0}); it != second.end() && it->first == b; ++it) {
            all.emplace(a, it->second);
        }
    }
    return all;
}

Pairs closed(Pairs r) {
    for (std::size_t before = 0; before != r.size();) {
        before = r.size();
        r.merge(composed(r, r));
    }
    return r;
}

bool has_loop(const Pairs& r) {
    return std::ranges::any_of(r, [](const auto& p) { return p.first == p.second; });
}

class RelationOf : public testing::TestWithParam<std::size_t> {
  protected:
    /// A few pairs for each element; without cycles if they are to go up only.
    Relation random(bool up) {
        Relation r(n_);
        for (std::size_t k = 0; k < n_ + n_ / 2; ++k) {
            const std::size_t a = random_() % n_;
            const std::size_t b = random_() % n_;
            if (!up || a < b) {
                r.add(a, b);
            }
        }
        return r;
    }
    Relation random_set() {
        return Relation::identity(n_, [&](std::size_t) { return random_() % 2 == 0; });
    }

    std::size_t n_ = GetParam();
    std::mt19937_64 random_{n_};
};
INSTANTIATE_TEST_SUITE_P(Sizes, RelationOf, testing::Values(1, 2, 63, 64, 65, 128, 130));

TEST_P(RelationOf, IsAsDefined) {
    for (unsigned round = 0; round < 2; ++round) {
        const Relation r = random(round % 2 == 0);
        const Relation s = random(false);
        const Relation set = random_set();
        const Pairs pr = pairs_of(r);
        const Pairs ps = pairs_of(s);
        const Pairs pset = pairs_of(set);
        Pairs both;
        Pairs either = ps;
        Pairs only = pr;
        Pairs turned;
        Pairs perhaps = pr;
        Pairs odd;
        for (const auto& p : pr) {
            if (ps.contains(p)) {
                both.insert(p);
                only.erase(p);
            }
            if ((p.first + p.second) % 2 == 1) {
                odd.insert(p);
            }
            either.insert(p);
            turned.emplace(p.second, p.first);
        }
        for (std::size_t a = 0; a < n_; ++a) {
            perhaps.emplace(a, a);
        }
        EXPECT_EQ(pairs_of(r & s), both);
        EXPECT_EQ(pairs_of(r | s), either);
        EXPECT_EQ(pairs_of(r - s), only);
        EXPECT_EQ(pairs_of(r.inverse()), turned);
        EXPECT_EQ(pairs_of(r.maybe()), perhaps);
        EXPECT_EQ(pairs_of(r.filtered([](std::size_t a, std::size_t b) { return (a + b) % 2 == 1; })), odd);
        EXPECT_EQ(pairs_of(r.then(s)), composed(pr, ps));
        // Composing with a set takes a shortcut of its own, on either side, and so does what is made of sets.
        EXPECT_EQ(pairs_of(r.then(set)), composed(pr, pset));
        EXPECT_EQ(pairs_of(set.then(r)), composed(pset, pr));
        EXPECT_EQ(pairs_of(set.then(random_set() | set).then(r)), composed(pset, pr));
        EXPECT_EQ(pairs_of(r.then(set | s)), composed(pr, pairs_of(set | s)));
        EXPECT_EQ(pairs_of(r.closure()), closed(pr));
        EXPECT_EQ(r.acyclic(), !has_loop(closed(pr)));
        EXPECT_EQ(s.acyclic(), !has_loop(closed(ps)));
        EXPECT_EQ(r.irreflexive(), !has_loop(pr));
        EXPECT_EQ(s.irreflexive(), !has_loop(ps));
        EXPECT_EQ(r.empty(), pr.empty());
        EXPECT_TRUE((r - r).empty());
    }
}

TEST_P(RelationOf, StaysClosed) {
    Relation r(n_);
    Pairs pairs;
    for (std::size_t k = 0; k < n_ / 2 + 1; ++k) {
        const std::size_t a = random_() % n_;
        const std::size_t b = random_() % n_;
        r.add_closed(a, b);
        pairs.emplace(a, b);
    }
    EXPECT_EQ(pairs_of(r), closed(pairs));
}

TEST_P(RelationOf, ChangesByAssignment) {
    Relation r = random(false);
    const Pairs before = pairs_of(r);
    const Relation copy = r;
    r.add(0, n_ - 1);
    EXPECT_TRUE(r.contains(0, n_ - 1));
    r.remove(0, n_ - 1);
    EXPECT_FALSE(r.contains(0, n_ - 1));
    EXPECT_EQ(pairs_of(copy), before);
    Relation small(3); // from few words to many and back
    small.add(1, 2);
    Relation changing = small;
    changing = copy;
    EXPECT_EQ(changing, copy);
    changing = small;
    EXPECT_EQ(pairs_of(changing), (Pairs{{1, 2}}));
}

} // namespace
} // namespace heddle
