// What PendingMoves looks up against what it works out: random operations on stores of all sizes that overlap, with values of all forms.
#include "search/stateful/pending_moves.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <random>

namespace heddle::stateful {
namespace {

std::string text_of(const Value& v) { return fmt::format("{:x}.{:x}/{:x}.{:x}", v.lo, v.hi, v.undef_lo, v.undef_hi); }

/// All that a way leads to.
struct Outcome {
    std::string text;
    PendingStores pending;
};

std::vector<Outcome> outcomes(PendingMoves& moves, PendingStores& before, const Operation& op) {
    std::vector<Outcome> all;
    const PendingStores kept = before;
    moves.each(before, op, false, [&](const PendingMoves::Way& way) {
        Outcome o{.text = way.contended ? "contended" : "", .pending = kept};
        for (const Landed& l : way.landed) {
            if (l.visible) {
                o.text += fmt::format(" {}:{}={}", l.store.address, l.store.size, text_of(l.store.value));
            }
        }
        if (way.own.which != 0) {
            o.text += fmt::format(" own {:x} {}", way.own.which, text_of(way.own.value));
        }
        moves.take(way, o.pending);
        std::vector<std::uint64_t> shape;
        std::vector<std::uint32_t> values;
        if (!o.pending.empty()) {
            o.pending.encode_shape(shape);
            o.pending.encode_values(values);
        }
        o.text += fmt::format(" left {:x} {:x}", fmt::join(shape, "."), fmt::join(values, "."));
        all.push_back(std::move(o));
    });
    return all;
}

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::uint64_t below(std::uint64_t n) { return engine_() % n; }

    Operation operation() {
        using Kind = Operation::Kind;
        static constexpr Kind kKinds[] = {Kind::Load, Kind::Load,        Kind::Update,       Kind::Drain,
                                          Kind::Push, Kind::FenceStores, Kind::PushAndDrain, Kind::Push};
        Operation op{.kind = kKinds[below(std::size(kKinds))], .after_all = below(4) == 0};
        op.store.thread = static_cast<std::uint32_t>(below(3));
        op.store.size = static_cast<std::uint8_t>(1u << below(5));
        op.store.address = 0x1000 + below(32 / op.store.size) * op.store.size;
        if (op.kind == Kind::Push || op.kind == Kind::PushAndDrain) {
            op.store.place = PlaceId(static_cast<std::uint32_t>(below(2)));
            op.store.value.lo = value(std::min<unsigned>(op.store.size, 8));
            op.store.value.hi = op.store.size == 16 ? value(8) : 0;
            if (below(6) == 0) {
                op.store.value.undef_lo = value(std::min<unsigned>(op.store.size, 8));
            }
        }
        return op;
    }

  private:
    std::uint64_t value(unsigned bytes) { return (below(2) == 0 ? below(3) : engine_()) & mask_of_bits(8 * bytes); }
    std::mt19937_64 engine_;
};

class PendingMovesOf : public testing::TestWithParam<Buffer> {};

TEST_P(PendingMovesOf, AreLookedUpAsTheyAreWorkedOut) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        Random random(seed);
        const std::uint64_t bound = random.below(4) == 0 ? 1 + random.below(3) : 0;
        Interner shapes(nullptr);
        PendingMoves remembers(shapes, GetParam(), bound, true);
        PendingMoves works_out(shapes, GetParam(), bound, false);
        // A few of the operations come again and again, with other values, so that much is looked up.
        std::vector<Operation> few;
        for (unsigned k = 0; k < 6; ++k) {
            few.push_back(random.operation());
        }
        PendingStores pending;
        for (unsigned step = 0; step < 60; ++step) {
            Operation op = few[random.below(few.size())];
            if (op.store.value != Value{}) {
                op.store.value.lo ^= random.below(2);
            }
            PendingStores copy = pending;
            std::vector<Outcome> expected;
            std::vector<Outcome> found;
            try {
                expected = outcomes(works_out, copy, op);
            } catch (const TooManyWays&) {
                break;
            }
            found = outcomes(remembers, pending, op);
            ASSERT_EQ(found.size(), expected.size()) << "seed " << seed << ", step " << step;
            for (std::size_t k = 0; k < found.size(); ++k) {
                ASSERT_EQ(found[k].text, expected[k].text) << "seed " << seed << ", step " << step << ", way " << k;
            }
            PendingStores next = std::move(found[random.below(found.size())].pending);
            pending = std::move(next);
            if (pending.all().size() > 6) {
                pending.clear();
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Buffers, PendingMovesOf, testing::Values(Buffer::PerThread, Buffer::PerLocation));

} // namespace
} // namespace heddle::stateful
