// Floating point from text, correctly rounded (half to even) for float, double and long double.
//
// A decimal text is held as a fixed-point number in words of nine digits and multiplied or divided by powers of two until its
// whole part has between 90 and 120 bits; from those, the power, and whether anything was cut off behind them ("sticky"), every
// rounding follows. Multiplying is exact. Dividing cuts digits off at the lower end, but the floor of a floor is the floor, so
// the whole part stays that of the exact number. Digits after the first 800 count as sticky only: that decides every double
// exactly; a long double could differ in its last bit only if more than 800 digits of the text agree with the middle between two
// of them. The payload of "nan(...)" is accepted and ignored.
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum { BASE = 1000000000, WORD_DIGITS = 9, MAX_DIGITS = 800, WHOLE_WORDS = 4, STEP = 29 };

// Decimal exponents beyond these are infinity or zero in every format.
enum { MAX_EXPONENT = 4940, MIN_EXPONENT = -5000 };
enum { WORDS = (MAX_DIGITS - MIN_EXPONENT) / WORD_DIGITS + 2 * WHOLE_WORDS };

typedef unsigned __int128 Wide;

/// (whole + something in (0, 1) if sticky) * 2^exponent.
struct scaled {
    Wide whole;
    int exponent;
    bool sticky;
};

/// What a floating-point format can hold: `bits` of mantissa, times two to the power of `least` and up to `most`.
struct format {
    int bits;
    int least;
    int most;
};

static const struct format FLOAT = {24, -149, 104};
static const struct format DOUBLE = {53, -1074, 971};
static const struct format LONG_DOUBLE = {64, -16445, 16320};

/// A result before it is packed: mantissa * 2^exponent, the mantissa below 2^bits, and full unless the exponent is `least`.
struct rounded {
    uint64_t mantissa;
    int exponent;
    bool infinite;
};

static struct rounded round_to(struct scaled x, struct format f) {
    struct rounded r = {0, f.least, false};
    if (x.whole == 0) {
        if (x.sticky) {
            __heddle_errno = ERANGE;
        }
        return r;
    }
    uint64_t high = (uint64_t)(x.whole >> 64);
    int length = high != 0 ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)x.whole);
    int exponent = x.exponent + length - f.bits;
    if (exponent < f.least) {
        exponent = f.least;
    }
    int drop = exponent - x.exponent;
    bool inexact = x.sticky;
    if (drop <= 0) {
        r.mantissa = (uint64_t)(x.whole << -drop);
    } else if (drop > 128) {
        inexact = true; // less than half of the smallest number
    } else {
        Wide kept = drop == 128 ? 0 : x.whole >> drop;
        Wide rest = drop == 128 ? x.whole : x.whole - (kept << drop);
        Wide half = (Wide)1 << (drop - 1);
        r.mantissa = (uint64_t)kept;
        inexact = inexact || rest != 0;
        if (rest > half || (rest == half && (x.sticky || (kept & 1) != 0))) {
            // A mantissa of 64 bits wraps to 0 here; all shorter ones reach the next power of two.
            r.mantissa++;
            if (f.bits == 64 ? r.mantissa == 0 : r.mantissa >> f.bits != 0) {
                r.mantissa = UINT64_C(1) << (f.bits - 1);
                exponent++;
            }
        }
    }
    r.exponent = exponent;
    r.infinite = exponent > f.most;
    bool subnormal = r.mantissa >> (f.bits - 1) == 0;
    if (r.infinite || (subnormal && inexact)) {
        __heddle_errno = ERANGE;
    }
    return r;
}

/// The fixed-point number: the words used, and how many of them stand behind the point. Its words live in the caller's frame.
struct fixed {
    int words;
    int behind;
    bool sticky;
};

static struct fixed multiply(uint32_t* word, struct fixed x) {
    uint64_t carry = 0;
    for (int i = 0; i < x.words; i++) {
        uint64_t product = ((uint64_t)word[i] << STEP) + carry;
        word[i] = (uint32_t)(product % BASE);
        carry = product / BASE;
    }
    if (carry != 0) { // below 2^STEP, which is below BASE
        word[x.words++] = (uint32_t)carry;
    }
    return x;
}

static struct fixed divide(uint32_t* word, struct fixed x) {
    uint64_t remainder = 0;
    for (int i = x.words; i > 0; i--) {
        uint64_t dividend = remainder * BASE + word[i - 1];
        word[i - 1] = (uint32_t)(dividend >> STEP);
        remainder = dividend & ((UINT64_C(1) << STEP) - 1);
    }
    x.sticky = x.sticky || remainder != 0;
    while (x.words > 0 && word[x.words - 1] == 0) {
        x.words--;
    }
    return x;
}

