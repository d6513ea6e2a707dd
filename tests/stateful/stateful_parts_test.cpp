// The small parts that states are made of.
#include "search/stateful/interner.hpp"
#include "search/stateful/packed_list.hpp"
#include "search/stateful/partial_order.hpp"
#include "search/stateful/squeezed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <span>
#include <thread>
#include <vector>

namespace {

using heddle::stateful::Interner;
using heddle::stateful::pack_list;
using heddle::stateful::PartialOrder;
using heddle::stateful::unpack_list;
using heddle::stateful::Workforce;

/// The plain definition.
class Matrix {
  public:
    [[nodiscard]] std::size_t size() const { return before_.size(); }
    [[nodiscard]] bool is_before(std::size_t a, std::size_t b) const { return before_[a][b]; }
    void insert(std::size_t at) {
        for (auto& r : before_) {
            r.insert(r.begin() + static_cast<std::ptrdiff_t>(at), false);
        }
        before_.insert(before_.begin() + static_cast<std::ptrdiff_t>(at), std::vector<bool>(before_.size() + 1, false));
    }
    void remove(std::size_t at) {
        before_.erase(before_.begin() + static_cast<std::ptrdiff_t>(at));
        for (auto& r : before_) {
            r.erase(r.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
    void order(std::size_t a, std::size_t b) {
        before_[a][b] = true;
        for (std::size_t k = 0; k < size(); ++k) {
            for (std::size_t x = 0; x < size(); ++x) {
                for (std::size_t y = 0; before_[x][k] && y < size(); ++y) {
                    before_[x][y] = before_[x][y] || before_[k][y];
                }
            }
        }
    }

  private:
    std::vector<std::vector<bool>> before_;
};

void expect_equal(const PartialOrder& order, const Matrix& matrix) {
    ASSERT_EQ(order.size(), matrix.size());
    for (std::size_t a = 0; a < matrix.size(); ++a) {
        for (std::size_t b = 0; b < matrix.size(); ++b) {
            ASSERT_EQ(order.is_before(a, b), matrix.is_before(a, b)) << a << " " << b << " of " << matrix.size();
        }
    }
}

void change_at_random(std::size_t most, unsigned steps, std::uint32_t seed) {
    std::mt19937 random(seed);
    PartialOrder order;
    Matrix matrix;
    for (unsigned k = 0; k < steps; ++k) {
        const std::size_t n = matrix.size();
        const auto any = [&](std::size_t count) { return random() % count; };
        if (n < 2 || (n < most && any(3) == 0)) {
            const std::size_t at = any(n + 1);
            order.insert(at);
            matrix.insert(at);
        } else if (any(4) == 0) {
            const std::size_t at = any(n);
            order.remove(at);
            matrix.remove(at);
        } else {
            const std::size_t a = any(n), b = any(n), c = any(n);
            const auto fits = [&](std::size_t x) { return x != b && !matrix.is_before(b, x); };
            order.put_after(b, [&](std::size_t x) { return (x == a || x == c) && fits(x); });
            for (const std::size_t x : {a, c}) {
                if (fits(x)) {
                    matrix.order(x, b);
                }
            }
        }
        expect_equal(order, matrix);
        std::vector<std::uint64_t> words = {7};
        order.encode(words);
        EXPECT_EQ(words.size(), 1 + (order.size() * order.size() + 63) / 64);
        PartialOrder again;
        again.decode(order.size(), std::span(words).subspan(1));
        expect_equal(again, matrix);
    }
}

TEST(StatefulParts, APartialOrderIsOne) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        change_at_random(8, 200, seed);
    }
}

TEST(StatefulParts, APartialOrderOfMoreThanAWordIsOne) {
    PartialOrder order;
    Matrix matrix;
    std::mt19937 random(1);
    for (std::size_t n = 0; n < 130; ++n) { // a chain, as of a buffer, and something that is not ordered with it now and then
        const std::size_t at = random() % (n + 1);
        order.insert(at);
        matrix.insert(at);
        if (n % 3 != 0) {
            order.put_after(at, [&](std::size_t k) { return k < at && k % 5 != 0; });
            for (std::size_t k = 0; k < at; ++k) {
                if (k % 5 != 0 && !matrix.is_before(k, at)) {
                    matrix.order(k, at);
                }
            }
        }
    }
    expect_equal(order, matrix);
    std::vector<std::uint64_t> words;
    order.encode(words);
    PartialOrder again;
    again.decode(order.size(), words);
    expect_equal(again, matrix);
    for (std::size_t n = 130; n > 0; --n) {
        const std::size_t at = random() % n;
        order.remove(at);
        matrix.remove(at);
        if (n % 16 == 1 || (n > 60 && n < 70)) {
            expect_equal(order, matrix);
        }
    }
}

TEST(StatefulParts, AListComesBack) {
    std::mt19937 random(1);
    std::vector<std::uint32_t> packed, again;
    for (unsigned round = 0; round < 300; ++round) {
        std::vector<std::uint32_t> list(random() % (round % 10 == 0 ? 200 : 10));
        const unsigned bits = 1 + random() % 32;
        for (std::uint32_t& number : list) {
            number = random() >> (32 - bits);
        }
        pack_list(list, packed);
        unpack_list(packed, again);
        EXPECT_EQ(again, list);
    }
    pack_list(std::vector<std::uint32_t>{1, 255, 3}, packed);
    EXPECT_EQ(packed.size(), 1u);
}

TEST(StatefulParts, WhatWasInternedIsFoundAgain) {
    std::mt19937 random(1);
    Interner interner(nullptr);
    std::map<std::vector<std::uint32_t>, Interner::Id> known;
    for (unsigned round = 0; round < 20'000; ++round) {
        std::vector<std::uint32_t> words(random() % 8);
        for (std::uint32_t& word : words) {
            word = random() % 6;
        }
        const Interner::Id id = interner.intern(std::span<const std::uint32_t>(words));
        const auto [at, fresh] = known.try_emplace(words, id);
        EXPECT_EQ(at->second, id);
        EXPECT_EQ(interner.size(), known.size());
    }
    for (const auto& [words, id] : known) {
        EXPECT_TRUE(std::ranges::equal(interner[id], words));
    }
}

/// All put the same strings in at the same time, each in an order of its own; the table is enlarged again and again meanwhile.
TEST(StatefulParts, WorkersInternTheSameStringsUnderTheSameNumbers) {
    constexpr std::size_t kWorkers = 4, kStrings = 30'000;
    const auto string = [](std::size_t k) {
        std::vector<std::uint32_t> words(1 + k % 7, static_cast<std::uint32_t>(k / 3)); // short ones and long ones
        words[0] = static_cast<std::uint32_t>(k);
        return words;
    };
    Workforce workforce(kWorkers);
    Interner interner(&workforce);
    std::vector<std::vector<Interner::Id>> ids(kWorkers, std::vector<Interner::Id>(kStrings));
    {
        std::vector<std::jthread> threads;
        for (std::size_t worker = 0; worker < kWorkers; ++worker) {
            threads.emplace_back([&, worker] {
                const Workforce::Shift shift(workforce, worker);
                for (std::size_t k = 0; k < kStrings; ++k) {
                    // Two at a time go the same way, so that both are often the first; the others meet them.
                    const std::size_t which = worker < 2 ? k : kStrings - 1 - k;
                    const auto words = string(which);
                    const Interner::Id id = interner.intern(std::span<const std::uint32_t>(words));
                    ids[worker][which] = id;
                    EXPECT_TRUE(std::ranges::equal(interner[id], words));
                }
            });
        }
    }
    for (const auto& of_worker : ids) {
        EXPECT_EQ(of_worker, ids[0]);
    }
    EXPECT_EQ(interner.size(), kStrings);
    const std::set<Interner::Id> different(ids[0].begin(), ids[0].end());
    EXPECT_EQ(different.size(), kStrings);
    EXPECT_EQ(interner.find(std::vector<std::uint64_t>{~std::uint64_t{0}}), std::nullopt);
}

TEST(StatefulParts, WhatIsSqueezedComesBack) {
    std::mt19937_64 random(1);
    for (unsigned round = 0; round < 300; ++round) {
        std::vector<std::uint64_t> words(random() % 200);
        for (std::uint64_t& w : words) {
            const std::uint64_t any = random();
            w = any % 5 == 0 ? 0 : any % 5 == 1 ? ~std::uint64_t{0} : random() >> (any % 64);
            w = any % 7 == 0 ? w << 32 : w;
        }
        std::vector<std::uint32_t> squeezed, same;
        heddle::stateful::squeeze(words, squeezed);
        heddle::stateful::squeeze(words, same);
        EXPECT_EQ(squeezed, same);
        std::vector<std::uint64_t> back;
        heddle::stateful::unsqueeze(squeezed, back);
        EXPECT_EQ(back, words);
    }
}

} // namespace
