// Inside the printf family: where formatted text goes, and what a conversion asks for.
#ifndef HEDDLE_RUNTIME_PRINTF_H
#define HEDDLE_RUNTIME_PRINTF_H

#include "internal.h"

#include <stdarg.h>

/// Collects text in private memory. To a stream it is handed on whenever the buffer is full, and at the end: one builtin call for
/// all but very long texts. For the memory of the program the sink keeps one window of the text, which the caller copies out,
/// formatting again for each further window: the sink must not hold the address of that memory, because storing an address makes
/// its object shared.
struct sink {
    int fd;       ///< 1 or 2; 0: a window
    size_t skip;  ///< window: bytes of the text before it
    size_t total; ///< bytes put so far, also those outside the window
    unsigned used;
    char buffer[512];
};

static inline void sink_open(struct sink* s, int fd, size_t skip) {
    s->fd = fd;
    s->skip = skip;
    s->total = 0;
    s->used = 0;
}

/// Hands the buffer on to the stream; a window stays as it is.
void sink_flush(struct sink* s) INTERNAL(sink_flush);
void sink_fill(struct sink* s, char c, size_t n) INTERNAL(sink_fill);
void sink_write(struct sink* s, const char* text, size_t n) INTERNAL(sink_write);

static inline void sink_put(struct sink* s, char c) {
    if (s->used == sizeof s->buffer) {
        sink_flush(s);
    }
    if (s->total++ >= s->skip && s->used < sizeof s->buffer) {
        s->buffer[s->used++] = c;
    }
}

/// One conversion, as parsed.
struct spec {
    bool left, plus, space, alternate, zero;
    int width;
    int precision;   ///< -1: none given
    char length;     ///< 0, or h l z j t L as written, H for hh, q for ll
    char conversion; ///< the letter
};

/// A number within its field: blanks or zeros as the flags say, around a sign or prefix and `body` further characters, which the
/// caller puts between field_open and field_close.
void field_open(struct sink* s, const struct spec* spec, const char* prefix, size_t prefix_length, size_t body,
                bool zeros_allowed) INTERNAL(field_open);
void field_close(struct sink* s, const struct spec* spec, size_t prefix_length, size_t body) INTERNAL(field_close);

/// The sign that the flags ask for: "-", "+", " " or "".
static inline const char* sign_text(const struct spec* spec, bool negative) {
    return negative ? "-" : spec->plus ? "+" : spec->space ? " " : "";
}

/// The conversions a e f g and their capitals (printf_float.c).
void put_double(struct sink* s, const struct spec* spec, double value) INTERNAL(put_double);
void put_long_double(struct sink* s, const struct spec* spec, long double value) INTERNAL(put_long_double);

/// The whole of the format; returns what printf returns.
int format_all(struct sink* s, const char* format, va_list arguments) INTERNAL(format_all);

#endif
