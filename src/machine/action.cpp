#include "machine/action.hpp"

#include "machine/objects.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace heddle {
namespace {

using Wide = unsigned __int128;
using SignedWide = __int128;

Wide wide(const Value& v) { return (Wide{v.hi} << 64) | v.lo; }

Wide sign_extended(Wide v, unsigned bits) {
    const unsigned shift = 128 - bits;
    return static_cast<Wide>(static_cast<SignedWide>(v << shift) >> shift);
}

template <class T, class Bits> std::uint64_t float_update(RmwOp op, std::uint64_t old, std::uint64_t operand) {
    const T a = std::bit_cast<T>(static_cast<Bits>(old));
    const T b = std::bit_cast<T>(static_cast<Bits>(operand));
    const T r = op == RmwOp::FAdd ? a + b : op == RmwOp::FSub ? a - b : op == RmwOp::FMax ? std::fmax(a, b) : std::fmin(a, b);
    return std::bit_cast<Bits>(r);
}

Wide integer_update(RmwOp op, Wide old, Wide operand, unsigned bits) {
    const auto signed_less = [bits](Wide a, Wide b) {
        return static_cast<SignedWide>(sign_extended(a, bits)) < static_cast<SignedWide>(sign_extended(b, bits));
    };
    switch (op) {
    case RmwOp::Xchg:
        return operand;
    case RmwOp::Add:
    case RmwOp::AddUnless:
        return old + operand;
    case RmwOp::Sub:
        return old - operand;
    case RmwOp::And:
        return old & operand;
    case RmwOp::Nand:
        return ~(old & operand);
    case RmwOp::Or:
        return old | operand;
    case RmwOp::Xor:
        return old ^ operand;
    case RmwOp::Max:
        return signed_less(old, operand) ? operand : old;
    case RmwOp::Min:
        return signed_less(operand, old) ? operand : old;
    case RmwOp::UMax:
        return old < operand ? operand : old;
    case RmwOp::UMin:
        return operand < old ? operand : old;
    default:
        return operand;
    }
}

} // namespace

std::optional<Value> updated(const Action& rmw, const Value& old) {
    if (rmw.rmw == RmwOp::CompareExchange) {
        return matches(rmw, old) ? std::optional(rmw.value) : std::nullopt;
    }
    if (rmw.rmw == RmwOp::AddUnless && matches(rmw, old)) {
        return std::nullopt;
    }
    const unsigned bits = rmw.size * 8u;
    Value result;
    if (rmw.rmw >= RmwOp::FAdd && rmw.rmw <= RmwOp::FMin) {
        result.lo = rmw.size == 4 ? float_update<float, std::uint32_t>(rmw.rmw, old.lo, rmw.value.lo)
                                  : float_update<double, std::uint64_t>(rmw.rmw, old.lo, rmw.value.lo);
    } else {
        const Wide r = integer_update(rmw.rmw, wide(old), wide(rmw.value), bits);
        result.lo = static_cast<std::uint64_t>(r) & mask_of_bits(bits);
        result.hi = bits > 64 ? static_cast<std::uint64_t>(r >> 64) : 0;
    }
    if (rmw.rmw == RmwOp::Xchg) {
        result.undef_lo = rmw.value.undef_lo;
        result.undef_hi = rmw.value.undef_hi;
    } else if (!old.defined() || !rmw.value.defined()) {
        result.undef_lo = mask_of_bits(bits);
        result.undef_hi = bits > 64 ? mask_of_bits(bits - 64) : 0;
    }
    return result;
}

ReadEffect effect_of_read(const Action& action, const Value& read) {
    if (action.kind == ActionKind::Lock) {
        const bool free = read.lo == 0 || !read.defined();
        return {.waits = !free && !action.try_only,
                .written = free ? std::optional(action.value) : std::nullopt,
                .outcome = {.lo = free ? 1u : 0u}};
    }
    return {.waits = !satisfied(action, read),
            .written = action.kind == ActionKind::Rmw ? updated(action, read) : std::nullopt,
            .outcome = read};
}

Order order_of_read(const Action& action, bool succeeds) {
    if (action.kind == ActionKind::Load) {
        return action.order;
    }
    if (!succeeds) {
        return action.kind == ActionKind::Lock ? Order::Relaxed : action.failure_order;
    }
    const bool acquires = action.order == Order::Acquire || action.order == Order::AcqRel;
    return action.order == Order::SeqCst ? Order::SeqCst : acquires ? Order::Acquire : Order::Relaxed;
}

Order order_of_write(const Action& action) {
    const bool releases = action.order == Order::Release || action.order == Order::AcqRel;
    return action.order == Order::SeqCst ? Order::SeqCst : releases ? Order::Release : Order::Relaxed;
}

std::string what_it_waits_for(const Action& action, const Value& word, const Objects& objects) {
    const Object* object = objects.find(action.address);
    const auto called = [&] { return object ? " (" + name_of(objects, action.address, action.size) + ")" : ""; };
    switch (action.kind) {
    case ActionKind::Lock:
        return (word.lo == 0 ? "waits for a lock" : fmt::format("waits for a lock that thread {} holds", word.lo - 1)) + called();
    case ActionKind::Join:
        return fmt::format("waits for thread {} to end", action.value.lo);
    case ActionKind::Block:
        return action.reason == BlockReason::Lock ? "waits for a lock or a value that no other thread can reach"
                                                  : "is blocked for good";
    default: {
        const bool own = object && objects.program().layouts.owner(object->layout, action.address - object->base, action.size) ==
                                       PartOwner::Runtime;
        return own ? std::string(kNobodyWakes) : "waits for a value that nobody writes" + called();
    }
    }
}

bool satisfied(const Action& action, const Value& read) {
    if (!read.defined()) {
        return true;
    }
    const std::uint64_t v = read.lo;
    const std::uint64_t operand = action.wait_operand;
    switch (action.wait) {
    case Wait::None:
        return true;
    case Wait::Equal:
        return v == operand;
    case Wait::NotEqual:
        return v != operand;
    case Wait::Less:
        return v < operand;
    case Wait::LessEqual:
        return v <= operand;
    case Wait::Greater:
        return v > operand;
    case Wait::GreaterEqual:
        return v >= operand;
    }
    return true;
}

} // namespace heddle
