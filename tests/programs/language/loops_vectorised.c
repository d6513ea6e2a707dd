// What -O2 makes vectors of, with the vectoriser switched on.
// levels: -O0 -O2 -O3
// cflags: -fvectorize -fslp-vectorize -ffp-contract=off
// expect-output: 2777953 545961
// expect-output: 4
// expect-output: c96982c0170de5ba ccf9adef75d04d82 44dd51787694a5e8 d83b9d15e19a22a8 a9a0c33b472931b4 22a215493c6f3fcc
// expect-output: 0
// expect-output: b2bd2008f8f20f7f
// expect-output: 1851fee1b6cfb432 57375ad9384b50d5
// expect-output: 8ed396244b9a8f6f
// expect-output: a8a0271cee48aa0d
// expect-output: 1461507424
// expect-output: 71b04579
#include <stdint.h>
#include <stdio.h>

enum { N = 103 };
static int a[N], b[N], c[N];
static float x[N], y[N];
static double d[N];
static uint8_t bytes[N], more[N];
static int16_t halves[N];
static int64_t longs[N];
static uint32_t words[N];

static __attribute__((noinline)) int sum(const int *p, int n) {
    int s = 0;
    for (int i = 0; i < n; i++) {
        s += p[i];
    }
    return s;
}

static __attribute__((noinline)) int maximum(const int *p, int n) {
    int m = p[0];
    for (int i = 1; i < n; i++) {
        m = p[i] > m ? p[i] : m;
    }
    return m;
}

static __attribute__((noinline)) unsigned minimum(const uint32_t *p, int n) {
    unsigned m = ~0u;
    for (int i = 0; i < n; i++) {
        m = p[i] < m ? p[i] : m;
    }
    return m;
}

static __attribute__((noinline)) void saxpy(float *to, const float *from, float k, int n) {
    for (int i = 0; i < n; i++) {
        to[i] += k * from[i];
    }
}

static __attribute__((noinline)) int count(const uint8_t *p, uint8_t v, int n) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        k += p[i] == v;
    }
    return k;
}

static __attribute__((noinline)) void convert(int n) {
    for (int i = 0; i < n; i++) {
        d[i] = a[i];
    }
    for (int i = 0; i < n; i++) {
        halves[i] = (int16_t)a[i];
    }
    for (int i = 0; i < n; i++) {
        longs[i] = halves[i];
    }
    for (int i = 0; i < n; i++) {
        words[i] = bytes[i];
    }
    for (int i = 0; i < n; i++) {
        x[i] = (float)d[i] / 3;
    }
    for (int i = 0; i < n; i++) {
        c[i] = (int)x[i];
    }
}

static __attribute__((noinline)) void select_and_shift(int n) {
    for (int i = 0; i < n; i++) {
        c[i] = a[i] > b[i] ? a[i] << 2 : b[i] >> 1;
    }
    for (int i = 0; i < n; i++) {
        more[i] = (uint8_t)((bytes[i] ^ 0x5a) + (bytes[i] >> 3));
    }
}

static __attribute__((noinline)) void reverse(int *to, const int *from, int n) {
    for (int i = 0; i < n; i++) {
        to[i] = from[n - 1 - i];
    }
}

static __attribute__((noinline)) void interleave(int *to, const int *p, const int *q, int n) {
    for (int i = 0; i < n / 2; i++) {
        to[2 * i] = p[i];
        to[2 * i + 1] = q[i];
    }
}

static __attribute__((noinline)) unsigned dot(const int16_t *p, const int16_t *q, int n) {
    unsigned s = 0;
    for (int i = 0; i < n; i++) {
        s += (unsigned)(p[i] * q[i]);
    }
    return s;
}

static __attribute__((noinline)) unsigned mix(unsigned v[4]) {
    for (int r = 0; r < 20; r++) {
        unsigned t[4];
        for (int i = 0; i < 4; i++) {
            t[i] = (v[i] << 7 | v[i] >> 25) + v[(i + 1) & 3];
        }
        for (int i = 0; i < 4; i++) {
            v[i] = t[i] ^ (t[i] >> 3);
        }
    }
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static unsigned long hash(const void *p, unsigned n) {
    const unsigned char *q = p;
    unsigned long h = 1469598103934665603u;
    while (n--) {
        h = (h ^ *q++) * 1099511628211u;
    }
    return h;
}

int main(void) {
    unsigned seed = 1;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525 + 1013904223;
        a[i] = (int)(seed >> 12) - 500000;
        b[i] = (int)(seed % 2000) - 1000;
        bytes[i] = (uint8_t)(seed >> 28);
        y[i] = (float)(seed >> 20);
    }
    printf("%d %d\n", sum(a, N), maximum(a, N));
    printf("%d\n", count(bytes, 3, N));
    convert(N);
    printf("%lx %lx %lx %lx %lx %lx\n", hash(d, sizeof d), hash(halves, sizeof halves), hash(longs, sizeof longs), hash(words, sizeof words),
           hash(x, sizeof x), hash(c, sizeof c));
    printf("%u\n", minimum(words, N));
    saxpy(y, x, 0.25f, N);
    printf("%lx\n", hash(y, sizeof y));
    select_and_shift(N);
    printf("%lx %lx\n", hash(c, sizeof c), hash(more, sizeof more));
    reverse(c, a, N);
    printf("%lx\n", hash(c, sizeof c));
    interleave(c, a, b, N);
    printf("%lx\n", hash(c, sizeof c));
    printf("%u\n", dot(halves, halves + 1, N - 1));
    unsigned v[4] = {1, 2, 3, 4};
    printf("%x\n", mix(v));
    return 0;
}
