// The malloc family.
// expect-output: realloc grows 0 3
// expect-output: realloc shrinks 1
// expect-output: calloc 0 usable 1
// expect-output: malloc(0) 1
// expect-output: malloc too large 1 1
// expect-output: calloc overflow 1 1
// expect-output: reallocarray overflow 1
// expect-output: reallocarray 1
// expect-output: aligned_alloc 1
// expect-output: posix_memalign 0 1 1
// expect-output: memalign 1
// expect-output: valloc 1
// expect-output: realloc NULL 1
// expect-output: realloc 0 1
// cflags: -fno-builtin
// levels: -O0 -O2
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile size_t huge = SIZE_MAX;

static int aligned(void *p, size_t to) { return p != NULL && (uintptr_t)p % to == 0; }

int main(void) {
    int *numbers = malloc(4 * sizeof *numbers);
    for (int i = 0; i < 4; i++) {
        numbers[i] = i;
    }
    numbers = realloc(numbers, 8 * sizeof *numbers);
    printf("realloc grows %d %d\n", numbers[0], numbers[3]);
    numbers = realloc(numbers, 2 * sizeof *numbers);
    printf("realloc shrinks %d\n", numbers[1]);
    free(numbers);
    char *zeros = calloc(10, 3);
    int sum = 0;
    for (int i = 0; i < 30; i++) {
        sum += zeros[i];
    }
    printf("calloc %d usable %d\n", sum, malloc_usable_size(zeros) >= 30);
    free(zeros);
    void *a = malloc(0), *b = malloc(0);
    printf("malloc(0) %d\n", a != NULL && a != b);
    free(a);
    free(b);
    free(NULL);
    errno = 0;
    void *volatile none = malloc(huge);
    printf("malloc too large %d %d\n", none == NULL, errno == ENOMEM);
    errno = 0;
    none = calloc(huge / 2, 3);
    printf("calloc overflow %d %d\n", none == NULL, errno == ENOMEM);
    none = reallocarray(NULL, huge, 2);
    printf("reallocarray overflow %d\n", none == NULL);
    void *array = reallocarray(NULL, 3, 5);
    printf("reallocarray %d\n", array != NULL);
    free(array);
    void *p = aligned_alloc(64, 128);
    printf("aligned_alloc %d\n", aligned(p, 64));
    free(p);
    printf("posix_memalign %d", posix_memalign(&p, 256, 10));
    printf(" %d", aligned(p, 256));
    free(p);
    printf(" %d\n", posix_memalign(&p, 3, 10) == EINVAL);
    p = memalign(32, 5);
    printf("memalign %d\n", aligned(p, 32));
    free(p);
    p = valloc(1);
    printf("valloc %d\n", aligned(p, 4096));
    free(p);
    printf("realloc NULL %d\n", (p = realloc(NULL, 5)) != NULL);
    printf("realloc 0 %d\n", realloc(p, 0) == NULL);
    return 0;
}
