#include "random_program.hpp"

#include <array>
#include <random>

namespace heddle::testing_support {
namespace {

using Kind = Operation::Kind;

constexpr std::array kFences{FenceKind::MFence, FenceKind::SFence, FenceKind::LFence, FenceKind::DmbSt, FenceKind::DmbSy};

/// Makes operations as a Shape asks for.
class Generator {
  public:
    Generator(std::uint64_t seed, const Shape& shape) : random_(seed), shape_(shape) {}

    RandomProgram make() {
        RandomProgram p{.locations = shape_.locations, .threads = {}};
        if (shape_.heap) {
            p.shelves = shelves_ = number(1, 3);
            undefined_ = pick(2) == 0;
        }
        if (shape_.few) {
            choose_words();
        }
        for (unsigned k = 0; k < shape_.threads; ++k) {
            RandomThread t{.operations = shape_.few      ? words(1 + pick(shape_.operations))
                                         : shape_.chains ? chain()
                                                         : operations(shape_.operations)};
            if (shape_.heap) {
                begin_with_pointers(t.operations);
            }
            if (k > 0 && shape_.nests && pick(2) == 0) {
                t.spawned_after = static_cast<std::uint8_t>(pick(shape_.operations + 1u));
            }
            p.threads.push_back(std::move(t));
        }
        p.joins = shape_.joins && pick(4) != 0;
        if (p.joins) {
            p.after_join = operations(1 + pick(2));
        }
        return p;
    }

  private:
    std::uint64_t pick(std::uint64_t n) { return random_() % n; }
    std::uint8_t number(std::uint64_t from, std::uint64_t below) { return static_cast<std::uint8_t>(from + pick(below - from)); }
    Order any_of(std::initializer_list<Order> orders) { return *(orders.begin() + pick(orders.size())); }

    Operations operations(std::uint64_t n) {
        Operations all;
        while (all.size() < n) {
            add(all);
        }
        return all;
    }

    // A few kinds of operations: small programs in which everything has to do with everything. They show what others hit too seldom: that a wait could
    // already go on when a lower thread writes (Disagreements, dpor_test.cpp) was missed by hundreds of thousands of those, and takes some thousand of these.
    void choose_words() {
        Operations all{{.kind = Kind::Load},
                       {.kind = Kind::Store},
                       {.kind = Kind::Store, .value = 0},
                       {.kind = Kind::Rmw, .rmw = RmwOp::Add}};
        if (shape_.control) {
            all.push_back({.kind = Kind::If, .body = {{.kind = Kind::Store}}});
        }
        if (shape_.waits) {
            all.insert(all.end(), {{.kind = Kind::WaitLoad, .wait = Wait::NotEqual},
                                   {.kind = Kind::Spin, .wait = Wait::Equal},
                                   {.kind = Kind::WaitRmw, .rmw = RmwOp::Xchg, .wait = Wait::Equal},
                                   {.kind = Kind::Lock},
                                   {.kind = Kind::Unlock}});
        }
        if (shape_.retries) {
            all.insert(
                all.end(),
                {{.kind = Kind::Retry, .again = Operation::Again::Exchange, .body = {{.kind = Kind::Load}}},
                 {.kind = Kind::Retry, .wait = Wait::NotEqual, .again = Operation::Again::Until, .body = {{.kind = Kind::Load}}},
                 {.kind = Kind::Retry, .wait = Wait::Equal, .again = Operation::Again::Until, .body = {{.kind = Kind::Load}}}});
        }
        words_.assign(all.begin(), all.begin() + 2);
        for (std::uint64_t more = 1 + pick(3); more > 0; --more) {
            words_.push_back(all[2 + pick(all.size() - 2)]);
        }
    }
    Operations words(std::uint64_t n) {
        Operations some;
        for (; n > 0; --n) {
            some.push_back(words_[pick(words_.size())]);
            Operation& o = some.back();
            (o.kind == Kind::If ? o.body.front() : o).location = number(0, shape_.locations);
            if (o.kind == Kind::Retry) {
                o.body.front().location = static_cast<std::uint8_t>((o.location + 1u) % shape_.locations);
            }
        }
        return some;
    }

    /// Mostly relaxed, as what is weaker than program order is what is looked for.
    Operation link(Kind kind, std::uint8_t location) {
        const bool relaxed = pick(4) != 0;
        Operation o = access(kind, relaxed               ? Order::Relaxed
                                   : kind == Kind::Load  ? any_of({Order::Acquire, Order::SeqCst})
                                   : kind == Kind::Store ? any_of({Order::Release, Order::SeqCst})
                                                         : any_of({Order::Acquire, Order::Release, Order::AcqRel}));
        o.location = location;
        o.by_address = o.by_address && kind == Kind::Store && location != 0;
        o.stores_last = pick(2) == 0;
        return o;
    }
    Operations chain() {
        Operations all{link(Kind::Load, number(1, shape_.locations))};
        const std::uint64_t links = pick(3) == 0 ? 0 : 1 + pick(shape_.operations);
        while (all.size() <= links) {
            const std::uint64_t kind = shape_.updates && pick(2) == 0 ? 1 : pick(12);
            if (kind == 0) {
                all.push_back({.kind = Kind::Fence, .order = Order::Relaxed, .fence = FenceKind::DmbSt});
            } else {
                const Kind update = pick(2) == 0 ? Kind::Rmw : Kind::CompareExchange;
                all.push_back(link(kind == 1 ? update : kind < 7 ? Kind::Store : Kind::Load, 0));
            }
        }
        all.push_back(link(Kind::Store, number(1, shape_.locations)));
        return all;
    }

