// stdlib.h: sorting, searching, small arithmetic.
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int abs(int i) { return i < 0 ? -i : i; }
long labs(long i) { return i < 0 ? -i : i; }
long long llabs(long long i) { return i < 0 ? -i : i; }
intmax_t imaxabs(intmax_t i) { return i < 0 ? -i : i; }
div_t div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){a / b, a % b}; }

void* bsearch(const void* key, const void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
    size_t low = 0;
    while (low < count) {
        size_t middle = low + (count - low) / 2;
        const char* element = (const char*)base + middle * size;
        int order = compare(key, element);
        if (order == 0) {
            return (void*)element;
        }
        if (order < 0) {
            count = middle;
        } else {
            low = middle + 1;
        }
    }
    return NULL;
}

// qsort is a merge sort that asks in the same order as glibc's, so that even a program which shows the comparisons, or the order
// of equal elements, does the same here as natively. The comparison only ever sees the caller's array, so `scratch` stays
// private.

struct order {
    size_t size;
    int (*compare)(const void*, const void*, void*);
    void* context;
};

static void merge_sort(char* base, size_t count, const struct order* order, char* scratch) {
    if (count <= 1) {
        return;
    }
    size_t size = order->size;
    size_t left_count = count / 2;
    size_t right_count = count - left_count;
    char* left = base;
    char* right = base + left_count * size;
    merge_sort(left, left_count, order, scratch);
    merge_sort(right, right_count, order, scratch);
    char* out = scratch;
    while (left_count > 0 && right_count > 0) {
        if (order->compare(left, right, order->context) <= 0) {
            __builtin_memcpy(out, left, size);
            left += size;
            left_count--;
        } else {
            __builtin_memcpy(out, right, size);
            right += size;
            right_count--;
        }
        out += size;
    }
    __builtin_memcpy(out, left, left_count * size);
    // What is left of the right half is in its place already.
    __builtin_memcpy(base, scratch, (count - right_count) * size);
}

void qsort_r(void* base, size_t count, size_t size, int (*compare)(const void*, const void*, void*), void* context) {
    enum { LARGE = 65536 };
    struct order order = {size, compare, context};
    size_t bytes = count * size;
    if (bytes <= LARGE) {
        char scratch[bytes + 1];
        merge_sort(base, count, &order, scratch);
    } else {
        char* scratch = __heddle_alloc(bytes, 16, 0);
        merge_sort(base, count, &order, scratch);
        __heddle_free(scratch);
    }
}

/// Passes the comparison of qsort, which takes no context, as the context.
static int compare_plain(const void* a, const void* b, void* compare) {
    return ((int (*)(const void*, const void*))compare)(a, b);
}

void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
    qsort_r(base, count, size, compare_plain, (void*)compare);
}
