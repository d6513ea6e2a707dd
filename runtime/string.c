// string.h and strings.h: copying, filling, comparing. Searching is in string_search.c.
//
// Copies go through the builtins, which stay LLVM's memory intrinsics in the bitcode (a call of memcpy would only appear in
// machine code): the machine runs each as one instruction, in accesses as wide as it can.
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

void* memcpy(void* restrict to, const void* restrict from, size_t n) { return __builtin_memcpy(to, from, n); }
void* memmove(void* to, const void* from, size_t n) { return __builtin_memmove(to, from, n); }
void* memset(void* to, int byte, size_t n) { return __builtin_memset(to, byte, n); }
void* mempcpy(void* restrict to, const void* restrict from, size_t n) { return (char*)memcpy(to, from, n) + n; }
void* __mempcpy(void* restrict to, const void* restrict from, size_t n) { return mempcpy(to, from, n); }
void bcopy(const void* from, void* to, size_t n) { memmove(to, from, n); }
void bzero(void* to, size_t n) { memset(to, 0, n); }
void explicit_bzero(void* to, size_t n) { memset(to, 0, n); }

void* memccpy(void* restrict to, const void* restrict from, int byte, size_t n) {
    unsigned char* out = to;
    const unsigned char* in = from;
    for (size_t i = 0; i < n; i++) {
        if ((out[i] = in[i]) == (unsigned char)byte) {
            return out + i + 1;
        }
    }
    return NULL;
}

// memcmp looks at copies of 16 bytes at a time: two wide accesses instead of 32 narrow ones. The objects are n bytes long by
// contract, also behind the first difference.
int memcmp(const void* a, const void* b, size_t n) {
    enum { CHUNK = 16 };
    unsigned char x[CHUNK], y[CHUNK];
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t part = n - at < CHUNK ? n - at : CHUNK;
        __builtin_memcpy(x, (const char*)a + at, part);
        __builtin_memcpy(y, (const char*)b + at, part);
        for (size_t i = 0; i < part; i++) {
            if (x[i] != y[i]) {
                return x[i] - y[i];
            }
        }
    }
    return 0;
}

int bcmp(const void* a, const void* b, size_t n) { return memcmp(a, b, n); }

size_t strnlen(const char* s, size_t limit) { return bounded_length(s, limit); }
size_t strlen(const char* s) { return bounded_length(s, SIZE_MAX); }

/// Copies up to and with the terminator, which it returns the place of.
static inline char* copy_string(char* to, const char* from) {
    while ((*to = *from) != '\0') {
        to++;
        from++;
    }
    return to;
}

char* stpcpy(char* restrict to, const char* restrict from) { return copy_string(to, from); }
char* __stpcpy(char* restrict to, const char* restrict from) { return copy_string(to, from); }

char* strcpy(char* restrict to, const char* restrict from) {
    copy_string(to, from);
    return to;
}

static inline char* copy_padded(char* to, const char* from, size_t n) {
    size_t length = 0;
    while (length < n && (to[length] = from[length]) != '\0') {
        length++;
    }
    memset(to + length, 0, n - length);
    return to + length;
}

char* stpncpy(char* restrict to, const char* restrict from, size_t n) { return copy_padded(to, from, n); }
char* __stpncpy(char* restrict to, const char* restrict from, size_t n) { return copy_padded(to, from, n); }

char* strncpy(char* restrict to, const char* restrict from, size_t n) {
    copy_padded(to, from, n);
    return to;
}

char* strcat(char* restrict to, const char* restrict from) {
    copy_string(to + strlen(to), from);
    return to;
}

char* strncat(char* restrict to, const char* restrict from, size_t n) {
    char* end = to + strlen(to);
    for (; n > 0 && *from != '\0'; n--) {
        *end++ = *from++;
    }
    *end = '\0';
    return to;
}

int strncmp(const char* a, const char* b, size_t n) {
    for (; n > 0; n--, a++, b++) {
        unsigned char x = (unsigned char)*a;
        unsigned char y = (unsigned char)*b;
        if (x != y || x == '\0') {
            return x - y;
        }
    }
    return 0;
}

int strcmp(const char* a, const char* b) { return strncmp(a, b, SIZE_MAX); }

int strncasecmp(const char* a, const char* b, size_t n) {
    for (; n > 0; n--, a++, b++) {
        int x = tolower((unsigned char)*a);
        int y = tolower((unsigned char)*b);
        if (x != y || x == '\0') {
            return x - y;
        }
    }
    return 0;
}

int strcasecmp(const char* a, const char* b) { return strncasecmp(a, b, SIZE_MAX); }

// The locale is "C": collation is comparison of bytes.
int strcoll(const char* a, const char* b) { return strcmp(a, b); }

size_t strxfrm(char* restrict to, const char* restrict from, size_t n) {
    size_t length = strlen(from);
    if (n > 0) {
        size_t kept = length < n ? length : n - 1;
        memcpy(to, from, kept);
        to[kept] = '\0';
    }
    return length;
}

int ffs(int i) { return __builtin_ffs(i); }
int ffsl(long i) { return __builtin_ffsl(i); }
int ffsll(long long i) { return __builtin_ffsll(i); }

// glibc's texts of the errors that this library itself reports, and of the common others. Not in the table: "Unknown error",
// without the number that glibc adds, because that would need memory shared with the caller.
static const char* const error_texts[] = {
    [0] = "Success",
    [EPERM] = "Operation not permitted",
    [ENOENT] = "No such file or directory",
    [ESRCH] = "No such process",
    [EINTR] = "Interrupted system call",
    [EIO] = "Input/output error",
    [E2BIG] = "Argument list too long",
    [EBADF] = "Bad file descriptor",
    [ECHILD] = "No child processes",
    [EAGAIN] = "Resource temporarily unavailable",
    [ENOMEM] = "Cannot allocate memory",
    [EACCES] = "Permission denied",
    [EFAULT] = "Bad address",
    [EBUSY] = "Device or resource busy",
    [EEXIST] = "File exists",
    [EINVAL] = "Invalid argument",
    [EMFILE] = "Too many open files",
    [ENOSPC] = "No space left on device",
    [EPIPE] = "Broken pipe",
    [EDOM] = "Numerical argument out of domain",
    [ERANGE] = "Numerical result out of range",
    [EDEADLK] = "Resource deadlock avoided",
    [ENAMETOOLONG] = "File name too long",
    [ENOSYS] = "Function not implemented",
    [EILSEQ] = "Invalid or incomplete multibyte or wide character",
    [EOVERFLOW] = "Value too large for defined data type",
    [ENOTSUP] = "Operation not supported",
    [ETIMEDOUT] = "Connection timed out",
    [EOWNERDEAD] = "Owner died",
    [ENOTRECOVERABLE] = "State not recoverable",
    [ECANCELED] = "Operation canceled",
};

static const char* text_of(int error) {
    const size_t known = sizeof error_texts / sizeof error_texts[0];
    const char* text = error >= 0 && (size_t)error < known ? error_texts[error] : NULL;
    return text != NULL ? text : "Unknown error";
}

char* strerror(int error) { return (char*)text_of(error); }

/// The GNU form: the text itself, the buffer is not needed.
char* strerror_r(int error, char* buffer, size_t n) {
    (void)buffer;
    (void)n;
    return (char*)text_of(error);
}

/// The POSIX form of strerror_r.
int __xpg_strerror_r(int error, char* buffer, size_t n);

int __xpg_strerror_r(int error, char* buffer, size_t n) {
    const char* text = text_of(error);
    size_t length = strlen(text);
    strxfrm(buffer, text, n);
    return length < n ? 0 : ERANGE;
}
