// The formatter behind the printf family: formats are parsed here, integers and strings done; floating point is in
// printf_float.c. The output is glibc's in the "C" locale. Not provided, and reported when met: wide characters, and arguments by
// position (%1$d).
#include "printf.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

void sink_flush(struct sink* s) {
    if (s->fd != 0) {
        __heddle_output(s->fd, s->buffer, s->used);
        s->used = 0;
    }
}

void sink_fill(struct sink* s, char c, size_t n) {
    for (; n > 0; n--) {
        sink_put(s, c);
    }
}

void sink_write(struct sink* s, const char* text, size_t n) {
    if (s->fd == 0) {
        for (; n > 0; n--) {
            sink_put(s, *text++);
        }
        return;
    }
    s->total += n;
    while (n > 0) {
        if (s->used == sizeof s->buffer) {
            sink_flush(s);
        }
        size_t part = sizeof s->buffer - s->used;
        if (part > n) {
            part = n;
        }
        __builtin_memcpy(s->buffer + s->used, text, part);
        s->used += (unsigned)part;
        text += part;
        n -= part;
    }
}

/// How many characters the field adds to what it contains.
static size_t padding(const struct spec* spec, size_t content) {
    return (size_t)spec->width > content ? (size_t)spec->width - content : 0;
}

void field_open(struct sink* s, const struct spec* spec, const char* prefix, size_t prefix_length, size_t body,
                bool zeros_allowed) {
    size_t pad = spec->left ? 0 : padding(spec, prefix_length + body);
    bool zeros = spec->zero && zeros_allowed;
    if (!zeros) {
        sink_fill(s, ' ', pad);
    }
    sink_write(s, prefix, prefix_length);
    if (zeros) {
        sink_fill(s, '0', pad);
    }
}

void field_close(struct sink* s, const struct spec* spec, size_t prefix_length, size_t body) {
    if (spec->left) {
        sink_fill(s, ' ', padding(spec, prefix_length + body));
    }
}

static void put_integer(struct sink* s, const struct spec* spec, const char* sign, uint64_t value) {
    unsigned shift = 0; // log2 of the base; 0 for ten
    const char* prefix = sign;
    const char* symbols = "0123456789abcdef";
    switch (spec->conversion) {
    case 'o':
        shift = 3;
        break;
    case 'b':
        shift = 1;
        prefix = "0b";
        break;
    case 'B':
        shift = 1;
        prefix = "0B";
        break;
    case 'x':
    case 'p':
        shift = 4;
        prefix = "0x";
        break;
    case 'X':
        shift = 4;
        prefix = "0X";
        symbols = "0123456789ABCDEF";
        break;
    default:
        break;
    }
    char digits[64];
    size_t count = 0; // from the end of `digits`; a difference of addresses would make the array count as shared
    for (uint64_t rest = value; rest != 0; rest = shift != 0 ? rest >> shift : rest / 10) {
        digits[sizeof digits - ++count] = symbols[shift != 0 ? rest & ((1u << shift) - 1) : rest % 10];
    }
    size_t least = spec->precision < 0 ? 1 : (size_t)spec->precision;
    if (spec->conversion == 'o' && spec->alternate && least <= count) {
        least = count + 1; // a leading zero, which for 0 is the digit itself
    }
    if (prefix != sign && (!spec->alternate || value == 0)) {
        prefix = "";
    }
    size_t zeros = least > count ? least - count : 0;
    size_t prefix_length = strlen(prefix);
    field_open(s, spec, prefix, prefix_length, zeros + count, spec->precision < 0);
    sink_fill(s, '0', zeros);
    sink_write(s, digits + sizeof digits - count, count);
    field_close(s, spec, prefix_length, zeros + count);
}

/// Text of at most `limit` bytes. Only padding on the left needs its length beforehand; otherwise each byte is read once.
static void put_text(struct sink* s, const struct spec* spec, const char* text, size_t limit) {
    size_t start = s->total;
    if (!spec->left && spec->width > 0) {
        limit = bounded_length(text, limit);
        sink_fill(s, ' ', padding(spec, limit));
        start = s->total;
    }
    for (; limit > 0; limit--) {
        char c = *text++;
        if (c == '\0') {
            break;
        }
        sink_put(s, c);
    }
    if (spec->left) {
        sink_fill(s, ' ', padding(spec, s->total - start));
    }
}

static void put_string(struct sink* s, const struct spec* spec, const char* text) {
    size_t limit = spec->precision < 0 ? SIZE_MAX : (size_t)spec->precision;
    if (text == NULL) {
        text = limit >= 6 ? "(null)" : ""; // as glibc
    }
    put_text(s, spec, text, limit);
}

static void put_pointer(struct sink* s, struct spec* spec, const void* p) {
    if (p == NULL) {
        spec->precision = -1;
        put_string(s, spec, "(nil)");
        return;
    }
    spec->alternate = true;
    put_integer(s, spec, "", (uintptr_t)p);
}

static void put_character(struct sink* s, const struct spec* spec, char c) {
    size_t pad = padding(spec, 1);
    sink_fill(s, ' ', spec->left ? 0 : pad);
    sink_put(s, c);
    sink_fill(s, ' ', spec->left ? pad : 0);
}

/// The arguments, in a struct so that functions can take from them by pointer.
struct arguments {
    va_list list;
};

static int64_t signed_argument(struct arguments* a, char length) {
    switch (length) {
    case 'H':
        return (signed char)va_arg(a->list, int);
    case 'h':
        return (short)va_arg(a->list, int);
    case 0:
        return va_arg(a->list, int);
    default:
        return va_arg(a->list, long);
    }
}

