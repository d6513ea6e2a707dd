// memcpy, memmove with overlap both ways, memset, memcmp, of all small sizes and alignments.
// levels: -O0 -O1 -O2
// expect-output: 2904820492
// expect-output: twelve chars 5 2 9
// expect-output: 012340123456789abcdefghijklmnopqrstz
// expect-output: 23456789abcdefghijklfghijklmnopqrstz
// expect-output: 0 1 1
// expect-output: world
// expect-output: -1
#include <stdio.h>
#include <string.h>

static unsigned char buffer[128], other[128];

static unsigned checksum(const unsigned char *p, int n) {
    unsigned h = 2166136261u;
    for (int i = 0; i < n; i++) {
        h = (h ^ p[i]) * 16777619u;
    }
    return h;
}

static void reset(void) {
    for (int i = 0; i < 128; i++) {
        buffer[i] = (unsigned char)(i * 37 + 11);
    }
}

struct record {
    char name[13];
    int n;
    double d[3];
};

int main(void) {
    unsigned all = 0;
    for (int n = 0; n < 40; n += 3) {
        for (int from = 0; from < 9; from++) {
            for (int to = 0; to < 9; to++) {
                reset();
                memmove(buffer + to, buffer + from, (size_t)n);
                all = all * 31 + checksum(buffer, 64);
                memcpy(other + to, buffer + from, (size_t)n);
                memset(buffer + from, n, (size_t)to);
                all = all * 31 + checksum(other, 64) + checksum(buffer, 64);
            }
        }
    }
    printf("%u\n", all);
    struct record a = {"twelve chars", 5, {1, 2, 3}}, b;
    memcpy(&b, &a, sizeof a);
    struct record c = b;
    c.d[1] = 9;
    printf("%s %d %g %g\n", c.name, c.n, b.d[1], c.d[1]);
    char local[40] = "0123456789abcdefghijklmnopqrstuvwxyz";
    memmove(local + 5, local, 30);
    puts(local);
    memmove(local, local + 7, 20);
    puts(local);
    printf("%d %d %d\n", memcmp("abc", "abd", 2), memcmp("abc", "abd", 3) < 0, memcmp("b", "a", 1) > 0);
    printf("%s\n", (char *)memchr("hello world", 'w', 11));
    long words[4];
    memset(words, 0xff, sizeof words);
    printf("%ld\n", words[3]);
    return 0;
}
