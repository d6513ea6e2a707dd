// Floating point to text, exactly.
//
// Every finite binary number m * 2^e has a finite decimal expansion: for e >= 0 it is the integer m * 2^e, for e < 0 it is m *
// 5^-e / 10^-e. So the number becomes one big integer D, in words of nine decimal digits, and a count k of its digits that stand
// behind the point. Rounding (half to even, as glibc does) and printing then work on decimal digits, and nothing is approximated.
// The cost is quadratic in the exponent: a handful of words for numbers of everyday size, about a million steps for the extremes
// of long double.
#include "printf.h"

#include <string.h>

enum { BASE = 1000000000, WORD_DIGITS = 9 };

// The most words of D: the smallest denormal times 5^k has 767 digits for double, 11515 for long double; two more for carries.
enum { DOUBLE_WORDS = 88, LONG_DOUBLE_WORDS = 1282 };

static const uint32_t powers[WORD_DIGITS] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// A number taken apart: (-1)^negative * mantissa * 2^exponent.
struct binary {
    bool negative;
    uint64_t mantissa;
    int exponent;
};

/// The decimal form, without its words, which live in the caller's frame.
struct decimal {
    int words;  ///< used; the top one is not 0
    int behind; ///< k: how many digits stand behind the point
};

static int multiply(uint32_t* word, int n, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < n; i++) {
        uint64_t x = (uint64_t)word[i] * factor + carry;
        word[i] = (uint32_t)(x % BASE);
        carry = x / BASE;
    }
    for (; carry != 0; carry /= BASE) {
        word[n++] = (uint32_t)(carry % BASE);
    }
    return n;
}

static struct decimal expand(uint32_t* word, struct binary b) {
    struct decimal d = {0, 0};
    if (b.mantissa == 0) {
        return d;
    }
    int trailing = __builtin_ctzll(b.mantissa);
    if (b.exponent < 0) { // fewer digits behind the point, as far as possible
        int drop = trailing < -b.exponent ? trailing : -b.exponent;
        b.mantissa >>= drop;
        b.exponent += drop;
    }
    for (uint64_t m = b.mantissa; m != 0; m /= BASE) {
        word[d.words++] = (uint32_t)(m % BASE);
    }
    for (int left = b.exponent; left > 0; left -= 29) {
        d.words = multiply(word, d.words, UINT32_C(1) << (left < 29 ? left : 29));
    }
    if (b.exponent < 0) {
        d.behind = -b.exponent;
        int left = d.behind;
        for (; left >= 13; left -= 13) {
            d.words = multiply(word, d.words, 1220703125); // 5^13
        }
        uint32_t rest = 1;
        for (; left > 0; left--) {
            rest *= 5;
        }
        d.words = multiply(word, d.words, rest);
    }
    return d;
}

/// The digit of weight 10^place in D.
static int digit(const uint32_t* word, struct decimal d, int place) {
    if (place < 0 || place >= d.words * WORD_DIGITS) {
        return 0;
    }
    return (int)(word[place / WORD_DIGITS] / powers[place % WORD_DIGITS] % 10);
}

/// How many digits D has; 1 for zero.
static int digits_of(const uint32_t* word, struct decimal d) {
    int n = d.words == 0 ? 1 : (d.words - 1) * WORD_DIGITS;
    for (uint32_t top = d.words == 0 ? 0 : word[d.words - 1]; top != 0; top /= 10) {
        n++;
    }
    return n;
}

/// Whether dropping the last `drop` digits must round up: more than half is dropped, or half and the digit before is odd.
static bool rounds_up(const uint32_t* word, struct decimal d, int drop) {
    int half = digit(word, d, drop - 1);
    if (half != 5) {
        return half > 5;
    }
    int place = drop - 1;
    if (word[place / WORD_DIGITS] % powers[place % WORD_DIGITS] != 0) {
        return true;
    }
    for (int i = place / WORD_DIGITS; i > 0; i--) {
        if (word[i - 1] != 0) {
            return true;
        }
    }
    return digit(word, d, drop) % 2 != 0;
}

/// D with its last `drop` digits rounded to zeros.
static struct decimal round_off(uint32_t* word, struct decimal d, int drop) {
    if (drop <= 0 || d.words == 0) {
        return d;
    }
    if (drop > digits_of(word, d)) {
        d.words = 0;
        return d;
    }
    bool up = rounds_up(word, d, drop);
    int at = drop / WORD_DIGITS;
    for (int i = 0; i < at; i++) {
        word[i] = 0;
    }
    if (at == d.words) {
        word[d.words++] = 0;
    }
    uint32_t unit = powers[drop % WORD_DIGITS];
    word[at] -= word[at] % unit;
    if (up) {
        word[at] += unit;
        for (; word[at] >= BASE; at++) {
            word[at] -= BASE;
            if (at + 1 == d.words) {
                word[d.words++] = 0;
            }
            word[at + 1]++;
        }
    }
    while (d.words > 0 && word[d.words - 1] == 0) {
        d.words--;
    }
    return d;
}