static uint64_t unsigned_argument(struct arguments* a, char length) {
    switch (length) {
    case 'H':
        return (unsigned char)va_arg(a->list, unsigned);
    case 'h':
        return (unsigned short)va_arg(a->list, unsigned);
    case 0:
        return va_arg(a->list, unsigned);
    default:
        return va_arg(a->list, unsigned long);
    }
}

static void store_count(struct arguments* a, char length, size_t count) {
    void* to = va_arg(a->list, void*);
    switch (length) {
    case 'H':
        *(signed char*)to = (signed char)count;
        break;
    case 'h':
        *(short*)to = (short)count;
        break;
    case 0:
        *(int*)to = (int)count;
        break;
    default:
        *(long*)to = (long)count;
        break;
    }
}

/// A number of the format, or -1 when it exceeds an int.
static int parse_number(const char** format) {
    int64_t n = 0;
    for (; **format >= '0' && **format <= '9'; ++*format) {
        n = n > INT_MAX ? n : n * 10 + (**format - '0');
    }
    return n > INT_MAX ? -1 : (int)n;
}

static void parse_flags(const char** format, struct spec* spec) {
    for (;; ++*format) {
        switch (**format) {
        case '-':
            spec->left = true;
            break;
        case '+':
            spec->plus = true;
            break;
        case ' ':
            spec->space = true;
            break;
        case '#':
            spec->alternate = true;
            break;
        case '0':
            spec->zero = true;
            break;
        case '\'':
            break; // grouping: none in the "C" locale
        default:
            return;
        }
    }
}

static char parse_length(const char** format) {
    char c = **format;
    switch (c) {
    case 'h':
    case 'l':
        ++*format;
        if (**format != c) {
            return c;
        }
        ++*format;
        return c == 'h' ? 'H' : 'q';
    case 'q':
    case 'L':
    case 'j':
    case 'z':
    case 't':
        ++*format;
        return c;
    default:
        return 0;
    }
}

/// What stands between '%' and the end of the conversion; false when a number in it is too large.
static bool parse_spec(const char** format, struct spec* spec, struct arguments* a) {
    *spec = (struct spec){.precision = -1};
    parse_flags(format, spec);
    if (**format == '*') {
        ++*format;
        spec->width = va_arg(a->list, int);
        if (spec->width < 0) {
            spec->left = true;
            spec->width = spec->width == INT_MIN ? -1 : -spec->width;
        }
    } else {
        spec->width = parse_number(format);
    }
    if (**format == '$') {
        __heddle_fail(HEDDLE_TRAP_UNSUPPORTED, "printf: arguments by position (%n$) are not supported");
    }
    if (**format == '.') {
        ++*format;
        if (**format == '*') {
            ++*format;
            int precision = va_arg(a->list, int);
            spec->precision = precision < 0 ? -1 : precision;
        } else {
            spec->precision = parse_number(format);
            if (spec->precision < 0) {
                return false;
            }
        }
    }
    spec->length = parse_length(format);
    spec->conversion = **format;
    if (spec->conversion != '\0') {
        ++*format;
    }
    return spec->width >= 0;
}

static _Noreturn void unknown_conversion(char c) {
    char letter[2] = {c, '\0'};
    struct message m = {.used = 0};
    message_add(&m, "printf: the conversion %");
    message_add(&m, letter);
    message_add(&m, " is not supported");
    __heddle_fail(HEDDLE_TRAP_UNSUPPORTED, m.text);
}

static void convert(struct sink* s, struct spec* spec, struct arguments* a) {
    switch (spec->conversion) {
    case 'd':
    case 'i': {
        int64_t value = signed_argument(a, spec->length);
        put_integer(s, spec, sign_text(spec, value < 0), value < 0 ? -(uint64_t)value : (uint64_t)value);
        break;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
        put_integer(s, spec, "", unsigned_argument(a, spec->length));
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        if (spec->length == 'L' || spec->length == 'q') {
            put_long_double(s, spec, va_arg(a->list, long double));
        } else {
            put_double(s, spec, va_arg(a->list, double));
        }
        break;
    case 'p':
        put_pointer(s, spec, va_arg(a->list, const void*));
        break;
    case 'n':
        store_count(a, spec->length, s->total);
        break;
    case 'm':
        put_string(s, spec, strerror(__heddle_errno));
        break;
    case '%':
        sink_put(s, '%');
        break;
    case 'c':
        if (spec->length == 0) {
            put_character(s, spec, (char)va_arg(a->list, int));
            break;
        }
        __heddle_fail(HEDDLE_TRAP_UNSUPPORTED, "printf: wide characters (%lc) are not supported");
    case 's':
        if (spec->length == 0) {
            put_string(s, spec, va_arg(a->list, const char*));
            break;
        }
        __heddle_fail(HEDDLE_TRAP_UNSUPPORTED, "printf: wide strings (%ls) are not supported");
    default:
        unknown_conversion(spec->conversion);
    }
}

int format_all(struct sink* s, const char* format, va_list arguments) {
    struct arguments a;
    va_copy(a.list, arguments);
    bool ok = true;
    for (char c; ok && (c = *format) != '\0';) {
        format++;
        if (c != '%') {
            sink_put(s, c);
            continue;
        }
        struct spec spec;
        ok = parse_spec(&format, &spec, &a);
        if (ok && spec.conversion == '\0') {
            va_end(a.list);
            return fail_with(EINVAL); // as glibc: a lone % at the end
        }
        if (ok) {
            convert(s, &spec, &a);
        }
    }
    va_end(a.list);
    sink_flush(s);
    return ok && s->total <= INT_MAX ? (int)s->total : fail_with(EOVERFLOW);
}
