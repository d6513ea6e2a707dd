// stdio.h as far as it writes to stdout and stderr: the printf family, puts and its relatives. There are no files and there is no
// input; a program that calls for them is told which function is missing.
//
// Nothing is buffered between calls: each call is one output, so texts of different threads do not mix within a line.
#include "printf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The streams are only names; nothing is ever read or written behind them. The variables are constants, unlike in the header, so
// that using `stdout` is not an access to shared memory: hence the detour over the names in the object file.
static const FILE streams[3];
FILE* const standard_input __asm__("stdin") = (FILE*)&streams[0];
FILE* const standard_output __asm__("stdout") = (FILE*)&streams[1];
FILE* const standard_error __asm__("stderr") = (FILE*)&streams[2];

static int output_fd(const FILE* stream) {
    if (stream == standard_output) {
        return 1;
    }
    if (stream == standard_error) {
        return 2;
    }
    __heddle_fail(HEDDLE_TRAP_UNSUPPORTED, "output to a stream other than stdout and stderr");
}

static int checked_fd(int fd) {
    if (fd != 1 && fd != 2) {
        __heddle_fail(HEDDLE_TRAP_UNSUPPORTED, "output to a file descriptor other than 1 and 2");
    }
    return fd;
}

// The printf family, down to two functions: to a descriptor, and to memory.

static int print(int fd, const char* format, va_list arguments) {
    struct sink s;
    sink_open(&s, fd, 0);
    return format_all(&s, format, arguments);
}

int vsnprintf(char* restrict to, size_t size, const char* restrict format, va_list arguments) {
    struct sink s;
    size_t copied = 0;
    for (;;) {
        sink_open(&s, 0, copied);
        int result = format_all(&s, format, arguments);
        if (size == 0) {
            return result;
        }
        size_t room = size - 1 - copied;
        size_t part = s.used < room ? s.used : room;
        __builtin_memcpy(to + copied, s.buffer, part);
        copied += part;
        if (result < 0 || part == room || copied == s.total) {
            to[copied] = '\0';
            return result;
        }
    }
}

int vsprintf(char* restrict to, const char* restrict format, va_list arguments) {
    return vsnprintf(to, (size_t)PTRDIFF_MAX, format, arguments);
}

int vasprintf(char** restrict result, const char* restrict format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) {
        return length;
    }
    *result = malloc((size_t)length + 1);
    return vsnprintf(*result, (size_t)length + 1, format, arguments);
}

int vfprintf(FILE* restrict stream, const char* restrict format, va_list arguments) {
    return print(output_fd(stream), format, arguments);
}
int vprintf(const char* restrict format, va_list arguments) { return print(1, format, arguments); }
int vdprintf(int fd, const char* restrict format, va_list arguments) { return print(checked_fd(fd), format, arguments); }

/// The body of a function that takes `...` after `last`: `call` uses the list as `arguments`.
#define WITH_ARGUMENTS(last, call)                                                                                               \
    {                                                                                                                            \
        va_list arguments;                                                                                                       \
        va_start(arguments, last);                                                                                               \
        int returned = call;                                                                                                     \
        va_end(arguments);                                                                                                       \
        return returned;                                                                                                         \
    }

int printf(const char* restrict format, ...)
    WITH_ARGUMENTS(format, print(1, format, arguments)) int fprintf(FILE* restrict stream, const char* restrict format, ...)
        WITH_ARGUMENTS(format, vfprintf(stream, format, arguments)) int dprintf(int fd, const char* restrict format, ...)
            WITH_ARGUMENTS(format, vdprintf(fd, format, arguments)) int sprintf(char* restrict to, const char* restrict format,
                                                                                ...)
                WITH_ARGUMENTS(format, vsprintf(to, format, arguments)) int snprintf(char* restrict to, size_t size,
                                                                                     const char* restrict format, ...)
                    WITH_ARGUMENTS(format, vsnprintf(to, size, format, arguments)) int asprintf(char** restrict result,
                                                                                                const char* restrict format, ...)
                        WITH_ARGUMENTS(format, vasprintf(result, format, arguments))

    // The names under which headers call them when _FORTIFY_SOURCE is on. The sizes that they add are not needed: the machine
    // checks bounds.

    int __printf_chk(int flag, const char* restrict format, ...);
int __fprintf_chk(FILE* restrict stream, int flag, const char* restrict format, ...);
int __dprintf_chk(int fd, int flag, const char* restrict format, ...);
int __sprintf_chk(char* restrict to, int flag, size_t room, const char* restrict format, ...);
int __snprintf_chk(char* restrict to, size_t size, int flag, size_t room, const char* restrict format, ...);
int __asprintf_chk(char** restrict result, int flag, const char* restrict format, ...);
int __vprintf_chk(int flag, const char* restrict format, va_list arguments);
int __vfprintf_chk(FILE* restrict stream, int flag, const char* restrict format, va_list arguments);
int __vdprintf_chk(int fd, int flag, const char* restrict format, va_list arguments);
int __vsprintf_chk(char* restrict to, int flag, size_t room, const char* restrict format, va_list arguments);
int __vsnprintf_chk(char* restrict to, size_t size, int flag, size_t room, const char* restrict format, va_list arguments);
int __vasprintf_chk(char** restrict result, int flag, const char* restrict format, va_list arguments);

#define UNUSED __attribute__((unused))

