// Attributes and builtins of clang that programs use: cleanup, weak, alias, noinline, hot, assume, prefetch, object sizes, __func__.
// levels: -O0 -O1 -O2
// expect-exit: 3
// expect-output: cleanup 2
// expect-output: 2
// expect-output: cleanup 20
// expect-output: cleanup 2
// expect-output: 22
// expect-output: 2 0
// expect-output: 42 5
// expect-output: 4 25 9 101
// expect-output: where main
// expect-output: 10 6
// expect-output: 3 1
// expect-output: 1 5
// expect-output: leave 3
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void report(int *p) { printf("cleanup %d\n", *p); }

static int scope(int v) {
    __attribute__((cleanup(report))) int x = v;
    if (v > 1) {
        __attribute__((cleanup(report))) int y = v * 10;
        return x + y;
    }
    x++;
    return x;
}

__attribute__((weak)) int maybe(int v) { return v + 1; }
extern int absent(void) __attribute__((weak));
int original(int v) { return v * 2; }
int other_name(int v) __attribute__((alias("original")));
int variable = 4;
extern int same_variable __attribute__((alias("variable")));
static __attribute__((noinline, cold)) int cold(int v) { return v - 1; }
static inline __attribute__((always_inline)) int inlined(int v) { return v * v; }
static __attribute__((noreturn)) void leave(int v);
static __attribute__((section("special"), used)) int placed = 9;
int renamed(int v) __asm__("another_symbol");
int renamed(int v) { return v + 100; }

static const char *where(void) { return __func__; }

static int positive(int v) {
    __builtin_assume(v > 0);
    return v > 0 ? 1 : 2;
}

int main(void) {
    printf("%d\n", scope(1));
    printf("%d\n", scope(2));
    printf("%d %d\n", maybe(1), absent ? 1 : 0);
    same_variable++;
    printf("%d %d\n", other_name(21), variable);
    printf("%d %d %d %d\n", cold(5), inlined(5), placed, renamed(1));
    printf("%s %s\n", where(), __FUNCTION__);
    char buffer[10];
    __builtin_prefetch(buffer);
    printf("%zu %zu\n", __builtin_object_size(buffer, 0), __builtin_object_size(buffer + 4, 1));
    __builtin_strcpy(buffer, "abc");
    printf("%zu %d\n", __builtin_strlen(buffer), __builtin_memcmp(buffer, "abd", 3) < 0);
    printf("%d %d\n", positive(3), __builtin_choose_expr(1, 5, "x"));
    int f = 3;
    if (__builtin_expect(f == 3, 1)) {
        leave(f);
    }
    return 0;
}

static void leave(int v) {
    printf("leave %d\n", v);
    exit(v);
}
