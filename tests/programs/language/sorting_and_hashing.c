// A larger program: heap sort, quick sort, a hash table that grows, a matrix product, a sieve, CRC and SHA-like mixing.
// levels: -O0 -O1 -O2
// expect-output: 1 -4964 70 4950 3566357847
// expect-output: 1
// expect-output: 96 128 7 7
// expect-output: 147 74 104
// expect-output: 168
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void sift(int *a, int from, int n) {
    for (int child; (child = 2 * from + 1) < n; from = child) {
        if (child + 1 < n && a[child] < a[child + 1]) {
            child++;
        }
        if (a[from] >= a[child]) {
            return;
        }
        int t = a[from];
        a[from] = a[child];
        a[child] = t;
    }
}

static void heap_sort(int *a, int n) {
    for (int i = n / 2; i-- > 0;) {
        sift(a, i, n);
    }
    while (n > 1) {
        int t = a[0];
        a[0] = a[--n];
        a[n] = t;
        sift(a, 0, n);
    }
}

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

struct entry {
    char *key;
    int value;
    struct entry *next;
};

struct table {
    struct entry **buckets;
    size_t size, used;
};

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s) {
        h = h * 33 + (unsigned char)*s++;
    }
    return h;
}

static void grow(struct table *t) {
    size_t size = t->size ? t->size * 2 : 4;
    struct entry **fresh = calloc(size, sizeof *fresh);
    for (size_t i = 0; i < t->size; i++) {
        for (struct entry *e = t->buckets[i], *following; e; e = following) {
            following = e->next;
            struct entry **at = &fresh[hash(e->key) % size];
            e->next = *at;
            *at = e;
        }
    }
    free(t->buckets);
    t->buckets = fresh;
    t->size = size;
}

static int *lookup(struct table *t, const char *key) {
    if (t->used >= t->size) {
        grow(t);
    }
    struct entry **at = &t->buckets[hash(key) % t->size];
    for (struct entry *e = *at; e; e = e->next) {
        if (strcmp(e->key, key) == 0) {
            return &e->value;
        }
    }
    struct entry *e = malloc(sizeof *e);
    e->key = strdup(key);
    e->value = 0;
    e->next = *at;
    *at = e;
    t->used++;
    return &e->value;
}

static void destroy(struct table *t) {
    for (size_t i = 0; i < t->size; i++) {
        for (struct entry *e = t->buckets[i], *following; e; e = following) {
            following = e->next;
            free(e->key);
            free(e);
        }
    }
    free(t->buckets);
}

static uint32_t crc(const void *data, size_t n) {
    const uint8_t *p = data;
    uint32_t c = ~0u;
    while (n--) {
        c ^= *p++;
        for (int k = 0; k < 8; k++) {
            c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
        }
    }
    return ~c;
}

int main(void) {
    enum { N = 300 };
    int a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = b[i] = (int)(next() % 10000) - 5000;
    }
    heap_sort(a, N);
    qsort(b, N, sizeof *b, compare);
    printf("%d %d %d %d %u\n", memcmp(a, b, sizeof a) == 0, a[0], a[N / 2], a[N - 1], crc(a, sizeof a));
    int key = a[123];
    int *found = bsearch(&key, a, N, sizeof *a, compare);
    printf("%d\n", found && *found == key);
    struct table t = {0};
    for (int i = 0; i < 400; i++) {
        char word[12];
        snprintf(word, sizeof word, "w%u", (unsigned)(next() % 100));
        ++*lookup(&t, word);
    }
    printf("%zu %zu %d %d\n", t.used, t.size, *lookup(&t, "w1"), *lookup(&t, "w99"));
    destroy(&t);
    double m[6][6], p[6][6];
    for (int i = 0; i < 36; i++) {
        m[i / 6][i % 6] = (double)(next() % 9);
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            p[i][j] = 0;
            for (int k = 0; k < 6; k++) {
                p[i][j] += m[i][k] * m[k][j];
            }
        }
    }
    printf("%g %g %g\n", p[0][0], p[2][3], p[5][5]);
    char sieve[1000];
    memset(sieve, 1, sizeof sieve);
    int primes = 0;
    for (int i = 2; i < 1000; i++) {
        if (sieve[i]) {
            primes++;
            for (int j = i * i; j < 1000; j += i) {
                sieve[j] = 0;
            }
        }
    }
    printf("%d\n", primes);
    return 0;
}