int __vprintf_chk(UNUSED int flag, const char* restrict format, va_list arguments) { return print(1, format, arguments); }
int __vfprintf_chk(FILE* restrict stream, UNUSED int flag, const char* restrict format, va_list arguments) {
    return vfprintf(stream, format, arguments);
}
int __vdprintf_chk(int fd, UNUSED int flag, const char* restrict format, va_list arguments) {
    return vdprintf(fd, format, arguments);
}
int __vsprintf_chk(char* restrict to, UNUSED int flag, UNUSED size_t room, const char* restrict format, va_list arguments) {
    return vsprintf(to, format, arguments);
}
int __vsnprintf_chk(char* restrict to, size_t size, UNUSED int flag, UNUSED size_t room, const char* restrict format,
                    va_list arguments) {
    return vsnprintf(to, size, format, arguments);
}
int __vasprintf_chk(char** restrict result, UNUSED int flag, const char* restrict format, va_list arguments) {
    return vasprintf(result, format, arguments);
}
int __printf_chk(UNUSED int flag, const char* restrict format, ...)
    WITH_ARGUMENTS(format, print(1, format, arguments)) int __fprintf_chk(FILE* restrict stream, UNUSED int flag,
                                                                          const char* restrict format, ...)
        WITH_ARGUMENTS(format, vfprintf(stream, format, arguments)) int __dprintf_chk(int fd, UNUSED int flag,
                                                                                      const char* restrict format, ...)
            WITH_ARGUMENTS(format, vdprintf(fd, format, arguments)) int __sprintf_chk(char* restrict to, UNUSED int flag,
                                                                                      UNUSED size_t room,
                                                                                      const char* restrict format, ...)
                WITH_ARGUMENTS(format, vsprintf(to, format, arguments)) int __snprintf_chk(char* restrict to, size_t size,
                                                                                           UNUSED int flag, UNUSED size_t room,
                                                                                           const char* restrict format, ...)
                    WITH_ARGUMENTS(format, vsnprintf(to, size, format,
                                                     arguments)) int __asprintf_chk(char** restrict result, UNUSED int flag,
                                                                                    const char* restrict format, ...)
                        WITH_ARGUMENTS(format, vasprintf(result, format, arguments))

    // Text without a format.

    static void put_string_to(struct sink* s, const char* text) {
    for (char c; (c = *text) != '\0'; text++) {
        sink_put(s, c);
    }
}

int fputs(const char* restrict text, FILE* restrict stream) {
    struct sink s;
    sink_open(&s, output_fd(stream), 0);
    put_string_to(&s, text);
    sink_flush(&s);
    return 1;
}

int puts(const char* text) {
    struct sink s;
    sink_open(&s, 1, 0);
    put_string_to(&s, text);
    sink_put(&s, '\n');
    sink_flush(&s);
    return (int)s.total;
}

static int put_byte(int fd, int c) {
    char byte = (char)c;
    __heddle_output(fd, &byte, 1);
    return (unsigned char)c;
}

#undef putc
#undef putchar
#undef fputc
int fputc(int c, FILE* stream) { return put_byte(output_fd(stream), c); }
int putc(int c, FILE* stream) { return put_byte(output_fd(stream), c); }
int putchar(int c) { return put_byte(1, c); }
int fputc_unlocked(int c, FILE* stream) { return put_byte(output_fd(stream), c); }
int putc_unlocked(int c, FILE* stream) { return put_byte(output_fd(stream), c); }
int putchar_unlocked(int c) { return put_byte(1, c); }
int fputs_unlocked(const char* restrict text, FILE* restrict stream) { return fputs(text, stream); }
/// What the header's inline putc_unlocked calls when the stream's buffer is full, which ours always is.
int __overflow(FILE* stream, int c) { return put_byte(output_fd(stream), c); }

static void write_bytes(int fd, const void* bytes, size_t n) {
    struct sink s;
    sink_open(&s, fd, 0);
    sink_write(&s, bytes, n);
    sink_flush(&s);
}

size_t fwrite(const void* restrict items, size_t size, size_t count, FILE* restrict stream) {
    int fd = output_fd(stream);
    if (size == 0 || count == 0) {
        return 0;
    }
    write_bytes(fd, items, size * count);
    return count;
}

#undef fwrite_unlocked
size_t fwrite_unlocked(const void* restrict items, size_t size, size_t count, FILE* restrict stream) {
    return fwrite(items, size, count, stream);
}

ssize_t write(int fd, const void* bytes, size_t n) {
    write_bytes(checked_fd(fd), bytes, n);
    return (ssize_t)n;
}

void perror(const char* text) {
    struct sink s;
    sink_open(&s, 2, 0);
    if (text != NULL && *text != '\0') {
        put_string_to(&s, text);
        put_string_to(&s, ": ");
    }
    put_string_to(&s, strerror(__heddle_errno));
    sink_put(&s, '\n');
    sink_flush(&s);
}

// Buffering and state of the streams: nothing to do, nothing ever goes wrong.

int fflush(UNUSED FILE* stream) { return 0; }
int fflush_unlocked(UNUSED FILE* stream) { return 0; }
int setvbuf(UNUSED FILE* restrict stream, UNUSED char* restrict buffer, UNUSED int mode, UNUSED size_t size) { return 0; }
void setbuf(UNUSED FILE* restrict stream, UNUSED char* restrict buffer) {}
void setbuffer(UNUSED FILE* restrict stream, UNUSED char* restrict buffer, UNUSED size_t size) {}
void setlinebuf(UNUSED FILE* stream) {}
int fileno(FILE* stream) { return stream == standard_input ? 0 : output_fd(stream); }
int fileno_unlocked(FILE* stream) { return fileno(stream); }
#undef feof_unlocked
#undef ferror_unlocked
int ferror(UNUSED FILE* stream) { return 0; }
int feof(UNUSED FILE* stream) { return 0; }
void clearerr(UNUSED FILE* stream) {}
int ferror_unlocked(UNUSED FILE* stream) { return 0; }
int feof_unlocked(UNUSED FILE* stream) { return 0; }
