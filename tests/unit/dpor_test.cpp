// The DPOR search against the reference search on random programs: the same executions, each once.
#include "assembler.hpp"
#include "search/dpor/explorer.hpp"
#include "search/reference/reference_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

namespace heddle {
namespace {

using testing_support::Assembler;
using testing_support::global_address;
using testing_support::make_program;

struct Shape {
    unsigned threads;
    unsigned operations; ///< of each thread
    unsigned locations;
    bool waits = false; ///< with locks and waiting for values
};

/// One thread: loads, stores of constants and of what was read, updates, fences, and branches on what was read.
class RandomThread {
  public:
    RandomThread(std::mt19937_64& random, const Shape& shape) : random_(random), shape_(shape), f_("thread", 1, 1) {}

    Function make() {
        last_ = f_.constant(0);
        for (unsigned k = 0; k < shape_.operations; ++k) {
            operation();
        }
        f_.emit(Op::Ret, 0, 1, 0, Instr::pack(0, f_.operands({f_.constant(0)})));
        return f_.finish();
    }

  private:
    std::uint64_t pick(std::uint64_t n) { return random_() % n; }
    Slot location() { return f_.constant(global_address(static_cast<unsigned>(pick(shape_.locations)))); }
    Order any_of(std::initializer_list<Order> orders) { return *(orders.begin() + pick(orders.size())); }
    Slot value() { return pick(3) == 0 ? last_ : f_.constant(1 + pick(2)); }

    void operation() {
        switch (pick(shape_.waits ? 9 : 8)) {
        case 0:
        case 1:
        case 2:
            last_ = f_.load(location(), 8, any_of({Order::NonAtomic, Order::Relaxed, Order::Acquire, Order::SeqCst}));
            break;
        case 3:
        case 4:
        case 5:
            f_.store(location(), value(), 8, any_of({Order::NonAtomic, Order::Relaxed, Order::Release, Order::SeqCst}));
            break;
        case 6:
            update();
            break;
        case 7:
            pick(2) == 0 ? fence() : branch();
            break;
        default:
            pick(2) == 0 ? critical_section() : wait();
        }
    }

    /// lock; c = load; store; unlock
    void critical_section() {
        const Slot lock = f_.constant(global_address(shape_.locations));
        f_.builtin(Builtin::Lock, {lock});
        if (pick(2) == 0) {
            last_ = f_.load(location(), 8);
        }
        f_.store(location(), value(), 8);
        if (pick(6) != 0) {
            f_.builtin(Builtin::Unlock, {lock}); // now and then forgotten
        }
    }

    void wait() {
        last_ =
            f_.builtin(Builtin::WaitLoad, {location(), f_.constant(8), f_.constant(static_cast<std::uint64_t>(Order::Acquire)),
                                           f_.constant(static_cast<std::uint64_t>(Wait::NotEqual)), f_.constant(pick(2))});
    }

    void update() {
        const auto order =
            static_cast<std::uint16_t>(any_of({Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst}));
        if (pick(2) == 0) {
            const Slot old = f_.slot();
            f_.emit(Op::Rmw, old, location(), value(),
                    Instr::pack(8, order, static_cast<std::uint16_t>(pick(2) == 0 ? RmwOp::Add : RmwOp::Xchg), 0));
            last_ = old;
        } else {
            const Slot old = f_.slot(2);
            f_.emit(Op::CmpXchg, old, location(), f_.constant(pick(2)),
                    Instr::pack(f_.constant(1 + pick(2)), order, 8, static_cast<std::uint16_t>(Order::Relaxed)));
            last_ = old;
        }
    }

    void fence() {
        const auto order = any_of({Order::Acquire, Order::Release, Order::AcqRel, Order::SeqCst});
        f_.emit(Op::Fence, 0, 0, 0,
                Instr::pack(static_cast<std::uint16_t>(order), static_cast<std::uint16_t>(FenceKind::C11), 0, 0));
    }

