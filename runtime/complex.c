// What clang calls for the multiplication and division of complex numbers: the definitions of annex G of the C standard, which recover
// infinities where the textbook formulas give NaN.
#include "internal.h"

#pragma STDC FP_CONTRACT OFF

/// 2^exponent, which is normal.
static long double power_of_two(int exponent) {
    uint64_t mantissa = UINT64_C(1) << 63;
    uint16_t top = (uint16_t)(16383 + exponent);
    long double power = 0;
    __builtin_memcpy(&power, &mantissa, sizeof mantissa);
    __builtin_memcpy((char*)&power + sizeof mantissa, &top, sizeof top);
    return power;
}

/// value * 2^exponent; in two steps, because 2^exponent itself may be out of range.
static long double scaled(long double value, int exponent) {
    return value * power_of_two(exponent / 2) * power_of_two(exponent - exponent / 2);
}

/// The exponent of the larger of the two, which are finite; 0 when both are zero.
static int larger_exponent(long double a, long double b) {
    long double larger = __builtin_fabsl(a) > __builtin_fabsl(b) ? a : b;
    uint16_t top;
    __builtin_memcpy(&top, (const char*)&larger + 8, sizeof top);
    return larger == 0 ? 0 : (top & 0x7fff) - 16383;
}

/// 1 or 0 with the sign of x: what an infinity, or anything finite, counts as when an infinite result is made up.
#define UNIT(x) __builtin_copysign(__builtin_isinf(x) ? 1 : 0, x)
#define ZERO_IF_NAN(x) (__builtin_isnan(x) ? __builtin_copysign(0, x) : (x))

#define MULTIPLICATION(name, type)                                                                                               \
    type _Complex name(type a, type b, type c, type d);                                                                          \
    type _Complex name(type a, type b, type c, type d) {                                                                         \
        type ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                                     \
        type x = ac - bd, y = ad + bc;                                                                                           \
        if (__builtin_isnan(x) && __builtin_isnan(y)) {                                                                          \
            bool again = false;                                                                                                  \
            if (__builtin_isinf(a) || __builtin_isinf(b)) {                                                                      \
                a = (type)UNIT(a);                                                                                               \
                b = (type)UNIT(b);                                                                                               \
                c = (type)ZERO_IF_NAN(c);                                                                                        \
                d = (type)ZERO_IF_NAN(d);                                                                                        \
                again = true;                                                                                                    \
            }                                                                                                                    \
            if (__builtin_isinf(c) || __builtin_isinf(d)) {                                                                      \
                c = (type)UNIT(c);                                                                                               \
                d = (type)UNIT(d);                                                                                               \
                a = (type)ZERO_IF_NAN(a);                                                                                        \
                b = (type)ZERO_IF_NAN(b);                                                                                        \
                again = true;                                                                                                    \
            }                                                                                                                    \
            if (!again && (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {          \
                a = (type)ZERO_IF_NAN(a);                                                                                        \
                b = (type)ZERO_IF_NAN(b);                                                                                        \
                c = (type)ZERO_IF_NAN(c);                                                                                        \
                d = (type)ZERO_IF_NAN(d);                                                                                        \
                again = true;                                                                                                    \
            }                                                                                                                    \
            if (again) {                                                                                                         \
                x = (type)__builtin_inf() * (a * c - b * d);                                                                     \
                y = (type)__builtin_inf() * (a * d + b * c);                                                                     \
            }                                                                                                                    \
        }                                                                                                                        \
        return __builtin_complex(x, y);                                                                                          \
    }

/// The divisor is scaled to the size of 1 first, so that its square neither overflows nor vanishes.
#define DIVISION(name, type)                                                                                                     \
    type _Complex name(type a, type b, type c, type d);                                                                          \
    type _Complex name(type a, type b, type c, type d) {                                                                         \
        bool finite = __builtin_isfinite(c) && __builtin_isfinite(d);                                                            \
        int exponent = finite ? larger_exponent(c, d) : 0;                                                                       \
        c = (type)scaled(c, -exponent);                                                                                          \
        d = (type)scaled(d, -exponent);                                                                                          \
        type square = c * c + d * d;                                                                                             \
        type x = (type)scaled((a * c + b * d) / square, -exponent);                                                              \
        type y = (type)scaled((b * c - a * d) / square, -exponent);                                                              \
        if (__builtin_isnan(x) && __builtin_isnan(y)) {                                                                          \
            if (square == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {                                                   \
                x = (type)__builtin_copysign(__builtin_inf(), c) * a;                                                            \
                y = (type)__builtin_copysign(__builtin_inf(), c) * b;                                                            \
            } else if ((__builtin_isinf(a) || __builtin_isinf(b)) && finite) {                                                   \
                a = (type)UNIT(a);                                                                                               \
                b = (type)UNIT(b);                                                                                               \
                x = (type)__builtin_inf() * (a * c + b * d);                                                                     \
                y = (type)__builtin_inf() * (b * c - a * d);                                                                     \
            } else if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {           \
                c = (type)UNIT(c);                                                                                               \
                d = (type)UNIT(d);                                                                                               \
                x = 0 * (a * c + b * d);                                                                                         \
                y = 0 * (b * c - a * d);                                                                                         \
            }                                                                                                                    \
        }                                                                                                                        \
        return __builtin_complex(x, y);                                                                                          \
    }

MULTIPLICATION(__mulsc3, float)
MULTIPLICATION(__muldc3, double)
MULTIPLICATION(__mulxc3, long double)
DIVISION(__divsc3, float)
DIVISION(__divdc3, double)
DIVISION(__divxc3, long double)