static struct scaled scale(uint32_t* word, struct fixed x) {
    struct scaled result = {0, 0, false};
    if (x.words == 0) {
        result.sticky = x.sticky;
        return result;
    }
    for (; x.words - x.behind < WHOLE_WORDS; result.exponent -= STEP) {
        x = multiply(word, x);
    }
    for (; x.words - x.behind > WHOLE_WORDS; result.exponent += STEP) {
        x = divide(word, x);
    }
    for (int i = x.words; i > x.behind; i--) {
        result.whole = result.whole * BASE + word[i - 1];
    }
    result.sticky = x.sticky;
    for (int i = 0; i < x.behind && !result.sticky; i++) {
        result.sticky = word[i] != 0;
    }
    return result;
}

// The text is named by its start and offsets: storing an address into it would make it shared.

/// An exponent with its letter ("e-7").
struct exponent {
    int value;
    size_t length; ///< 0: there is none
};

static struct exponent parse_exponent(const char* text, char letter) {
    struct exponent result = {0, 0};
    size_t at = 1;
    if ((text[0] | 0x20) != letter) {
        return result;
    }
    bool negative = text[at] == '-';
    if (text[at] == '-' || text[at] == '+') {
        at++;
    }
    for (; isdigit((unsigned char)text[at]); result.length = ++at) {
        result.value = result.value > 10000000 ? result.value : result.value * 10 + (text[at] - '0');
    }
    if (negative) {
        result.value = -result.value;
    }
    return result;
}

/// The digits of a number, counted before they are used. One point may stand among them.
struct digits {
    size_t first;     ///< offset of the first digit that is not 0; `length` when there is none
    size_t length;    ///< of all of them
    int count;        ///< from the first on; saturated
    int64_t exponent; ///< the decimal (or hexadecimal) exponent of the first digit's place, before any written exponent
    bool any;         ///< a digit was there at all, if only 0
};

static struct digits scan_digits(const char* text, bool hexadecimal) {
    struct digits d = {0, 0, 0, -1, false};
    bool point = false;
    for (;; d.length++) {
        char c = text[d.length];
        if (c == '.' && !point) {
            point = true;
            continue;
        }
        if (!(hexadecimal ? isxdigit((unsigned char)c) : isdigit((unsigned char)c))) {
            break;
        }
        d.any = true;
        if (d.count == 0 && c == '0') {
            d.exponent -= point;
            continue;
        }
        if (d.count == 0) {
            d.first = d.length;
        }
        d.count += d.count < 1000000000;
        d.exponent += !point;
    }
    return d;
}

static const uint32_t powers[WORD_DIGITS] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// The number of these digits, the first of which has the decimal exponent given.
static struct scaled decimal_value(const char* text, struct digits d, int64_t exponent) {
    if (d.count == 0) {
        return (struct scaled){0, 0, false};
    }
    if (exponent > MAX_EXPONENT || exponent < MIN_EXPONENT) {
        return (struct scaled){exponent > 0, exponent > 0 ? 100000 : 0, true};
    }
    uint32_t word[WORDS];
    int kept = d.count < MAX_DIGITS ? d.count : MAX_DIGITS;
    int lowest = (int)exponent - kept + 1; // the place of the last digit that is kept
    struct fixed x = {0, 0, false};
    if (lowest < 0) {
        x.behind = (-lowest + WORD_DIGITS - 1) / WORD_DIGITS;
    }
    int place = (int)exponent + x.behind * WORD_DIGITS;
    x.words = place / WORD_DIGITS + 1;
    for (int i = 0; i < x.words; i++) {
        word[i] = 0;
    }
    for (size_t at = d.first; at < d.length; at++) {
        char c = text[at];
        if (c == '.') {
            continue;
        }
        if (kept > 0) {
            word[place / WORD_DIGITS] += (uint32_t)(c - '0') * powers[place % WORD_DIGITS];
            place--;
            kept--;
        } else if (c != '0') {
            x.sticky = true;
            break;
        }
    }
    return scale(word, x);
}

/// The same for hexadecimal digits; `exponent` is that of the first digit's lowest bit, to the base two.
static struct scaled hexadecimal_value(const char* text, struct digits d, int64_t exponent) {
    struct scaled result = {0, 0, false};
    if (d.count == 0) {
        return result;
    }
    int room = 28; // digits that fit; the others are sticky
    for (size_t at = d.first; at < d.length; at++) {
        char c = text[at];
        if (c == '.') {
            continue;
        }
        int value = isdigit((unsigned char)c) ? c - '0' : (c | 0x20) - 'a' + 10;
        if (room > 0) {
            result.whole = result.whole << 4 | (unsigned)value;
            exponent -= at > d.first ? 4 : 0;
            room--;
        } else if (value != 0) {
            result.sticky = true;
        }
    }
    result.exponent = exponent > 100000 ? 100000 : exponent < -100000 ? -100000 : (int)exponent;
    return result;
}

enum kind { NUMBER, INFINITE, NAN_VALUE };

/// A parsed text.
struct parsed {
    enum kind kind;
    bool negative;
    struct scaled value;
    size_t length; ///< of the number and what stands before it; 0 when there is none
};

