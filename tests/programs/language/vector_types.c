// Types with __attribute__((vector_size)): arithmetic, comparison, shuffles, elements, by value, conversions.
// levels: -O0 -O1 -O2
// expect-output: 11 18 -27 36
// expect-output: 9 22 -33 44
// expect-output: 10 -40 -90 -160
// expect-output: 10 -10 -10 -10
// expect-output: 3 6 -2 5
// expect-output: 0 20 2 40
// expect-output: -12 21 30 43
// expect-output: 40 80 -120 160
// expect-output: 5 10 -15 20
// expect-output: -10 -20 30 -40
// expect-output: 0 0 -1 0
// expect-output: 0 0 0 0
// expect-output: 0 0 15 0
// expect-output: 10 20 3 40
// expect-output: 20 40 -60 80
// expect-output: 10 20 77 41
// expect-output: 41
// expect-output: 10 1 20 -2
// expect-output: 41 77 20 10
// expect-output: 1.5 3 4.5 6.75
// expect-output: 1 3 4 6
// expect-output: 0 0 -1 -1
// expect-output: 1099511627776 25 36 0
// expect-output: 5 7
// expect-output: 297862288
// expect-output: 10 77
// expect-output: 10 20 77 41
// expect-output: 11 21 78 42
// expect-output: 2 5 10 16
// expect-output: 11 18 80 37
// expect-output: 148
// expect-output: 3 122
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int v4i __attribute__((vector_size(16)));
typedef unsigned v4u __attribute__((vector_size(16)));
typedef float v4f __attribute__((vector_size(16)));
typedef double v2d __attribute__((vector_size(16)));
typedef int8_t v16c __attribute__((vector_size(16)));
typedef long v4l __attribute__((vector_size(32)));
typedef short v8s __attribute__((vector_size(16)));
typedef float v3f __attribute__((ext_vector_type(3)));

static v4i global = {1, -2, 3, -4};
volatile int k = 2;

static v4i twice(v4i v) { return v + v; }
static v4f scale(v4f v, float by) { return v * by; }
static v4l wide(v4l v) { return v * v; }
static v2d pass(const v2d *p, int i) { return p[i]; }

static void show(v4i v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

struct holder {
    char c;
    v4i v;
};

int main(void) {
    v4i a = {10, 20, -30, 40}, b = global;
    show(a + b);
    show(a - b);
    show(a * b);
    show(a / b);
    show(a % 7);
    show(a & b);
    show(a ^ ~b);
    show(a << k);
    show(a >> 1);
    show(-a);
    show(a < b);
    show(a == b);
    show((v4i)((v4u)a >> 28));
    show(((a > 0) & a) | (~(a > 0) & b));
    show(twice(a));
    a[k] = 77;
    a[3]++;
    show(a);
    printf("%d\n", a[k + 1]);
    show(__builtin_shufflevector(a, b, 0, 4, 1, 5));
    show(__builtin_shufflevector(a, b, 3, 2, 1, 0));
    v4f f = scale((v4f){1, 2, 3, 4.5f}, 1.5f);
    printf("%g %g %g %g\n", f[0], f[1], f[2], f[3]);
    show(__builtin_convertvector(f, v4i));
    show(f > 3.0f);
    v4l w = wide((v4l){1L << 20, -5, 6, 1L << 33});
    printf("%ld %ld %ld %ld\n", w[0], w[1], w[2], w[3]);
    v2d d[2] = {{1.5, 2.5}, {3.5, 4.5}};
    v2d e = pass(d, k - 1) + d[0];
    printf("%g %g\n", e[0], e[1]);
    v16c c;
    for (int i = 0; i < 16; i++) {
        c[i] = (int8_t)(i * 17);
    }
    c += c;
    int sum = 0;
    for (int i = 0; i < 16; i++) {
        sum = sum * 3 + c[i];
    }
    printf("%d\n", sum);
    v8s s = (v8s)a;
    printf("%d %d\n", s[0], s[4]);
    v4i copy;
    memcpy(&copy, &s, sizeof copy);
    show(copy);
    struct holder h = {'x', a};
    struct holder g = h;
    g.v += 1;
    show(g.v);
    v3f t = {1, 2, 3};
    t = t * t + 1.0f;
    printf("%g %g %g %zu\n", t.x, t.y, t.z, sizeof t);
    v4i table[3] = {a, b, a + b};
    show(table[k]);
    printf("%d\n", __builtin_reduce_add(a));
    printf("%d %d\n", __builtin_reduce_max(b), __builtin_reduce_xor(a));
    return 0;
}
