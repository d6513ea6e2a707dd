// Every class of argument, more than fit into registers, va_copy, lists handed down.
// levels: -O0 -O1 -O2
// expect-output: 6
// expect-output: 4.125
// expect-output: 36.875
// expect-output: 55
// expect-output: 78
// expect-output: 113.375
// expect-output: 6006 36036
// expect-output: 4916
// expect-output: 13 42-str-x-2.35
// expect-output: 7
// expect-output: 70070
// expect-output: 1
#include <stdarg.h>
#include <stdio.h>

struct small {
    int a, b;
};
struct real {
    double x;
    float y;
};
struct mixed {
    long n;
    double x;
};
struct large {
    long v[5];
};
struct floats {
    float x, y, z;
};

static double sum(const char *kinds, ...) {
    va_list ap;
    va_start(ap, kinds);
    double total = 0;
    for (; *kinds; kinds++) {
        switch (*kinds) {
        case 'i': total += va_arg(ap, int); break;
        case 'u': total += va_arg(ap, unsigned); break;
        case 'l': total += (double)va_arg(ap, long); break;
        case 'd': total += va_arg(ap, double); break;
        case 'D': total += (double)va_arg(ap, long double); break;
        case 'p': total += *va_arg(ap, int *); break;
        case 's': {
            struct small s = va_arg(ap, struct small);
            total += s.a * 10 + s.b;
            break;
        }
        case 'r': {
            struct real r = va_arg(ap, struct real);
            total += r.x * 2 + r.y;
            break;
        }
        case 'm': {
            struct mixed m = va_arg(ap, struct mixed);
            total += (double)m.n + m.x;
            break;
        }
        case 'L': {
            struct large l = va_arg(ap, struct large);
            total += (double)(l.v[0] + l.v[4]);
            break;
        }
        case 'f': {
            struct floats f = va_arg(ap, struct floats);
            total += f.x + f.y + f.z;
            break;
        }
        case 'w': total += (double)va_arg(ap, __int128); break;
        }
    }
    va_end(ap);
    return total;
}

static int total_of(int n, va_list ap) {
    int total = 0;
    while (n-- > 0) {
        total += va_arg(ap, int);
    }
    return total;
}

static int twice(int n, ...) {
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    int first = total_of(n, ap);
    int second = total_of(n, again);
    va_end(again);
    va_end(ap);
    return first * 1000 + second;
}

static void through_pointer(va_list *ap, int *out) { *out = va_arg(*ap, int); }

static int alternating(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int total = 0;
    for (int i = 0; i < n; i++) {
        int v;
        if (i % 2) {
            v = va_arg(ap, int);
        } else {
            through_pointer(&ap, &v);
        }
        total = total * 3 + v;
    }
    va_end(ap);
    return total;
}

static int format(char *to, size_t size, const char *pattern, ...) {
    va_list ap;
    va_start(ap, pattern);
    int n = vsnprintf(to, size, pattern, ap);
    va_end(ap);
    return n;
}

static int none(int first, ...) { return first; }

int main(void) {
    int five = 5;
    struct small s = {1, 2};
    struct real r = {1.5, 0.25f};
    struct mixed m = {7, 0.5};
    struct large l = {{1, 2, 3, 4, 5}};
    struct floats f = {1, 2, 0.125f};
    printf("%g\n", sum("iul", 1, 2u, 3l));
    printf("%g\n", sum("dDd", 1.5, 2.5L, 0.125));
    printf("%g\n", sum("psrmLf", &five, s, r, m, l, f));
    printf("%g\n", sum("iiiiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
    printf("%g\n", sum("dddddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10., 11., 12.));
    printf("%g\n", sum("iiiisisDsrdrdrdrdrdLiwmfw", 1, 2, 3, 4, s, 5, s, 2.5L, s, r, 1., r, 2., r, 3., r, 4., r, 5., l, 6, (__int128)9, m, f, (__int128)-3));
    printf("%d %d\n", twice(3, 1, 2, 3), twice(8, 1, 2, 3, 4, 5, 6, 7, 8));
    printf("%d\n", alternating(8, 1, 2, 3, 4, 5, 6, 7, 8));
    char text[32];
    int n = format(text, sizeof text, "%d-%s-%c-%.2f", 42, "str", 'x', 2.345);
    printf("%d %s\n", n, text);
    printf("%d\n", none(3) + none(4, 5, 6.0));
    int (*p)(int, ...) = twice;
    printf("%d\n", p(2, 30, 40));
    printf("%g\n", sum("iic", (char)-3, (short)4, 'c'));
    return 0;
}