    /// An access of this kind, with all that an access of any kind may need.
    Operation access(Kind kind, Order order) {
        Operation o{.kind = kind, .order = order};
        o.location = number(0, shape_.locations);
        o.by_address = shape_.locations > 1 && pick(6) == 0;
        o.stores_last = pick(4) == 0;
        o.value = number(1, 3);
        o.expected = number(0, 2);
        o.expects_last = pick(4) == 0;
        o.rmw = pick(2) == 0 ? RmwOp::Add : RmwOp::Xchg;
        if (shape_.heap && pick(2) == 0) {
            o.by_address = false;
            through_pointer(o);
        }
        return o;
    }
    void through_pointer(Operation& o) {
        o.through = pointer();
        o.guarded = pick(8) != 0;
    }
    Operation load() { return shape_.mixed ? access(Kind::Load, any_of({Order::Relaxed, Order::SeqCst})) : any_load(); }
    Operation store() { return shape_.mixed ? access(Kind::Store, any_of({Order::Relaxed, Order::SeqCst})) : any_store(); }
    Operation any_load() {
        return access(Kind::Load, shape_.mild ? any_of({Order::Relaxed, Order::Acquire})
                                              : any_of({Order::NonAtomic, Order::Relaxed, Order::Acquire, Order::SeqCst}));
    }
    Operation any_store() {
        return access(Kind::Store, shape_.mild ? any_of({Order::Relaxed, Order::Release})
                                               : any_of({Order::NonAtomic, Order::Relaxed, Order::Release, Order::SeqCst}));
    }
    Operation update() {
        Order order = any_of({Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst});
        order = shape_.mild && order == Order::SeqCst                               ? Order::AcqRel
                : shape_.mixed && order != Order::SeqCst && order != Order::Relaxed ? Order::SeqCst
                                                                                    : order;
        return access(pick(2) == 0 ? Kind::Rmw : Kind::CompareExchange, order);
    }
    Operation fence() {
        if (shape_.mixed) {
            return {.kind = Kind::Fence, .order = Order::SeqCst};
        }
        if (pick(4) == 0) {
            const FenceKind kind = kFences[pick(kFences.size())];
            const bool full = kind == FenceKind::MFence || kind == FenceKind::DmbSy;
            return {.kind = Kind::Fence, .order = full ? Order::SeqCst : Order::Relaxed, .fence = kind};
        }
        return {.kind = Kind::Fence,
                .order = any_of({Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst, Order::SeqCst})};
    }

    void add(Operations& all) {
        const std::uint64_t kind = pick(10);
        if (shape_.parts) {
            Operation o = access(kind < 5 ? Kind::Load : Kind::Store, Order::NonAtomic);
            o.part = static_cast<Operation::Part>(number(1, 4)); // Whole, Low or High
            all.push_back(o);
            return;
        }
        if (shape_.heap && pick(2) == 0) {
            all.push_back(with_pointers());
            return;
        }
        if (shape_.retries && pick(3) == 0) {
            all.push_back(retry());
            return;
        }
        if (shape_.waits && kind == 0) {
            return add_waiting(all);
        }
        if (shape_.control && kind == 1) {
            return add_control(all);
        }
        if (shape_.updates && kind >= 2) {
            all.push_back(kind < 6 ? update() : kind < 8 ? load() : store());
            return;
        }
        if (kind == 2 && !shape_.mild) {
            all.push_back(fence());
        } else if (kind <= 3) {
            all.push_back(update());
        } else {
            all.push_back(kind < 7 ? load() : store());
        }
    }

