// The malloc family. An allocation never fails for want of memory (the machine's own limit ends the check as OutOfBudget, which
// is honest; a program's reaction to a failing malloc is not explored). Only sizes that no object can have give NULL and ENOMEM,
// as in glibc.
//
// No address is ever used twice, and realloc always moves: so a stale pointer is always found out.
#include "internal.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ALIGN = 16, PAGE = 4096 };

static void* allocate(size_t size, size_t align, bool zeroed) {
    if (size > PTRDIFF_MAX) {
        __heddle_errno = ENOMEM;
        return NULL;
    }
    return __heddle_alloc(size, align, zeroed);
}

void* malloc(size_t size) { return allocate(size, DEFAULT_ALIGN, false); }

/// count * size, or a size that no object can have.
static size_t product(size_t count, size_t size) {
    size_t bytes;
    return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

void* calloc(size_t count, size_t size) { return allocate(product(count, size), DEFAULT_ALIGN, true); }

void free(void* p) { __heddle_free(p); }

void* realloc(void* p, size_t size) {
    if (p == NULL) {
        return malloc(size);
    }
    if (size == 0) { // as glibc
        free(p);
        return NULL;
    }
    size_t old = __heddle_object_size(p);
    void* moved = malloc(size);
    if (moved != NULL) {
        __builtin_memcpy(moved, p, old < size ? old : size);
        free(p);
    }
    return moved;
}

void* reallocarray(void* p, size_t count, size_t size) {
    size_t bytes = product(count, size);
    if (bytes > PTRDIFF_MAX) {
        __heddle_errno = ENOMEM;
        return NULL;
    }
    return realloc(p, bytes);
}

static bool power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

/// The aligned allocations of glibc accept any alignment and round it up to a power of two.
static void* allocate_aligned(size_t align, size_t size) {
    size_t rounded = DEFAULT_ALIGN;
    while (rounded < align && rounded <= SIZE_MAX / 2) {
        rounded *= 2;
    }
    if (rounded < align) {
        __heddle_errno = EINVAL;
        return NULL;
    }
    return allocate(size, rounded, false);
}

void* memalign(size_t align, size_t size) { return allocate_aligned(align, size); }
void* aligned_alloc(size_t align, size_t size) { return allocate_aligned(align, size); }
void* valloc(size_t size) { return allocate_aligned(PAGE, size); }

void* pvalloc(size_t size) {
    if (size > PTRDIFF_MAX) {
        __heddle_errno = ENOMEM;
        return NULL;
    }
    return allocate_aligned(PAGE, (size + PAGE - 1) & ~(size_t)(PAGE - 1));
}

int posix_memalign(void** result, size_t align, size_t size) {
    if (!power_of_two(align) || align % sizeof(void*) != 0) {
        return EINVAL;
    }
    int before = __heddle_errno; // POSIX: errno is not touched
    void* p = allocate_aligned(align, size);
    __heddle_errno = before;
    if (p == NULL) {
        return ENOMEM;
    }
    *result = p;
    return 0;
}

size_t malloc_usable_size(void* p) { return p == NULL ? 0 : __heddle_object_size(p); }

static char* duplicate(const char* s, size_t limit) {
    size_t n = bounded_length(s, limit);
    char* copy = malloc(n + 1);
    __builtin_memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}

char* strdup(const char* s) { return duplicate(s, SIZE_MAX); }
char* strndup(const char* s, size_t limit) { return duplicate(s, limit); }
char* __strdup(const char* s);
char* __strdup(const char* s) { return duplicate(s, SIZE_MAX); }
char* __strndup(const char* s, size_t limit);
char* __strndup(const char* s, size_t limit) { return duplicate(s, limit); }
