// The small parts that states are made of.
#include "search/stateful/contents.hpp"
#include "search/stateful/image_interner.hpp"
#include "search/stateful/interner.hpp"
#include "search/stateful/packed_list.hpp"
#include "search/stateful/partial_order.hpp"
#include "search/stateful/squeezed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>
#include <span>
#include <thread>
#include <vector>

namespace {

using heddle::Block;
using heddle::part_of;
using heddle::Value;
using heddle::stateful::Contents;
using heddle::stateful::ImageInterner;
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
                    const std::span<const std::uint32_t> asked(words);
                    const Interner::Id id =
                        worker % 2 == 0 ? interner.intern(asked) : interner.intern_prepared(asked, interner.prepare(asked));
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
    for (unsigned round = 0; round < 3'000; ++round) {
        std::vector<std::uint64_t> words(random() % 200);
        for (std::uint64_t& w : words) {
            const std::uint64_t any = random();
            w = any % 5 == 0 ? 0 : any % 5 == 1 ? ~std::uint64_t{0} : random() >> (any % 64);
            w = any % 7 == 0 ? w << 32 : w;
        }
        // Like some others: nothing, or words of another length of which some are the same, some nearly.
        std::vector<std::uint64_t> like(round % 3 == 0 ? 0 : random() % 200);
        for (std::size_t k = 0; k < like.size(); ++k) {
            const std::uint64_t any = random();
            like[k] = k < words.size() && any % 4 != 0 ? words[k] ^ (any % 4 == 1 ? any >> (any % 61) : 0) : any;
        }
        for (unsigned k = 0; k < round % 4 && !like.empty(); ++k) { // some have come in, or gone
            const auto at = like.begin() + static_cast<std::ptrdiff_t>(random() % like.size());
            random() % 2 == 0 ? like.insert(at, 1 + random() % 8, random()) : like.erase(at);
        }
        std::vector<std::uint8_t> squeezed = {7}, same = {7};
        heddle::stateful::squeeze(words, like, squeezed);
        heddle::stateful::squeeze(words, like, same);
        EXPECT_EQ(squeezed, same);
        const std::uint8_t* const end = heddle::stateful::unsqueeze(squeezed.data() + 1, like);
        EXPECT_EQ(like, words);
        EXPECT_EQ(end, squeezed.data() + squeezed.size());
    }
    for (const std::uint32_t number : {0u, 1u, 127u, 128u, 300u, 70'000u, ~0u}) {
        std::vector<std::uint8_t> squeezed;
        heddle::stateful::squeeze_number(number, squeezed);
        const std::uint8_t* from = squeezed.data();
        EXPECT_EQ(heddle::stateful::unsqueeze_number(from), number);
        EXPECT_EQ(from, squeezed.data() + squeezed.size());
    }
}

/// An image with a few words of another changed, one added or one less.
std::vector<std::uint64_t> next_image(std::vector<std::uint64_t> image, std::mt19937_64& random) {
    if (image.empty() || random() % 8 == 0) {
        image.push_back(random() % 3);
    } else if (random() % 8 == 0) {
        image.pop_back();
    }
    for (unsigned k = 0; k < 2 && !image.empty(); ++k) {
        image[random() % image.size()] = random() % 4 == 0 ? random() : random() % 4;
    }
    return image;
}

TEST(StatefulParts, AnImageIsFoundAgainWhateverItIsLike) {
    std::mt19937_64 random(1);
    ImageInterner interner(nullptr);
    std::map<std::vector<std::uint64_t>, ImageInterner::Id> known;
    std::vector<std::vector<std::uint64_t>> images = {{}};
    std::vector<std::uint64_t> again;
    for (unsigned round = 0; round < 20'000; ++round) {
        const auto& from = images[random() % images.size()];
        const auto words = next_image(from, random);
        const auto like = known.find(from);
        const ImageInterner::Id id =
            interner.intern(words, like != known.end() && round % 5 != 0 ? like->second : ImageInterner::kNone);
        const auto [at, fresh] = known.try_emplace(words, id);
        EXPECT_EQ(at->second, id);
        EXPECT_EQ(interner.size(), known.size());
        interner.take(id, again);
        EXPECT_EQ(again, words);
        images.push_back(words);
    }
    for (const auto& [words, id] : known) {
        interner.take(id, again);
        EXPECT_EQ(again, words);
    }
}

/// As with strings, above; what an image is kept by is another one that several workers add.
TEST(StatefulParts, WorkersInternTheSameImagesUnderTheSameNumbers) {
    constexpr std::size_t kWorkers = 4, kImages = 20'000;
    std::mt19937_64 random(1);
    std::vector<std::vector<std::uint64_t>> images = {{1, 2, 3}};
    std::vector<std::size_t> from = {0};
    for (std::uint64_t k = 1; k < kImages; ++k) {
        from.push_back(random() % images.size());
        images.push_back(next_image(images[from.back()], random));
        images.back().push_back(k); // so that all differ
    }
    Workforce workforce(kWorkers);
    ImageInterner interner(&workforce);
    std::vector<std::vector<ImageInterner::Id>> ids(kWorkers, std::vector<ImageInterner::Id>(kImages, ImageInterner::kNone));
    {
        std::vector<std::jthread> threads;
        for (std::size_t worker = 0; worker < kWorkers; ++worker) {
            threads.emplace_back([&, worker] {
                const Workforce::Shift shift(workforce, worker);
                std::vector<std::uint64_t> again;
                for (std::size_t k = 0; k < kImages; ++k) {
                    const std::size_t which = worker < 2 ? k : kImages - 1 - k;
                    const ImageInterner::Id id = interner.intern(images[which], ids[worker][from[which]]);
                    ids[worker][which] = id;
                    interner.take(id, again);
                    EXPECT_EQ(again, images[which]);
                }
            });
        }
    }
    for (const auto& of_worker : ids) {
        EXPECT_EQ(of_worker, ids[0]);
    }
    EXPECT_EQ(interner.size(), kImages);
}

/// Objects of all sizes, whole ones and those in pieces, against bytes in a row.
TEST(StatefulParts, ContentsAreWhatWasStored) {
    std::mt19937_64 random(1);
    Interner interner(nullptr);
    Contents contents(interner);
    for (const std::size_t size : {1u, 4u, 8u, 24u, 255u, 256u, 257u, 300u, 384u, 1000u}) {
        const auto block = Block::make(size, size % 3 == 0 ? Block::Content::Undefined : Block::Content::Zero);
        std::vector<Interner::Id> ids = {contents.intern(*block)};
        for (unsigned round = 0; round < 300; ++round) {
            const unsigned bytes = std::min<unsigned>(1u << random() % 5, static_cast<unsigned>(std::bit_floor(size)));
            const std::size_t at = random() % 2 == 0 ? random() % (size - bytes + 1) : (random() % (size - bytes + 1)) / 8 * 8;
            Value v{.lo = random() % 3, .hi = random() % 3};
            v.undef_lo = random() % 4 == 0 ? random() : 0;
            v = part_of(v, 0, bytes); // nothing outside of them
            block->store(at, bytes, v);
            ids.push_back(contents.store(ids.back(), at, bytes, v));
            EXPECT_EQ(ids.back(), contents.intern(*block)) << size << " " << at << " " << bytes;
            EXPECT_EQ(contents.load(ids.back(), at, bytes), v);
            const std::size_t elsewhere = random() % (size - bytes + 1);
            EXPECT_EQ(contents.load(ids.back(), elsewhere, bytes), block->load(elsewhere, bytes));
        }
        std::size_t words = 0;
        contents.each_word(ids.back(), [&](std::uint64_t word) { EXPECT_EQ(word, block->load(8 * words++, 8).lo); });
        EXPECT_EQ(words, size / 8);
        const auto twice = contents.changed(ids.back(), [](std::uint64_t word) { return word ^ 5; });
        EXPECT_EQ(contents.changed(twice, [](std::uint64_t word) { return word ^ 5; }), ids.back());
        EXPECT_EQ(twice == ids.back(), size < 8);
    }
}

} // namespace