static void put_digits(struct sink* s, const uint32_t* word, struct decimal d, int from, int count) {
    for (; count > 0; count--, from--) {
        sink_put(s, (char)('0' + digit(word, d, from)));
    }
}

/// How many of `precision` digits, the first of which has weight 10^from, are left when zeros at the end are dropped (%g).
static int without_trailing_zeros(const uint32_t* word, struct decimal d, int from, int precision) {
    while (precision > 0 && digit(word, d, from - precision + 1) == 0) {
        precision--;
    }
    return precision;
}

static int point_length(const struct spec* spec, int precision) { return precision > 0 || spec->alternate ? 1 : 0; }

static void put_fixed(struct sink* s, const struct spec* spec, const char* sign, const uint32_t* word, struct decimal d,
                      int precision) {
    int whole = digits_of(word, d) - d.behind;
    if (whole < 1 || d.words == 0) {
        whole = 1;
    }
    int point = point_length(spec, precision);
    size_t body = (size_t)whole + (size_t)point + (size_t)precision;
    field_open(s, spec, sign, strlen(sign), body, true);
    put_digits(s, word, d, d.behind + whole - 1, whole);
    sink_fill(s, '.', (size_t)point);
    put_digits(s, word, d, d.behind - 1, precision);
    field_close(s, spec, strlen(sign), body);
}

/// "e+07": the exponent with its letter, at least `least` digits; returns the length.
static size_t exponent_text(char* out, char letter, int exponent, int least) {
    char reversed[8];
    int n = 0;
    for (int rest = exponent < 0 ? -exponent : exponent; rest > 0 || n < least; rest /= 10) {
        reversed[n++] = (char)('0' + rest % 10);
    }
    size_t length = 0;
    out[length++] = letter;
    out[length++] = exponent < 0 ? '-' : '+';
    while (n > 0) {
        out[length++] = reversed[--n];
    }
    return length;
}

static void put_scientific(struct sink* s, const struct spec* spec, const char* sign, const uint32_t* word, struct decimal d,
                           int precision) {
    int top = digits_of(word, d) - 1;
    char exponent[12];
    bool capital = spec->conversion == 'E' || spec->conversion == 'G';
    size_t exponent_length = exponent_text(exponent, capital ? 'E' : 'e', d.words == 0 ? 0 : top - d.behind, 2);
    int point = point_length(spec, precision);
    size_t body = 1 + (size_t)point + (size_t)precision + exponent_length;
    field_open(s, spec, sign, strlen(sign), body, true);
    put_digits(s, word, d, top, 1);
    sink_fill(s, '.', (size_t)point);
    put_digits(s, word, d, top - 1, precision);
    sink_write(s, exponent, exponent_length);
    field_close(s, spec, strlen(sign), body);
}

static void put_general(struct sink* s, const struct spec* spec, const char* sign, uint32_t* word, struct decimal d,
                        int significant) {
    if (significant == 0) {
        significant = 1;
    }
    d = round_off(word, d, digits_of(word, d) - significant);
    int top = digits_of(word, d) - 1;
    int exponent = d.words == 0 ? 0 : top - d.behind;
    bool fixed = exponent >= -4 && exponent < significant;
    int precision = fixed ? significant - 1 - exponent : significant - 1;
    if (!spec->alternate) {
        precision = without_trailing_zeros(word, d, fixed ? d.behind - 1 : top - 1, precision);
    }
    // Not through a chosen function pointer: addresses that go to an unknown function count as shared.
    if (fixed) {
        put_fixed(s, spec, sign, word, d, precision);
    } else {
        put_scientific(s, spec, sign, word, d, precision);
    }
}

static void put_decimal(struct sink* s, const struct spec* spec, struct binary b, uint32_t* word) {
    struct decimal d = expand(word, b);
    const char* sign = sign_text(spec, b.negative);
    int precision = spec->precision < 0 ? 6 : spec->precision;
    switch (spec->conversion | 0x20) {
    case 'f':
        d = round_off(word, d, d.behind - precision);
        put_fixed(s, spec, sign, word, d, precision);
        break;
    case 'e':
        d = round_off(word, d, digits_of(word, d) - 1 - precision);
        put_scientific(s, spec, sign, word, d, precision);
        break;
    default:
        put_general(s, spec, sign, word, d, precision);
        break;
    }
}