/// The length of the word if the text starts with it in either case, else 0. The word is in lower case.
static size_t match_word(const char* text, const char* word) {
    size_t n = 0;
    for (; word[n] != '\0'; n++) {
        if ((text[n] | 0x20) != word[n]) {
            return 0;
        }
    }
    return n;
}

/// The length of the "(...)" that may follow nan.
static size_t payload_length(const char* text) {
    if (text[0] != '(') {
        return 0;
    }
    size_t n = 1;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') {
        n++;
    }
    return text[n] == ')' ? n + 1 : 0;
}

static struct parsed parse(const char* text) {
    struct parsed result = {NUMBER, false, {0, 0, false}, 0};
    size_t at = 0;
    while (isspace((unsigned char)text[at])) {
        at++;
    }
    if (text[at] == '-' || text[at] == '+') {
        result.negative = text[at++] == '-';
    }
    size_t length;
    if ((length = match_word(text + at, "inf")) != 0) {
        size_t longer = match_word(text + at, "infinity");
        result.kind = INFINITE;
        result.length = at + (longer != 0 ? longer : length);
        return result;
    }
    if ((length = match_word(text + at, "nan")) != 0) {
        result.kind = NAN_VALUE;
        result.length = at + length + payload_length(text + at + length);
        return result;
    }
    bool hexadecimal = text[at] == '0' && (text[at + 1] | 0x20) == 'x' && scan_digits(text + at + 2, true).any;
    if (hexadecimal) {
        at += 2;
    }
    struct digits d = scan_digits(text + at, hexadecimal);
    if (!d.any) {
        result.negative = false; // there is no number, so its sign is not one either
        return result;
    }
    struct exponent e = parse_exponent(text + at + d.length, hexadecimal ? 'p' : 'e');
    result.value = hexadecimal ? hexadecimal_value(text + at, d, 4 * d.exponent + e.value)
                               : decimal_value(text + at, d, d.exponent + e.value);
    result.length = at + d.length + e.length;
    return result;
}

static struct rounded round_parsed(const struct parsed* p, struct format f) {
    if (p->kind == NUMBER) {
        return round_to(p->value, f);
    }
    return (struct rounded){0, 0, p->kind == INFINITE}; // a NaN is up to the caller
}

// Packing uses that adding the mantissa, whose top bit is 2^(bits - 1) for normal numbers, to the exponent counted from `least`
// carries into the exponent field exactly when it must.

static float as_float(const struct parsed* p) {
    struct rounded r = round_parsed(p, FLOAT);
    uint32_t bits = p->kind == NAN_VALUE ? 0x7fc00000u
                    : r.infinite         ? 0x7f800000u
                                         : ((uint32_t)(r.exponent - FLOAT.least) << 23) + (uint32_t)r.mantissa;
    bits |= (uint32_t)p->negative << 31;
    float result;
    __builtin_memcpy(&result, &bits, sizeof result);
    return result;
}

static double as_double(const struct parsed* p) {
    struct rounded r = round_parsed(p, DOUBLE);
    uint64_t bits = p->kind == NAN_VALUE ? UINT64_C(0x7ff8) << 48
                    : r.infinite         ? UINT64_C(0x7ff0) << 48
                                         : ((uint64_t)(r.exponent - DOUBLE.least) << 52) + r.mantissa;
    bits |= (uint64_t)p->negative << 63;
    double result;
    __builtin_memcpy(&result, &bits, sizeof result);
    return result;
}

static long double as_long_double(const struct parsed* p) {
    struct rounded r = round_parsed(p, LONG_DOUBLE);
    uint64_t mantissa = r.mantissa;
    int exponent = mantissa >> 63 != 0 ? r.exponent - LONG_DOUBLE.least + 1 : 0;
    if (p->kind == NAN_VALUE || r.infinite) {
        mantissa = p->kind == NAN_VALUE ? UINT64_C(3) << 62 : UINT64_C(1) << 63;
        exponent = 0x7fff;
    }
    uint16_t top = (uint16_t)(exponent | (p->negative ? 0x8000 : 0));
    long double result = 0;
    __builtin_memcpy(&result, &mantissa, sizeof mantissa);
    __builtin_memcpy((char*)&result + sizeof mantissa, &top, sizeof top);
    return result;
}

float strtof(const char* restrict text, char** restrict end) {
    struct parsed p = parse(text);
    if (end != NULL) {
        *end = (char*)text + p.length;
    }
    return as_float(&p);
}

double strtod(const char* restrict text, char** restrict end) {
    struct parsed p = parse(text);
    if (end != NULL) {
        *end = (char*)text + p.length;
    }
    return as_double(&p);
}

long double strtold(const char* restrict text, char** restrict end) {
    struct parsed p = parse(text);
    if (end != NULL) {
        *end = (char*)text + p.length;
    }
    return as_long_double(&p);
}

double atof(const char* text) { // not through strtod, which may hand the address of the text to its caller
    struct parsed p = parse(text);
    return as_double(&p);
}
