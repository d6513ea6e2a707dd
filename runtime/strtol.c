// Integers from text: strtol and its family, atoi and its family.
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

/// What a text says before it is fitted into a type. Offsets and not pointers: storing the address of the text would make it
/// shared.
struct parsed {
    uint64_t magnitude;
    bool negative;
    bool overflow; ///< of 64 bits
    size_t length; ///< of the number and what stands before it; 0 when there is none
};

static int digit_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'z' ? lower - 'a' + 10 : 36;
}

static struct parsed parse(const char* text, int base) {
    struct parsed result = {0, false, false, 0};
    if (base < 0 || base == 1 || base > 36) {
        __heddle_errno = EINVAL;
        return result;
    }
    size_t at = 0;
    while (isspace((unsigned char)text[at])) {
        at++;
    }
    if (text[at] == '-' || text[at] == '+') {
        result.negative = text[at++] == '-';
    }
    // "0x" is a prefix only before a hexadecimal digit; else the number is the 0.
    if ((base == 0 || base == 16) && text[at] == '0' && (text[at + 1] | 0x20) == 'x' && digit_value(text[at + 2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = text[at] == '0' ? 8 : 10;
    }
    for (int digit; (digit = digit_value(text[at])) < base; result.length = ++at) {
        uint64_t scaled;
        if (__builtin_mul_overflow(result.magnitude, (uint64_t)base, &scaled) ||
            __builtin_add_overflow(scaled, (uint64_t)digit, &result.magnitude)) {
            result.overflow = true;
        }
    }
    return result;
}

static long as_signed(struct parsed p) {
    uint64_t limit = p.negative ? (uint64_t)LONG_MAX + 1 : (uint64_t)LONG_MAX;
    if (p.overflow || p.magnitude > limit) {
        __heddle_errno = ERANGE;
        return p.negative ? LONG_MIN : LONG_MAX;
    }
    return (long)(p.negative ? -p.magnitude : p.magnitude);
}

static unsigned long as_unsigned(struct parsed p) {
    if (p.overflow) {
        __heddle_errno = ERANGE;
        return ULONG_MAX;
    }
    return p.negative ? -p.magnitude : p.magnitude;
}

long strtol(const char* restrict text, char** restrict end, int base) {
    struct parsed p = parse(text, base);
    if (end != NULL) {
        *end = (char*)text + p.length;
    }
    return as_signed(p);
}

unsigned long strtoul(const char* restrict text, char** restrict end, int base) {
    struct parsed p = parse(text, base);
    if (end != NULL) {
        *end = (char*)text + p.length;
    }
    return as_unsigned(p);
}

// On x86-64 Linux long, long long and intmax_t are the same.
_Static_assert(sizeof(long) == sizeof(long long) && sizeof(long) == sizeof(intmax_t), "one implementation serves all");

long long strtoll(const char* restrict text, char** restrict end, int base) { return strtol(text, end, base); }
long long strtoq(const char* restrict text, char** restrict end, int base) { return strtol(text, end, base); }
intmax_t strtoimax(const char* restrict text, char** restrict end, int base) { return strtol(text, end, base); }
unsigned long long strtoull(const char* restrict text, char** restrict end, int base) { return strtoul(text, end, base); }
unsigned long long strtouq(const char* restrict text, char** restrict end, int base) { return strtoul(text, end, base); }
uintmax_t strtoumax(const char* restrict text, char** restrict end, int base) { return strtoul(text, end, base); }

// Not through strtol, which may hand the address of the text to its caller.
int atoi(const char* text) { return (int)as_signed(parse(text, 10)); }
long atol(const char* text) { return as_signed(parse(text, 10)); }
long long atoll(const char* text) { return as_signed(parse(text, 10)); }
