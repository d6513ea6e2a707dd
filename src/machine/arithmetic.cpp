#include "machine/arithmetic.hpp"

#include "machine/value.hpp"
#include "program/slot_uses.hpp"
#include "support/check.hpp"

#include <bit>
#include <cmath>
#include <cstring>

#pragma clang diagnostic ignored "-Wpedantic" // __int128

namespace heddle {
namespace {

using Wide = unsigned __int128;
using SignedWide = __int128;
using u64 = std::uint64_t;

Wide wide_at(const u64* slots, Slot s) { return (Wide{slots[s + 1]} << 64) | slots[s]; }
Wide wide_mask(unsigned width) { return width >= 128 ? ~Wide{0} : (Wide{1} << width) - 1; }
SignedWide sext(Wide v, unsigned width) { return static_cast<SignedWide>(v << (128 - width)) >> (128 - width); }

ArithmeticResult one(u64 v, unsigned width) { return {.values = {v}, .widths = {static_cast<std::uint8_t>(width)}, .count = 1}; }
ArithmeticResult pair(Wide v, unsigned width) {
    const Wide w = v & wide_mask(width);
    return {.values = {static_cast<u64>(w), static_cast<u64>(w >> 64)},
            .widths = {64, static_cast<std::uint8_t>(width - 64)},
            .count = 2};
}
/// An integer result of any width, as one slot or two.
ArithmeticResult integer(Wide v, unsigned width) {
    return width > 64 ? pair(v, width) : one(static_cast<u64>(v & wide_mask(width)), width);
}
ArithmeticResult with_overflow(Wide v, bool overflow, unsigned width) {
    ArithmeticResult r = integer(v, width);
    r.values[r.count] = overflow;
    r.widths[r.count] = 1;
    ++r.count;
    return r;
}

// --- floating point -------------------------------------------------------------------------------------------------------------------

// All formats are computed in their own type, so rounding is the hardware's; `long double` is the x86 80-bit format.
static_assert(sizeof(long double) == 16 && __LDBL_MANT_DIG__ == 64, "Heddle's F80 is the host's long double");

template <class T> T float_at(const u64* slots, Slot s) {
    T v{};
    if constexpr (sizeof(T) == 16) {
        std::memcpy(&v, &slots[s], 8);
        std::memcpy(reinterpret_cast<char*>(&v) + 8, &slots[s + 1], 2);
    } else {
        std::memcpy(&v, &slots[s], sizeof(T));
    }
    return v;
}

template <class T> ArithmeticResult floating(T v) {
    if constexpr (sizeof(T) == 16) {
        u64 lo = 0;
        u64 hi = 0;
        std::memcpy(&lo, &v, 8);
        std::memcpy(&hi, reinterpret_cast<const char*>(&v) + 8, 2);
        return {.values = {lo, hi}, .widths = {64, 16}, .count = 2};
    } else if constexpr (sizeof(T) == 8) {
        return one(std::bit_cast<u64>(v), 64);
    } else {
        return one(std::bit_cast<std::uint32_t>(v), 32);
    }
}

template <class T> bool compare(unsigned predicate, T a, T b) {
    const bool unordered = std::isnan(a) || std::isnan(b);
    const unsigned relation = unordered ? 8 : a == b ? 1 : a > b ? 2 : 4; // LLVM's predicate numbers are sets of these
    return (predicate & relation) != 0;
}

template <class T> T math_one(MathFn fn, T a) {
    switch (fn) {
    case MathFn::Fabs:
        return std::fabs(a);
    case MathFn::Sqrt:
        return std::sqrt(a);
    case MathFn::Floor:
        return std::floor(a);
    case MathFn::Ceil:
        return std::ceil(a);
    case MathFn::Trunc:
        return std::trunc(a);
    case MathFn::Rint:
        return std::rint(a);
    case MathFn::NearbyInt:
        return std::nearbyint(a);
    case MathFn::Round:
        return std::round(a);
    case MathFn::RoundEven:
        return std::nearbyint(a); // Heddle never leaves round-to-nearest-even
    case MathFn::Sin:
        return std::sin(a);
    case MathFn::Cos:
        return std::cos(a);
    case MathFn::Tan:
        return std::tan(a);
    case MathFn::Asin:
        return std::asin(a);
    case MathFn::Acos:
        return std::acos(a);
    case MathFn::Atan:
        return std::atan(a);
    case MathFn::Sinh:
        return std::sinh(a);
    case MathFn::Cosh:
        return std::cosh(a);
    case MathFn::Tanh:
        return std::tanh(a);
    case MathFn::Exp:
        return std::exp(a);
    case MathFn::Exp2:
        return std::exp2(a);
    case MathFn::Expm1:
        return std::expm1(a);
    case MathFn::Log:
        return std::log(a);
    case MathFn::Log2:
        return std::log2(a);
    case MathFn::Log10:
        return std::log10(a);
    case MathFn::Log1p:
        return std::log1p(a);
    case MathFn::Cbrt:
        return std::cbrt(a);
    default:
        break;
    }
    HEDDLE_CHECK(false, "not a function of one argument");
}

template <class T> T math_two(MathFn fn, T a, T b) {
    switch (fn) {
    case MathFn::CopySign:
        return std::copysign(a, b);
    case MathFn::MinNum:
        return std::fmin(a, b);
    case MathFn::MaxNum:
        return std::fmax(a, b);
    case MathFn::Minimum:
        return std::isnan(a) || std::isnan(b) ? a + b : a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
    case MathFn::Maximum:
        return std::isnan(a) || std::isnan(b) ? a + b : a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
    case MathFn::Pow:
        return std::pow(a, b);
    case MathFn::Atan2:
        return std::atan2(a, b);
    case MathFn::Fmod:
        return std::fmod(a, b);
    case MathFn::Remainder:
        return std::remainder(a, b);
    case MathFn::Hypot:
        return std::hypot(a, b);
    case MathFn::Fdim:
        return std::fdim(a, b);
    default:
        break;
    }
    HEDDLE_CHECK(false, "not a function of two arguments");
}

template <class T> ArithmeticResult math(const Instr& i, const u64* slots) {
    const auto fn = static_cast<MathFn>(i.d());
    const T a = float_at<T>(slots, i.a);
    switch (arity_of(fn)) {
    case 1:
        return floating(math_one(fn, a));
    case 2:
        return floating(math_two(fn, a, float_at<T>(slots, i.b)));
    default:
        return floating(std::fma(a, float_at<T>(slots, i.b), float_at<T>(slots, i.c())));
    }
}

/// The processor's conversion to a signed integer of `bits`: what does not fit gives the smallest number.
Wide hardware_integer(long double t, unsigned bits) {
    const long double top = std::ldexp(1.0L, static_cast<int>(bits - 1));
    return t >= -top && t < top ? static_cast<Wide>(static_cast<SignedWide>(t))
                                : Wide{0} - (Wide{1} << (bits - 1)); // NaN does not fit
}

/// A value out of range is undefined in C and poison to LLVM, so any result is right; ours is that of x86-64, which programs see natively: a
/// conversion to 32, 64 or 128 bits, cut to the width.
template <class T> ArithmeticResult to_integer(T v, unsigned width, bool is_signed) {
    const long double t = std::trunc(static_cast<long double>(v));
    const long double half = std::ldexp(1.0L, 63);
    if (!is_signed && width > 32 && width <= 64 && t >= half) {
        return integer(hardware_integer(t - half, 64) ^ (Wide{1} << 63), width);
    }
    const unsigned bits = width > 64 ? 128 : width > 32 || (width == 32 && !is_signed) ? 64 : 32;
    return integer(hardware_integer(t, bits), width);
}

template <class T> ArithmeticResult from_integer(const Instr& i, const u64* slots, bool is_signed) {
    const unsigned width = i.y();
    const Wide v = width > 64 ? wide_at(slots, i.a) : slots[i.a];
    return floating(is_signed ? static_cast<T>(sext(v, width)) : static_cast<T>(v));
}

template <class T> ArithmeticResult convert(Float to, T v) {
    switch (to) {
    case Float::F32:
        return floating(static_cast<float>(v));
    case Float::F64:
        return floating(static_cast<double>(v));
    case Float::F80:
        return floating(static_cast<long double>(v));
    }
    HEDDLE_CHECK(false, "bad float format");
}

template <class T> ArithmeticResult float_op(const Instr& i, const u64* slots) {
    const auto a = [&] { return float_at<T>(slots, i.a); };
    const auto b = [&] { return float_at<T>(slots, i.b); };
    switch (i.op) {
    case Op::FAdd:
        return floating(static_cast<T>(a() + b()));
    case Op::FSub:
        return floating(static_cast<T>(a() - b()));
    case Op::FMul:
        return floating(static_cast<T>(a() * b()));
    case Op::FDiv:
        return floating(static_cast<T>(a() / b()));
    case Op::FRem:
        return floating(static_cast<T>(std::fmod(a(), b())));
    case Op::FNeg:
        return floating(static_cast<T>(-a()));
    case Op::FCmp:
        return one(compare(i.x(), a(), b()), 1);
    case Op::FToSi:
        return to_integer(a(), i.y(), true);
    case Op::FToUi:
        return to_integer(a(), i.y(), false);
    case Op::SiToF:
        return from_integer<T>(i, slots, true);
    case Op::UiToF:
        return from_integer<T>(i, slots, false);
    case Op::FConv:
        return convert(static_cast<Float>(i.y()), a());
    case Op::FMath:
        return math<T>(i, slots);
    default:
        break;
    }
    HEDDLE_CHECK(false, "not a floating-point instruction");
}

Float format_of(const Instr& i) {
    switch (i.op) {
    case Op::FCmp:
        return static_cast<Float>(i.y());
    case Op::FMath:
        return static_cast<Float>(i.e());
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv:
    case Op::FRem:
    case Op::FNeg:
        return static_cast<Float>(i.imm);
    default:
        return static_cast<Float>(i.x());
    }
}

// --- integers ---------------------------------------------------------------------------------------------------------------------------

ArithmeticResult divide(const Instr& i, Wide a, Wide b, unsigned width) {
    if (b == 0) {
        return {.division_by_zero = true};
    }
    const bool is_signed = i.op == Op::WSDiv || i.op == Op::WSRem;
    if (!is_signed) {
        return pair(i.op == Op::WUDiv ? a / b : a % b, width);
    }
    const SignedWide x = sext(a, width);
    const SignedWide y = sext(b, width);
    if (y == -1 && a == (Wide{1} << (width - 1))) {
        return {.division_overflow = true};
    }
    return pair(static_cast<Wide>(i.op == Op::WSDiv ? x / y : x % y), width);
}

ArithmeticResult shift(const Instr& i, Wide a, Wide amount, unsigned width) {
    if (amount >= width) {
        ArithmeticResult r = pair(0, width);
        r.undefined = true;
        return r;
    }
    const auto n = static_cast<unsigned>(amount);
    return pair(i.op == Op::WShl ? a << n : i.op == Op::WLShr ? a >> n : static_cast<Wide>(sext(a, width) >> n), width);
}

/// Overflow is decided in 128 bits with the compiler's built-ins, then against the width.
ArithmeticResult overflow(Op op, Wide a, Wide b, unsigned width) {
    const bool is_signed =
        op == Op::SAddO || op == Op::SSubO || op == Op::SMulO || op == Op::WSAddO || op == Op::WSSubO || op == Op::WSMulO;
    const bool add = op == Op::UAddO || op == Op::SAddO || op == Op::WUAddO || op == Op::WSAddO;
    const bool sub = op == Op::USubO || op == Op::SSubO || op == Op::WUSubO || op == Op::WSSubO;
    if (is_signed) {
        SignedWide r = 0;
        const SignedWide x = sext(a, width);
        const SignedWide y = sext(b, width);
        const bool lost = add   ? __builtin_add_overflow(x, y, &r)
                          : sub ? __builtin_sub_overflow(x, y, &r)
                                : __builtin_mul_overflow(x, y, &r);
        return with_overflow(static_cast<Wide>(r), lost || sext(static_cast<Wide>(r), width) != r, width);
    }
    Wide r = 0;
    const bool lost = add   ? __builtin_add_overflow(a, b, &r)
                      : sub ? __builtin_sub_overflow(a, b, &r)
                            : __builtin_mul_overflow(a, b, &r);
    return with_overflow(r, lost || (r & wide_mask(width)) != r, width);
}

u64 reverse_bits(u64 v, unsigned width) {
    u64 r = 0;
    for (unsigned i = 0; i < width; ++i) {
        r |= ((v >> i) & 1) << (width - 1 - i);
    }
    return r;
}

ArithmeticResult funnel(const Instr& i, const u64* slots) {
    const unsigned width = i.d();
    const auto n = static_cast<unsigned>(slots[i.c()] % width);
    const Wide both = (Wide{slots[i.a]} << width) | slots[i.b];
    const Wide r = i.op == Op::FunnelShl ? (both << n) >> width : both >> n;
    return one(static_cast<u64>(r) & mask_of_bits(width), width);
}

ArithmeticResult narrow_bits(const Instr& i, u64 v) {
    const auto width = static_cast<unsigned>(i.imm);
    switch (i.op) {
    case Op::Ctpop:
        return one(static_cast<u64>(std::popcount(v)), width);
    case Op::Ctlz:
        return one(static_cast<u64>(std::countl_zero(v)) - (64 - width), width);
    case Op::Cttz:
        return one(v == 0 ? width : static_cast<u64>(std::countr_zero(v)), width);
    case Op::Bswap:
        return one(__builtin_bswap64(v) >> (64 - width), width);
    default:
        return one(reverse_bits(v, width), width);
    }
}

ArithmeticResult wide_op(const Instr& i, const u64* slots) {
    const auto width = static_cast<unsigned>(i.imm);
    if (i.op == Op::WSext) {
        return pair(static_cast<Wide>(sext(i.x() > 64 ? wide_at(slots, i.a) : slots[i.a], i.x())), i.y());
    }
    const Wide a = wide_at(slots, i.a);
    const Wide b = wide_at(slots, i.b);
    switch (i.op) {
    case Op::WAdd:
        return pair(a + b, width);
    case Op::WSub:
        return pair(a - b, width);
    case Op::WMul:
        return pair(a * b, width);
    case Op::WUDiv:
    case Op::WURem:
    case Op::WSDiv:
    case Op::WSRem:
        return divide(i, a, b, width);
    case Op::WShl:
    case Op::WLShr:
    case Op::WAShr:
        return shift(i, a, b, width);
    case Op::WCmpEq:
        return one(a == b, 1);
    case Op::WCmpNe:
        return one(a != b, 1);
    case Op::WCmpUlt:
        return one(a < b, 1);
    case Op::WCmpUle:
        return one(a <= b, 1);
    case Op::WCmpSlt:
        return one(sext(a, width) < sext(b, width), 1);
    case Op::WCmpSle:
        return one(sext(a, width) <= sext(b, width), 1);
    default:
        return overflow(i.op, a, b, width);
    }
}

bool is_wide(Op op) { return op >= Op::WAdd && op <= Op::WSMulO; }
bool is_float(Op op) { return op >= Op::FAdd && op <= Op::FMath; }

} // namespace

ArithmeticResult compute(const Instr& i, const u64* slots) {
    if (is_wide(i.op)) {
        return wide_op(i, slots);
    }
    if (is_float(i.op)) {
        switch (format_of(i)) {
        case Float::F32:
            return float_op<float>(i, slots);
        case Float::F64:
            return float_op<double>(i, slots);
        case Float::F80:
            return float_op<long double>(i, slots);
        }
    }
    if (i.op == Op::FunnelShl || i.op == Op::FunnelShr) {
        return funnel(i, slots);
    }
    if (i.op >= Op::UAddO && i.op <= Op::SMulO) {
        return overflow(i.op, slots[i.a], slots[i.b], static_cast<unsigned>(i.imm));
    }
    return narrow_bits(i, slots[i.a]);
}

} // namespace heddle
