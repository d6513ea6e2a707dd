// ctype.h in the "C" locale: the tables behind glibc's macros, and the functions. The tables are constants, so looking into them
// is no action.
#include "internal.h"

#include <ctype.h>

// The header's macros would stand in for the definitions below.
#undef isalnum
#undef isalpha
#undef isblank
#undef iscntrl
#undef isdigit
#undef isgraph
#undef islower
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef tolower
#undef toupper
#undef isascii
#undef toascii

// Indices run from -128 (a negative char, as programs wrongly pass) to 255; `FIRST` shifts them to 0.
enum { FIRST = 128, ENTRIES = 384 };

enum {
    PRINTED = _ISgraph | _ISprint,
    PUNCTUATION = _ISpunct | PRINTED,
    DIGIT = _ISdigit | _ISxdigit | _ISalnum | PRINTED,
    UPPER = _ISupper | _ISalpha | _ISalnum | PRINTED,
    LOWER = _ISlower | _ISalpha | _ISalnum | PRINTED,
};

static const unsigned short classes[ENTRIES] = {
    [FIRST + 0 ... FIRST + '\t' - 1] = _IScntrl,
    [FIRST + '\t'] = _IScntrl | _ISspace | _ISblank,
    [FIRST + '\n' ... FIRST + '\r'] = _IScntrl | _ISspace,
    [FIRST + '\r' + 1 ... FIRST + ' ' - 1] = _IScntrl,
    [FIRST + ' '] = _ISspace | _ISblank | _ISprint,
    [FIRST + '!' ... FIRST + '/'] = PUNCTUATION,
    [FIRST + '0' ... FIRST + '9'] = DIGIT,
    [FIRST + ':' ... FIRST + '@'] = PUNCTUATION,
    [FIRST + 'A' ... FIRST + 'F'] = UPPER | _ISxdigit,
    [FIRST + 'G' ... FIRST + 'Z'] = UPPER,
    [FIRST + '[' ... FIRST + '`'] = PUNCTUATION,
    [FIRST + 'a' ... FIRST + 'f'] = LOWER | _ISxdigit,
    [FIRST + 'g' ... FIRST + 'z'] = LOWER,
    [FIRST + '{' ... FIRST + '~'] = PUNCTUATION,
    [FIRST + 127] = _IScntrl,
};

// Every entry of the case tables as f(its character); negative characters stand for their unsigned value, EOF for itself.
#define ROW4(f, c) f(c), f((c) + 1), f((c) + 2), f((c) + 3)
#define ROW16(f, c) ROW4(f, c), ROW4(f, (c) + 4), ROW4(f, (c) + 8), ROW4(f, (c) + 12)
#define ROW64(f, c) ROW16(f, c), ROW16(f, (c) + 16), ROW16(f, (c) + 32), ROW16(f, (c) + 48)
#define ALL(f) ROW64(f, -128), ROW64(f, -64), ROW64(f, 0), ROW64(f, 64), ROW64(f, 128), ROW64(f, 192)
#define SAME(c) ((c) < -1 ? (c) + 256 : (c))
#define TO_LOWER(c) ((c) >= 'A' && (c) <= 'Z' ? (c) + 32 : SAME(c))
#define TO_UPPER(c) ((c) >= 'a' && (c) <= 'z' ? (c) - 32 : SAME(c))

static const __int32_t lower_case[ENTRIES] = {ALL(TO_LOWER)};
static const __int32_t upper_case[ENTRIES] = {ALL(TO_UPPER)};

static const unsigned short* const classes_at_zero = classes + FIRST;
static const __int32_t* const lower_at_zero = lower_case + FIRST;
static const __int32_t* const upper_at_zero = upper_case + FIRST;

const unsigned short** __ctype_b_loc(void) { return (const unsigned short**)&classes_at_zero; }
const __int32_t** __ctype_tolower_loc(void) { return (const __int32_t**)&lower_at_zero; }
const __int32_t** __ctype_toupper_loc(void) { return (const __int32_t**)&upper_at_zero; }

#define CLASS(name, bit)                                                                                                         \
    int name(int c) { return classes[FIRST + c] & (bit); }

CLASS(isalnum, _ISalnum)
CLASS(isalpha, _ISalpha)
CLASS(isblank, _ISblank)
CLASS(iscntrl, _IScntrl)
CLASS(isdigit, _ISdigit)
CLASS(isgraph, _ISgraph)
CLASS(islower, _ISlower)
CLASS(isprint, _ISprint)
CLASS(ispunct, _ISpunct)
CLASS(isspace, _ISspace)
CLASS(isupper, _ISupper)
CLASS(isxdigit, _ISxdigit)

// Unlike the classes, these are defined for every int.
int tolower(int c) { return c >= -FIRST && c < ENTRIES - FIRST ? lower_case[FIRST + c] : c; }
int toupper(int c) { return c >= -FIRST && c < ENTRIES - FIRST ? upper_case[FIRST + c] : c; }
int isascii(int c) { return (c & ~0x7f) == 0; }
int toascii(int c) { return c & 0x7f; }
