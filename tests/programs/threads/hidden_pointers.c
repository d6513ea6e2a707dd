// The address of a local variable reaches another thread by every way there is; each time it must be the same memory for both.
// levels: -O0 -O1 -O2
// seeds: 1 2 3 4
// expect-output: integer 2 2
// expect-output: double 3 3
// expect-output: bytes 4 4
// expect-output: struct 5 5
// expect-output: indirect 6 6
// expect-output: atomic 7 7
// expect-output: select 8 8
// expect-output: memmove 9 9
// expect-output: heap 10 10
// expect-output: pointers 11 11
// expect-output: thread-local 12 12
// expect-output: varargs 13 13
// expect-output: callback 51 51
// expect-output: array 14 14
// expect-output: member 15 15
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    int before;
    int *p;
};

union both {
    int *p;
    double d;
    unsigned char bytes[8];
};

static uintptr_t as_integer;
static double as_double;
static unsigned char as_bytes[8];
static struct box boxed, *indirect;
static _Atomic(int *) as_atomic;
static int *array[4];
static void *heap;
static _Thread_local int *mine;
static int **of_thread_local;
static int *from_callback;

static void *read_integer(void *mask) { return (void *)(long)++*(int *)(as_integer ^ (uintptr_t)mask); }
static void *read_double(void *unused) {
    (void)unused;
    union both u = {.d = as_double};
    return (void *)(long)++*u.p;
}
static void *read_bytes(void *unused) {
    (void)unused;
    int *p;
    memcpy(&p, as_bytes, sizeof p);
    return (void *)(long)++*p;
}
static void *read_box(void *unused) {
    (void)unused;
    return (void *)(long)++*boxed.p;
}
static void *read_indirect(void *unused) {
    (void)unused;
    return (void *)(long)++*indirect->p;
}
static void *read_atomic(void *unused) {
    (void)unused;
    return (void *)(long)++*atomic_load(&as_atomic);
}
static void *read_array(void *which) { return (void *)(long)++*array[(long)which]; }
static void *read_heap(void *offset) { return (void *)(long)++**(int **)((char *)heap + (long)offset); }
static void *read_pointer_to_pointer(void *pp) { return (void *)(long)++***(int ***)pp; }
static void *read_thread_local(void *unused) {
    (void)unused;
    return (void *)(long)++**of_thread_local;
}
static void *read_callback(void *unused) {
    (void)unused;
    return (void *)(long)++*from_callback;
}

static void run(const char *name, void *(*reader)(void *), void *argument, const int *value) {
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, reader, argument);
    pthread_join(t, &r);
    printf("%s %ld %d\n", name, (long)r, *value);
}

static struct box wrap(int *p) { return (struct box){7, p}; }
static int *identity(int *p) { return p; }
static int *pick(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int *p = NULL;
    while (n-- > 0) {
        p = va_arg(ap, int *);
    }
    va_end(ap);
    return p;
}
static int compare(const void *a, const void *b) {
    if (*(const int *)a == 40) {
        from_callback = (int *)a;
    }
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    volatile int zero = 0;
    {
        int x = 1;
        as_integer = (uintptr_t)&x ^ 0x5555;
        run("integer", read_integer, (void *)0x5555, &x);
    }
    {
        int x = 2;
        union both u = {.p = &x};
        as_double = u.d;
        run("double", read_double, NULL, &x);
    }
    {
        int x = 3;
        int *p = &x;
        for (unsigned i = 0; i < sizeof p; i++) {
            as_bytes[i] = ((unsigned char *)&p)[i];
        }
        run("bytes", read_bytes, NULL, &x);
    }
    {
        int x = 4;
        struct box local = wrap(&x);
        boxed = local;
        run("struct", read_box, NULL, &x);
    }
    {
        int x = 5;
        struct box local = {8, NULL};
        indirect = &local;
        local.p = &x;
        run("indirect", read_indirect, NULL, &x);
    }
    {
        int x = 6;
        int *expected = NULL;
        atomic_compare_exchange_strong(&as_atomic, &expected, &x);
        run("atomic", read_atomic, NULL, &x);
    }
    {
        int x = 7, y = 70;
        array[2] = zero ? &y : &x;
        run("select", read_array, (void *)2, &x);
    }
    {
        int x = 8;
        int *list[2] = {NULL, &x};
        memmove(&array[1], list, sizeof list);
        run("memmove", read_array, (void *)2, &x);
    }
    {
        int x = 9;
        heap = malloc(16);
        ((int **)heap)[1] = identity(&x);
        heap = realloc(heap, 64);
        run("heap", read_heap, (void *)8, &x);
        free(heap);
    }
    {
        int x = 10;
        int *p = &x;
        int **pp = &p;
        run("pointers", read_pointer_to_pointer, &pp, &x);
    }
    {
        int x = 11;
        mine = &x;
        of_thread_local = &mine;
        run("thread-local", read_thread_local, NULL, &x);
    }
    {
        int x = 12;
        array[3] = pick(3, NULL, NULL, &x);
        run("varargs", read_array, (void *)3, &x);
    }
    {
        int list[3] = {60, 40, 50};
        qsort(list, 3, sizeof *list, compare);
        run("callback", read_callback, NULL, from_callback);
    }
    {
        int n = 3 + zero;
        int row[n];
        row[0] = row[1] = row[2] = 13;
        int *p = row;
        p += 2;
        array[0] = p;
        run("array", read_array, (void *)0, &row[2]);
    }
    {
        struct {
            int pad[3];
            int inner;
        } s = {{0, 0, 0}, 14};
        array[1] = &s.inner;
        run("member", read_array, (void *)1, &s.inner);
    }
    return 0;
}
