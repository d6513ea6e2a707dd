// The functions that C litmus tests call: C11's atomics, the Linux kernel's, and herd's own primitives of which it makes the latter.
//
// Nothing else may be called. The two dialects share names (atomic_fetch_add takes the location first in C11 and last in the kernel), so a test
// is of one of them, and a name means what it means there.
#pragma once

#include "frontend/litmus/c_ast.hpp"
#include "program/memory_order.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::litmus {

enum class CDialect : std::uint8_t { C11, Kernel };

struct CFunction {
    enum class Shape : std::uint8_t {
        Load,           ///< (location) -> value
        Store,          ///< (location, value)
        StoreThenFence, ///< (location, value), then `fence`
        Update,         ///< (location, operand), by `op` -> see `result`
        CompareValue,   ///< (location, old, new) -> the value found
        CompareExpected, ///< (location, address of the expected value, new) -> did it succeed? What was found goes to the address if not
        AddUnless, ///< (location, operand, unless) -> was it added?
        Fence,     ///< ()
        Lock,      ///< (location)
        Unlock,    ///< (location)
        TryLock,   ///< (location) -> 1 if taken
    };
    /// What an Update gives.
    enum class Result : std::uint8_t { Nothing, Old, New, NewIsZero, NewIsNegative };

    Shape shape = Shape::Load;
    Result result = Result::Old;
    RmwOp op = RmwOp::Xchg;
    Order order = Order::Relaxed;
    Order failure_order = Order::Relaxed; ///< of a comparison that fails
    FenceKind fence = FenceKind::C11;
    unsigned orders = 0;            ///< how many arguments at the end say memory orders: 0, 1, or 2 (success and failure)
    bool location_is_value = false; ///< the first argument is the location itself, as in READ_ONCE(*x), not its address
    bool location_last = false;     ///< the kernel's atomic_add(1, x)
    bool operand_is_one = false;    ///< atomic_inc(x): there is no operand
    bool weak = false;              ///< a comparison that may fail without cause
    bool method = false;            ///< C++'s x.load(order), whose order may be left out

    /// How many arguments it takes, orders apart.
    [[nodiscard]] std::size_t arity() const;
};

/// The function of this name, in this dialect; nothing if there is none. `tag` is what a primitive of herd's has in braces.
std::optional<CFunction> find_c_function(CDialect dialect, std::string_view name, const std::optional<std::string>& tag);
/// x.load and its like.
std::optional<CFunction> find_c_method(std::string_view name);
/// "memory_order_acquire", or C++'s "memory_order::acquire" without its colons. Consume is Acquire (memory_order.hpp).
std::optional<Order> find_memory_order(std::string_view name);

/// The kernel's, when a function is called that only it has.
CDialect dialect_of(const std::vector<CThread>& threads);

} // namespace heddle::litmus
