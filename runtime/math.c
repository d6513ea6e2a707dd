// The parts of math.h that take numbers apart and scale them. The functions proper (sqrt, sin, pow, ...) are instructions of the
// machine.
#include "internal.h"

#include <errno.h>
#include <math.h>

/// value * 2^exponent. Every double or float times a power of two within these limits is exact in a long double, so the only
/// rounding is the caller's, to its own type; beyond them the result is infinite or zero anyway.
static long double scale(long double value, long exponent) {
    enum { LIMIT = 4000 };
    if (exponent > LIMIT) {
        exponent = LIMIT;
    } else if (exponent < -LIMIT) {
        exponent = -LIMIT;
    }
    uint64_t mantissa = UINT64_C(1) << 63;
    uint16_t top = (uint16_t)(16383 + exponent);
    long double power = 0;
    __builtin_memcpy(&power, &mantissa, sizeof mantissa);
    __builtin_memcpy((char*)&power + sizeof mantissa, &top, sizeof top);
    return value * power;
}

static double scaled_double(double value, long exponent) {
    double result = (double)scale(value, exponent);
    if (__builtin_isfinite(value) && value != 0 && (!__builtin_isfinite(result) || result == 0)) {
        __heddle_errno = ERANGE;
    }
    return result;
}

static float scaled_float(float value, long exponent) {
    float result = (float)scale(value, exponent);
    if (__builtin_isfinite(value) && value != 0 && (!__builtin_isfinite(result) || result == 0)) {
        __heddle_errno = ERANGE;
    }
    return result;
}

double ldexp(double value, int exponent) { return scaled_double(value, exponent); }
double scalbn(double value, int exponent) { return scaled_double(value, exponent); }
double scalbln(double value, long exponent) { return scaled_double(value, exponent); }
float ldexpf(float value, int exponent) { return scaled_float(value, exponent); }
float scalbnf(float value, int exponent) { return scaled_float(value, exponent); }
float scalblnf(float value, long exponent) { return scaled_float(value, exponent); }

double frexp(double value, int* exponent) {
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    int field = (int)(bits >> 52 & 0x7ff);
    if (field == 0x7ff || value == 0) {
        *exponent = 0;
        return value;
    }
    if (field == 0) { // subnormal: made normal first
        double result = frexp(value * 0x1p64, exponent);
        *exponent -= 64;
        return result;
    }
    *exponent = field - 1022;
    bits = (bits & ~(UINT64_C(0x7ff) << 52)) | UINT64_C(1022) << 52;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

float frexpf(float value, int* exponent) { return (float)frexp(value, exponent); }

double modf(double value, double* whole) {
    *whole = __builtin_trunc(value);
    double rest = __builtin_isfinite(value) ? value - *whole : (value != value ? value : 0.0);
    return __builtin_copysign(rest, value);
}

float modff(float value, float* whole) {
    *whole = __builtin_truncf(value);
    float rest = __builtin_isfinite(value) ? value - *whole : (value != value ? value : 0.0F);
    return __builtin_copysignf(rest, value);
}
