// Dense, sparse, negative, 64-bit, char, fall-through, ranges, nested, without default, only default, Duff's device.
// levels: -O0 -O1 -O2
// expect-output: 0 0 10 11 9 55 -1 3 8 0 0 0 0
// expect-output: 1 8 2 3 4 8 5 8 6 7 .
// expect-output: 11 10 11000 11000 11000 11000 11100 11100 10000
// expect-output: 1 2 3 4
// expect-output: the quick bro
// expect-output: default
// expect-output: yes
#include <limits.h>
#include <stdio.h>

static int dense(int v) {
    switch (v) {
    case 0: return 10;
    case 1: return 11;
    case 2: return 9;
    case 3: return 55;
    case 4: return -1;
    case 5: return 3;
    case 6: return 8;
    default: return 0;
    }
}

static int sparse(long v) {
    switch (v) {
    case LONG_MIN: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 7: return 5;
    case 4294967296: return 6;
    case LONG_MAX: return 7;
    }
    return 8;
}

static int fall(unsigned char c) {
    int n = 0;
    switch (c) {
    case 'a':
        n += 1;
    case 'b':
        n += 10;
        break;
    default:
        n += 100;
    case 'c' ... 'f':
        n += 1000;
    case 255:
        n += 10000;
    }
    return n;
}

static int signed_char(signed char c) {
    switch (c) {
    case -128: return 1;
    case -1: return 2;
    case 127: return 3;
    default: return 4;
    }
}

static void duff(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void) {
    for (int i = -2; i < 9; i++) {
        printf("%d ", dense(i));
    }
    printf("%d %d\n", dense(INT_MIN), dense(INT_MAX));
    long values[] = {LONG_MIN, -1000001, -1000000, -1, 0, 1, 7, 4294967295, 4294967296, LONG_MAX};
    for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
        printf("%d ", sparse(values[i]));
    }
    printf(".\n");
    for (int c = 'a'; c < 'i'; c++) {
        printf("%d ", fall((unsigned char)c));
    }
    printf("%d\n", fall(255));
    printf("%d %d %d %d\n", signed_char(-128), signed_char(-1), signed_char(127), signed_char(0));
    char to[20] = "";
    duff(to, "the quick brown fox", 13);
    puts(to);
    switch (to[0]) {
    default:
        puts("default");
    }
    switch (to[1] == 'h') {
    case 0: puts("no"); break;
    case 1: puts("yes"); break;
    }
    return 0;
}