/// %a: the digit `lead` before the point, behind it the bits of `fraction` from the top, in digits of four bits.
static void put_hexadecimal(struct sink* s, const struct spec* spec, bool negative, unsigned lead, uint64_t fraction,
                            int exponent) {
    bool capital = spec->conversion == 'A';
    const char* symbols = capital ? "0123456789ABCDEF" : "0123456789abcdef";
    int precision = 16 - (fraction == 0 ? 16 : __builtin_ctzll(fraction) / 4);
    if (spec->precision >= 0 && spec->precision < precision) {
        // Round half to even at a digit; a carry may end in the leading digit.
        precision = spec->precision;
        int drop = 64 - 4 * precision;
        uint64_t half = UINT64_C(1) << (drop - 1);
        uint64_t kept = drop == 64 ? 0 : fraction >> drop << drop;
        uint64_t rest = fraction - kept;
        bool odd = ((drop == 64 ? lead : fraction >> drop) & 1) != 0;
        fraction = kept;
        if (rest > half || (rest == half && odd)) {
            uint64_t unit = drop == 64 ? 0 : UINT64_C(1) << drop;
            fraction += unit;
            lead += fraction == 0;
        }
    }
    if (lead > 15) { // only for long double, whose leading digit starts at 8
        lead = 1;
        exponent += 4;
    }
    size_t zeros = spec->precision > precision ? (size_t)(spec->precision - precision) : 0;
    char prefix[4];
    size_t prefix_length = strlen(sign_text(spec, negative));
    prefix[0] = sign_text(spec, negative)[0];
    prefix[prefix_length++] = '0';
    prefix[prefix_length++] = capital ? 'X' : 'x';
    char tail[12];
    size_t tail_length = exponent_text(tail, capital ? 'P' : 'p', exponent, 1);
    size_t point = precision > 0 || zeros > 0 || spec->alternate ? 1 : 0;
    size_t body = 1 + point + (size_t)precision + zeros + tail_length;
    field_open(s, spec, prefix, prefix_length, body, true);
    sink_put(s, symbols[lead]);
    sink_fill(s, '.', point);
    for (int i = 0; i < precision; i++) {
        sink_put(s, symbols[fraction >> (60 - 4 * i) & 15]);
    }
    sink_fill(s, '0', zeros);
    sink_write(s, tail, tail_length);
    field_close(s, spec, prefix_length, body);
}

static void put_special(struct sink* s, const struct spec* spec, bool negative, bool nan) {
    bool capital = spec->conversion < 'a';
    const char* sign = sign_text(spec, negative);
    field_open(s, spec, sign, strlen(sign), 3, false);
    sink_write(s, nan ? (capital ? "NAN" : "nan") : (capital ? "INF" : "inf"), 3);
    field_close(s, spec, strlen(sign), 3);
}

void put_double(struct sink* s, const struct spec* spec, double value) {
    uint64_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    bool negative = bits >> 63 != 0;
    int exponent = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    if (exponent == 0x7ff) {
        put_special(s, spec, negative, fraction != 0);
        return;
    }
    unsigned lead = exponent != 0; // the bit before the point, which is not stored
    int scale = exponent + !lead - 1023;
    if ((spec->conversion | 0x20) == 'a') {
        put_hexadecimal(s, spec, negative, lead, fraction << 12, bits << 1 == 0 ? 0 : scale);
        return;
    }
    uint32_t word[DOUBLE_WORDS];
    put_decimal(s, spec, (struct binary){negative, (uint64_t)lead << 52 | fraction, scale - 52}, word);
}

void put_long_double(struct sink* s, const struct spec* spec, long double value) {
    uint64_t mantissa;
    uint16_t top;
    __builtin_memcpy(&mantissa, &value, sizeof mantissa);
    __builtin_memcpy(&top, (const char*)&value + sizeof mantissa, sizeof top);
    bool negative = top >> 15 != 0;
    int exponent = top & 0x7fff;
    if (exponent == 0x7fff) {
        put_special(s, spec, negative, mantissa << 1 != 0);
        return;
    }
    int scale = exponent + (exponent == 0) - 16383;
    if ((spec->conversion | 0x20) == 'a') {
        put_hexadecimal(s, spec, negative, (unsigned)(mantissa >> 60), mantissa << 4, mantissa == 0 ? 0 : scale - 3);
        return;
    }
    uint32_t word[LONG_DOUBLE_WORDS];
    put_decimal(s, spec, (struct binary){negative, mantissa, scale - 63}, word);
}