    /// A thread makes an object and may pass it on, or takes one; else most programs would do nothing with objects of others.
    void begin_with_pointers(Operations& all) {
        Operations first;
        if (pick(2) == 0) {
            first.push_back({.kind = Kind::Take, .order = Order::Acquire, .location = shelf()});
        } else {
            first.push_back(allocation());
            if (pick(3) != 0) {
                first.push_back({.kind = Kind::Put,
                                 .order = any_of({Order::Relaxed, Order::Release}),
                                 .location = shelf(),
                                 .pointer = first.front().pointer});
            }
        }
        all.insert(all.begin(), first.begin(), first.end());
    }
    std::uint8_t pointer() { return pick(4) == 0 ? 1 : 0; }
    std::uint8_t shelf() { return pick(4) == 0 ? number(0, shelves_) : 0; }
    Operation allocation() {
        return {.kind = undefined_ && pick(3) == 0 ? Kind::Local : Kind::Alloc,
                .pointer = pointer(),
                .zeroed = !undefined_ || pick(3) != 0};
    }
    Operation with_pointers() {
        Operation o{.order = any_of({Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst}),
                    .location = shelf(),
                    .pointer = pointer()};
        const std::uint64_t kind = pick(12);
        if (kind < 2) {
            return allocation();
        }
        if (kind < 4) {
            o.kind = Kind::Free;
            o.order = Order::Relaxed;
            return o;
        }
        if (kind == 4) {
            constexpr std::array kKinds{Kind::Forget, Kind::Same, Kind::Leave};
            o.kind = kKinds[pick(kKinds.size())];
            o.order = Order::Relaxed;
            o.stores_last = o.kind == Kind::Same && pick(2) == 0;
            return o;
        }
        if (pick(4) == 0) {
            through_pointer(o);
        }
        if (kind < 8) {
            o.kind = Kind::Put;
            o.order = any_of({Order::NonAtomic, Order::Relaxed, Order::Release, Order::SeqCst});
        } else if (kind < 11) {
            o.kind = Kind::Take;
            o.order = any_of({Order::NonAtomic, Order::Relaxed, Order::Acquire, Order::SeqCst});
        } else {
            o.kind = pick(2) == 0 ? Kind::Swap : Kind::Offer;
        }
        return o;
    }

    Operation retry() {
        Operation o = access(Kind::Retry, any_of({Order::Relaxed, Order::Acquire, Order::SeqCst}));
        o.by_address = false;
        o.through.reset();
        const std::uint64_t kind = pick(8);
        o.again = kind < 5 ? Operation::Again::Exchange : kind < 7 ? Operation::Again::Same : Operation::Again::Until;
        o.wait = pick(2) == 0 ? Wait::NotEqual : Wait::Equal;
        o.operand = number(0, 2);
        for (std::uint64_t k = pick(3) == 0 ? 0 : pick(4) == 0 ? 2 : 1; k > 0; --k) {
            o.body.push_back(pick(6) == 0 ? fence() : load());
            o.body.back().through.reset();
        }
        return o;
    }

    void add_waiting(Operations& all) {
        switch (pick(5)) {
        case 0: // a critical section, whose end is forgotten now and then
            all.push_back({.kind = Kind::Lock});
            all.push_back(pick(2) == 0 ? load() : store());
            if (pick(6) != 0) {
                all.push_back({.kind = Kind::Unlock});
            }
            return;
        case 1:
            all.push_back({.kind = Kind::TryLock});
            all.push_back({.kind = Kind::If, .value = 1, .body = {pick(2) == 0 ? load() : store(), {.kind = Kind::Unlock}}});
            return;
        default: {
            const Kind kind = pick(3) == 0 ? Kind::WaitRmw : !undefined_ && pick(2) == 0 ? Kind::Spin : Kind::WaitLoad;
            Operation o =
                access(kind, kind == Kind::WaitRmw ? any_of({Order::Relaxed, Order::Acquire, Order::AcqRel, Order::SeqCst})
                                                   : any_of({Order::Relaxed, Order::Acquire, Order::SeqCst}));
            constexpr std::array kWaits{Wait::Equal, Wait::NotEqual,  Wait::NotEqual,
                                        Wait::Less,  Wait::LessEqual, Wait::GreaterEqual};
            o.wait = kWaits[pick(kWaits.size())];
            o.operand = number(o.wait == Wait::Less ? 1 : 0, 3);
            all.push_back(o);
        }
        }
    }

    void add_control(Operations& all) {
        switch (pick(4)) {
        case 0:
            all.push_back({.kind = Kind::Choose, .value = 2});
            return;
        case 1:
            all.push_back({.kind = Kind::Check, .stores_last = pick(2) == 0, .value = number(0, 3)});
            return;
        default: {
            Operations body;
            body.push_back(pick(2) == 0 ? load() : store());
            if (pick(2) == 0) {
                body.push_back(pick(2) == 0 ? store() : update());
            }
            all.push_back({.kind = Kind::If, .value = number(0, 2), .body = std::move(body)});
        }
        }
    }

    std::mt19937_64 random_;
    const Shape& shape_;
    Operations words_; ///< the kinds of operations of a program with few
    std::uint8_t shelves_ = 0;
    /// May there be undefined values? Not together with spin loops: where a thread waits, it is told that it has read one and goes on; in a loop that is
    /// its end. (What Local makes is set to zero by stores, which others need not see.)
    bool undefined_ = false;
};

} // namespace

RandomProgram random_program(std::uint64_t seed, const Shape& shape) { return Generator(seed, shape).make(); }

} // namespace heddle::testing_support
