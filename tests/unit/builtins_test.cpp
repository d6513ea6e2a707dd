// runtime/builtins.h repeats for C what src/program says in C++: names, numbers of arguments, and the numbers of enumerators.
#include "program/builtin.hpp"
#include "program/memory_order.hpp"
#include "program/trap_kind.hpp"

#include "../../runtime/builtins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace heddle {
namespace {

template <class Result, class... Arguments> constexpr unsigned arity(Result (*)(Arguments...)) { return sizeof...(Arguments); }

// The declarations are only looked at, never called: nothing has to be linked.
#define DECLARED(name) {#name, arity(name)}
constexpr std::pair<std::string_view, unsigned> declared[] = {
    DECLARED(__heddle_spawn),
    DECLARED(__heddle_join),
    DECLARED(__heddle_detach),
    DECLARED(__heddle_self),
    DECLARED(__heddle_thread_exit),
    DECLARED(__heddle_exit),
    DECLARED(__heddle_alloc),
    DECLARED(__heddle_free),
    DECLARED(__heddle_object_size),
    DECLARED(__heddle_lock),
    DECLARED(__heddle_trylock),
    DECLARED(__heddle_unlock),
    DECLARED(__heddle_wait_load),
    DECLARED(__heddle_wait_rmw),
    DECLARED(__heddle_choose),
    DECLARED(__heddle_nondet),
    DECLARED(__heddle_assume),
    DECLARED(__heddle_fail),
    DECLARED(__heddle_output),
    DECLARED(__heddle_yield),
    DECLARED(__heddle_atomic_begin),
    DECLARED(__heddle_atomic_end),
    DECLARED(__heddle_spurious_wakeups),
};
#undef DECLARED

TEST(Builtins, EveryDeclarationIsABuiltinWithAsManyArguments) {
    for (const auto& [name, arguments] : declared) {
        const auto spec = find_builtin(name);
        ASSERT_TRUE(spec) << name;
        EXPECT_EQ(spec->args, arguments) << name;
    }
}

TEST(Builtins, EveryBuiltinIsDeclared) {
    constexpr std::string_view names[] = {
#define X(name, c_name, args) c_name,
        HEDDLE_BUILTINS(X)
#undef X
    };
    for (const std::string_view name : names) {
        EXPECT_TRUE(std::ranges::any_of(declared, [&](const auto& d) { return d.first == name; })) << name;
    }
}

template <class Enum> constexpr int number(Enum e) { return static_cast<int>(e); }

TEST(Builtins, NumbersAreTheSame) {
    EXPECT_EQ(number(HEDDLE_TRAP_ASSERTION), number(TrapKind::Assertion));
    EXPECT_EQ(number(HEDDLE_TRAP_REACH_ERROR), number(TrapKind::ReachError));
    EXPECT_EQ(number(HEDDLE_TRAP_ABORT), number(TrapKind::Abort));
    EXPECT_EQ(number(HEDDLE_TRAP_LOCK_MISUSE), number(TrapKind::LockMisuse));
    EXPECT_EQ(number(HEDDLE_TRAP_THREAD_MISUSE), number(TrapKind::ThreadMisuse));
    EXPECT_EQ(number(HEDDLE_TRAP_UNSUPPORTED), number(TrapKind::Unsupported));

    EXPECT_EQ(number(HEDDLE_NON_ATOMIC), number(Order::NonAtomic));
    EXPECT_EQ(number(HEDDLE_RELAXED), number(Order::Relaxed));
    EXPECT_EQ(number(HEDDLE_ACQUIRE), number(Order::Acquire));
    EXPECT_EQ(number(HEDDLE_RELEASE), number(Order::Release));
    EXPECT_EQ(number(HEDDLE_ACQ_REL), number(Order::AcqRel));
    EXPECT_EQ(number(HEDDLE_SEQ_CST), number(Order::SeqCst));

    EXPECT_EQ(number(HEDDLE_RMW_XCHG), number(RmwOp::Xchg));
    EXPECT_EQ(number(HEDDLE_RMW_ADD), number(RmwOp::Add));
    EXPECT_EQ(number(HEDDLE_RMW_SUB), number(RmwOp::Sub));
    EXPECT_EQ(number(HEDDLE_RMW_AND), number(RmwOp::And));
    EXPECT_EQ(number(HEDDLE_RMW_OR), number(RmwOp::Or));

    EXPECT_EQ(number(HEDDLE_WAIT_NONE), number(Wait::None));
    EXPECT_EQ(number(HEDDLE_WAIT_EQUAL), number(Wait::Equal));
    EXPECT_EQ(number(HEDDLE_WAIT_NOT_EQUAL), number(Wait::NotEqual));
    EXPECT_EQ(number(HEDDLE_WAIT_LESS), number(Wait::Less));
    EXPECT_EQ(number(HEDDLE_WAIT_LESS_EQUAL), number(Wait::LessEqual));
    EXPECT_EQ(number(HEDDLE_WAIT_GREATER), number(Wait::Greater));
    EXPECT_EQ(number(HEDDLE_WAIT_GREATER_EQUAL), number(Wait::GreaterEqual));
}

} // namespace
} // namespace heddle
