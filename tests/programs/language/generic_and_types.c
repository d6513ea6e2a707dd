// _Generic, sizeof, _Alignof, _Static_assert, typeof, enums, const and volatile, restrict, _Noreturn, statement expressions.
// levels: -O0 -O1 -O2
// expect-output: char int unsigned float char *
// expect-output: long other double
// expect-output: 4 2.5
// expect-output: 101 1 4
// expect-output: 128 32 0
// expect-output: 16 8 32 4 8
// expect-output: 3
// expect-output: 10
// expect-output: 24 2
// expect-output: 1
#include <stddef.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>

#define name(v)                                                                                                        \
    _Generic((v), char: "char", int: "int", unsigned: "unsigned", long: "long", float: "float", double: "double", char *: "char *", \
             const char *: "const char *", default: "other")
#define max(a, b)                                                                                                      \
    ({                                                                                                                 \
        __typeof__(a) a_ = (a);                                                                                        \
        __typeof__(b) b_ = (b);                                                                                        \
        a_ > b_ ? a_ : b_;                                                                                             \
    })

enum level { LOW = -1, MIDDLE, HIGH = 100, HIGHER, HUGE_LEVEL = 0x7fffffff };
_Static_assert(HIGHER == 101, "enumerators count on");

struct aligned {
    char c;
    alignas(32) int i;
};

static void copy(int n, int *restrict to, const int *restrict from) {
    while (n--) {
        *to++ = *from++;
    }
}

int main(void) {
    printf("%s %s %s %s %s\n", name((char)1), name('a'), name(1u), name(1.0f), name("text"));
    printf("%s %s %s\n", name(1L + 1), name((short)1), name(1 + 1.0));
    printf("%d %g\n", max(3, 4), max(2.5, 1));
    enum level l = HIGH;
    l++;
    printf("%d %d %zu\n", l, LOW < MIDDLE, sizeof l);
    struct aligned a[2];
    printf("%zu %zu %d\n", sizeof a, alignof(struct aligned), (int)((uintptr_t)&a[1].i % 32));
    printf("%zu %zu %zu %zu %zu\n", sizeof(long double), sizeof(void *), sizeof(max_align_t), sizeof(wchar_t), alignof(double));
    int from[3] = {1, 2, 3}, to[3];
    copy(3, to, from);
    printf("%d\n", to[2]);
    const volatile int cv = 5;
    register int r = cv + cv;
    printf("%d\n", r);
    typedef int row[3];
    row rows[2] = {{1}, {2}};
    printf("%zu %d\n", sizeof rows, rows[1][0]);
    printf("%d\n", __builtin_types_compatible_p(int, __typeof__(r)));
    return 0;
}
