// Random programs of which threads wait, and what for is chosen so that it matters.
#include "campaign.hpp"

#include <algorithm>
#include <random>

namespace heddle::testing_support {

/// Threads that wait for a combination of two locations, and writers of them.
RandomProgram with_waiting_iterations(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto pick = [&](std::uint64_t n) { return static_cast<std::uint8_t>(random() % n); };
    using Kind = Operation::Kind;
    const auto access = [&](std::uint8_t locations) {
        const bool stores = pick(3) > 0;
        const Order order = pick(3) == 0   ? Order::SeqCst
                            : pick(2) == 0 ? Order::Relaxed
                            : stores       ? Order::Release
                                           : Order::Acquire;
        Operation o{.kind = stores ? Kind::Store : Kind::Load, .order = order, .location = pick(locations), .value = pick(3)};
        return pick(5) > 0 ? o : Operation{.kind = Kind::If, .value = pick(2), .body = {o}};
    };
    const auto loop = [&] {
        const std::uint8_t first = pick(2);
        const auto order = [&] { return pick(3) == 0 ? Order::SeqCst : pick(2) == 0 ? Order::Relaxed : Order::Acquire; };
        Operation o{.kind = Kind::Retry,
                    .order = order(),
                    .wait = pick(2) == 0 ? Wait::NotEqual : Wait::Equal,
                    .again = Operation::Again::Until,
                    .location = first,
                    .operand = pick(3),
                    .body = {{.kind = Kind::Load, .order = order(), .location = static_cast<std::uint8_t>(1 - first)}}};
        return o;
    };
    RandomProgram program{.locations = 3, .threads = {{}, {}}};
    if (pick(3) == 0) {
        program.threads.emplace_back();
    }
    for (std::size_t k = 0; k < program.threads.size(); ++k) {
        auto& operations = program.threads[k].operations;
        for (std::uint8_t n = program.threads.size() == 2 ? 1 + pick(3) : 1 + pick(2); n > 0; --n) {
            operations.push_back(access(k == 2 ? 1 : 3)); // a third thread leaves one of the locations alone
        }
        if (k == 0 || (k == 1 && pick(3) == 0)) {
            operations.insert(operations.begin() + pick(operations.size() + 1), loop());
        }
    }
    std::ranges::shuffle(program.threads, random);
    return program;
}

/// Three threads or four, of which some wait for combinations of two locations, any of which may be the good ones, and all write: nobody knows of the others' writes but by
/// what he reads.
RandomProgram with_strangers(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto pick = [&](std::uint64_t n) { return static_cast<std::uint8_t>(random() % n); };
    using Kind = Operation::Kind;
    const bool relaxed = pick(2) == 0;
    const std::uint8_t locations = 2 + pick(2);
    const std::uint8_t values = 2 + pick(2);
    const auto order = [&](Order strong) {
        return relaxed || pick(3) == 0 ? Order::Relaxed : pick(2) == 0 ? Order::SeqCst : strong;
    };
    const auto access = [&] {
        const bool stores = pick(5) < 3;
        Operation o{.kind = stores ? Kind::Store : Kind::Load,
                    .order = order(stores ? Order::Release : Order::Acquire),
                    .location = pick(locations),
                    .value = pick(values)};
        return pick(3) > 0 ? o : Operation{.kind = Kind::If, .value = pick(values), .body = {o}};
    };
    const auto loop = [&] {
        const std::uint8_t first = pick(2);
        Operation o{
            .kind = Kind::Retry,
            .order = order(Order::Acquire),
            .wait = pick(2) == 0 ? Wait::NotEqual : Wait::Equal,
            .again = pick(4) == 0 ? Operation::Again::Until : Operation::Again::Pair,
            .location = first,
            .operand = pick(values),
            .pairs = static_cast<std::uint16_t>(1 + pick(255) * 2 + pick(2) * 255),
            .body = {{.kind = Kind::Load, .order = order(Order::Acquire), .location = static_cast<std::uint8_t>(1 - first)}}};
        return o;
    };
    RandomProgram program{.locations = 3, .threads = {}};
    program.threads.resize(3 + (pick(3) == 0 ? 1 : 0));
    const std::size_t threads = program.threads.size();
    for (std::size_t k = 0; k < threads; ++k) {
        auto& operations = program.threads[k].operations;
        const bool waits = k == 0 || pick(3) == 0;
        for (std::uint8_t n = threads == 4 || waits ? 1 + pick(2) : 1 + pick(3); n > 0; --n) {
            operations.push_back(access());
        }
        if (waits) {
            operations.insert(operations.begin() + pick(operations.size() + 1), loop());
        }
    }
    std::ranges::shuffle(program.threads, random);
    return program;
}

/// Threads that spin on one location until several reads of it tell them to go on, and perhaps a compare-exchange then succeeds; writers and updates of it that know nothing
/// of each other; another location to pass messages through.
RandomProgram with_spinning_on_one(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto pick = [&](std::uint64_t n) { return static_cast<std::uint8_t>(random() % n); };
    using Kind = Operation::Kind;
    const bool relaxed = pick(3) == 0; // then everything has most to do with everything
    const auto order = [&](Order strong) {
        return relaxed || pick(2) == 0 ? Order::Relaxed : pick(3) == 0 ? Order::SeqCst : strong;
    };
    const auto access = [&] {
        const std::uint8_t location = pick(4) == 0 ? 1 : 0;
        Operation o{.location = location, .value = pick(3), .expected = pick(2)};
        const std::uint8_t kind = pick(12);
        o.kind = kind < 5    ? Kind::Store
                 : kind < 8  ? Kind::Rmw
                 : kind < 9  ? Kind::CompareExchange
                 : kind < 11 ? Kind::Load
                             : Kind::Spin;
        o.order = order(o.kind == Kind::Store                          ? Order::Release
                        : o.kind == Kind::Load || o.kind == Kind::Spin ? Order::Acquire
                                                                       : Order::AcqRel);
        if (o.kind == Kind::Rmw) {
            o.rmw = pick(2) == 0 ? RmwOp::Add : RmwOp::Xchg;
        } else if (o.kind == Kind::Spin) {
            constexpr std::array kKinds{Kind::Spin, Kind::WaitLoad, Kind::WaitRmw};
            o.kind = kKinds[pick(kKinds.size())];
            o.wait = pick(2) == 0 ? Wait::NotEqual : Wait::Equal;
            o.operand = pick(3);
        }
        return pick(6) > 0 || o.kind == Kind::Load ? o : Operation{.kind = Kind::If, .value = pick(2), .body = {o}};
    };
    const auto loop = [&] {
        Operation o{.kind = Kind::Retry,
                    .order = order(Order::Acquire),
                    .again = pick(2) == 0 ? Operation::Again::Pair : Operation::Again::PairExchange,
                    .value = pick(3),
                    .pairs = static_cast<std::uint16_t>(1 + pick(255) * 2 + pick(2) * 255)};
        o.pairs &= pick(2) == 0 ? 511 : 0b111'000'111; // rows without any fail at once
        for (std::uint8_t n = o.again == Operation::Again::Pair ? 1 + pick(2) : pick(3); n > 0; --n) {
            o.body.push_back(pick(8) == 0
                                 ? Operation{.kind = Kind::Fence,
                                             .order = order(Order::Acquire) == Order::SeqCst ? Order::SeqCst : Order::Acquire}
                                 : Operation{.kind = Kind::Load, .order = order(Order::Acquire)});
        }
        return o;
    };
    RandomProgram program;
    program.threads.resize(2 + (pick(3) > 0 ? 1 : 0) + (pick(4) == 0 ? 1 : 0));
    const std::size_t threads = program.threads.size();
    for (std::size_t k = 0; k < threads; ++k) {
        auto& operations = program.threads[k].operations;
        const bool waits = k == 0 || pick(2) == 0;
        for (std::uint8_t n = threads == 2 ? 1 + pick(3) : waits ? pick(2) : threads == 3 ? 1 + pick(2) : 1; n > 0; --n) {
            operations.push_back(access());
        }
        if (waits) {
            operations.insert(operations.begin() + pick(operations.size() + 1), loop());
        }
    }
    std::ranges::shuffle(program.threads, random);
    return program;
}

} // namespace heddle::testing_support
