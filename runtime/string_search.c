// string.h: searching and splitting.
#include "internal.h"

#include <string.h>
#include <strings.h>

void* memchr(const void* s, int byte, size_t n) {
    const unsigned char* p = s;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == (unsigned char)byte) {
            return (void*)(p + i);
        }
    }
    return NULL;
}

void* rawmemchr(const void* s, int byte) { return memchr(s, byte, SIZE_MAX); }

void* memrchr(const void* s, int byte, size_t n) {
    const unsigned char* p = s;
    for (size_t i = n; i > 0; i--) {
        if (p[i - 1] == (unsigned char)byte) {
            return (void*)(p + i - 1);
        }
    }
    return NULL;
}

char* strchrnul(const char* s, int c) {
    for (;; s++) {
        char here = *s;
        if (here == (char)c || here == '\0') {
            return (char*)s;
        }
    }
}

char* strchr(const char* s, int c) {
    for (;; s++) {
        char here = *s;
        if (here == (char)c) {
            return (char*)s;
        }
        if (here == '\0') {
            return NULL;
        }
    }
}

char* strrchr(const char* s, int c) {
    const char* last = NULL;
    for (;; s++) {
        char here = *s;
        if (here == (char)c) {
            last = s;
        }
        if (here == '\0') {
            return (char*)last;
        }
    }
}

char* index(const char* s, int c) { return strchr(s, c); }
char* rindex(const char* s, int c) { return strrchr(s, c); }

/// A set of bytes, so that each character of the string is read once, and so is the set.
struct byte_set {
    uint64_t bits[4];
};

static inline struct byte_set set_of(const char* members) {
    struct byte_set set = {{0}};
    for (; *members != '\0'; members++) {
        unsigned char c = (unsigned char)*members;
        set.bits[c / 64] |= UINT64_C(1) << (c % 64);
    }
    return set;
}

static inline bool contains(const struct byte_set* set, unsigned char c) { return (set->bits[c / 64] >> (c % 64)) & 1; }

size_t strspn(const char* s, const char* accept) {
    struct byte_set set = set_of(accept);
    size_t n = 0;
    while (contains(&set, (unsigned char)s[n])) { // the terminator is in no set
        n++;
    }
    return n;
}

size_t strcspn(const char* s, const char* reject) {
    struct byte_set set = set_of(reject);
    set.bits[0] |= 1;
    size_t n = 0;
    while (!contains(&set, (unsigned char)s[n])) {
        n++;
    }
    return n;
}

char* strpbrk(const char* s, const char* accept) {
    s += strcspn(s, accept);
    return *s != '\0' ? (char*)s : NULL;
}

/// Whether the needle, a string, starts at s.
static bool starts_with(const char* s, const char* needle) {
    for (; *needle != '\0'; s++, needle++) {
        if (*s != *needle) {
            return false;
        }
    }
    return true;
}

char* strstr(const char* s, const char* needle) {
    if (*needle == '\0') {
        return (char*)s;
    }
    for (; *s != '\0'; s++) {
        if (*s == *needle && starts_with(s, needle)) {
            return (char*)s;
        }
    }
    return NULL;
}

char* strcasestr(const char* s, const char* needle) {
    size_t n = strlen(needle);
    for (;; s++) {
        if (strncasecmp(s, needle, n) == 0) {
            return (char*)s;
        }
        if (*s == '\0') {
            return NULL;
        }
    }
}

void* memmem(const void* s, size_t n, const void* needle, size_t m) {
    const char* p = s;
    for (size_t i = 0; m <= n && i <= n - m; i++) {
        if (memcmp(p + i, needle, m) == 0) {
            return (void*)(p + i);
        }
    }
    return NULL;
}

static char* next_token(char* s, const char* delimiters, char** rest) {
    if (s == NULL) {
        s = *rest;
    }
    s += strspn(s, delimiters);
    if (*s == '\0') {
        *rest = s;
        return NULL;
    }
    char* end = s + strcspn(s, delimiters);
    if (*end != '\0') {
        *end++ = '\0';
    }
    *rest = end;
    return s;
}

char* strtok_r(char* restrict s, const char* restrict delimiters, char** restrict rest) {
    return next_token(s, delimiters, rest);
}

char* __strtok_r(char* restrict s, const char* restrict delimiters, char** restrict rest) {
    return next_token(s, delimiters, rest);
}

// One state for each thread, where C allows a single one that threads race for: a program that relies on neither sees no
// difference.
static _Thread_local char* strtok_rest;

char* strtok(char* restrict s, const char* restrict delimiters) {
    char* rest = strtok_rest;
    char* token = next_token(s, delimiters, &rest);
    strtok_rest = rest;
    return token;
}

char* strsep(char** restrict s, const char* restrict delimiters) {
    char* token = *s;
    if (token == NULL) {
        return NULL;
    }
    char* end = token + strcspn(token, delimiters);
    if (*end == '\0') {
        *s = NULL;
    } else {
        *end = '\0';
        *s = end + 1;
    }
    return token;
}