    /// if (last == c) store
    void branch() {
        const std::uint32_t at = f_.here();
        f_.emit(Op::BrEq, 64, last_, f_.constant(pick(2)), Instr::pack(at + 1, at + 2));
        f_.store(location(), value(), 8, Order::Relaxed);
    }

    std::mt19937_64& random_;
    const Shape& shape_;
    Assembler f_;
    Slot last_ = 0;
};

Program random_program(std::uint64_t seed, const Shape& shape) {
    std::mt19937_64 random(seed);
    std::vector<Function> functions;
    Assembler main("main");
    for (unsigned k = 0; k < shape.threads; ++k) {
        main.builtin(Builtin::Spawn, {main.constant(make_static_address(AddressKind::Function, k + 2, 0)), main.constant(0)});
    }
    main.exit(main.constant(0));
    functions.push_back(main.finish());
    Assembler entry("thread_main", 2, 0);
    const Slot result = entry.slot();
    entry.emit(Op::CallPtr, result, 0, 1, Instr::pack(1, entry.operands({1})));
    entry.exit(result);
    functions.push_back(entry.finish());
    for (unsigned k = 0; k < shape.threads; ++k) {
        functions.push_back(RandomThread(random, shape).make());
    }
    Program p = make_program(std::move(functions), shape.locations + 1); // the last one is the lock
    p.thread_main = FunctionId(1);
    return p;
}

/// Empty when the two searches agree.
std::string disagreement(std::uint64_t seed, const Shape& shape, const Axioms& axioms) {
    Session session(random_program(seed, shape));
    const ReferenceResult expected = reference_search(session, axioms);
    std::vector<std::string> complete;
    std::vector<std::string> blocked_ones;
    const CheckResult found =
        explore(session, {.model = std::string(axioms.name), .races = false, .keep_going = true},
                [&](const std::string& text, bool is_blocked) { (is_blocked ? blocked_ones : complete).push_back(text); });
    if (expected.unsupported || found.verdict == Verdict::Unsupported || found.verdict == Verdict::OutOfBudget) {
        return "unsupported: " + expected.unsupported.value_or("") + found.reason;
    }
    const std::set<std::string> distinct(complete.begin(), complete.end());
    const std::set<std::string> blocked(blocked_ones.begin(), blocked_ones.end());
    if (distinct == expected.complete && distinct.size() == complete.size() && blocked == expected.blocked &&
        blocked.size() == blocked_ones.size()) {
        return "";
    }
    const auto in_words = [](const auto& wanted, const auto& seen, const auto& different) {
        return std::to_string(wanted.size()) + " wanted, " + std::to_string(seen.size()) + " found, " +
               std::to_string(different.size()) + " distinct";
    };
    std::string text = "complete: " + in_words(expected.complete, complete, distinct) +
                       "; blocked: " + in_words(expected.blocked, blocked_ones, blocked) + "\n";
    for (std::uint32_t k = 2; k < session.program.functions.size(); ++k) {
        text += disassemble(session.program, FunctionId(k));
    }
    return text;
}

TEST(Dpor, FindsWhatTheReferenceFindsEachOnce) {
    const char* wish = std::getenv("HEDDLE_RANDOM_PROGRAMS");
    const std::uint64_t count = wish ? std::strtoull(wish, nullptr, 10) : std::getenv("HEDDLE_LONG_TESTS") ? 5000 : 150;
    const Shape shapes[] = {{2, 3, 2}, {2, 4, 2},       {3, 2, 2},       {2, 3, 1},
                            {3, 2, 1}, {2, 3, 2, true}, {3, 2, 2, true}, {2, 4, 1, true}};
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        for (const Axioms& axioms : all_axioms()) {
            const std::string wrong = disagreement(seed, shapes[seed % std::size(shapes)], axioms);
            ASSERT_EQ(wrong, "") << "seed " << seed << " under " << axioms.name;
        }
    }
}

} // namespace
} // namespace heddle
