// Deep but finite recursion; mutual recursion; Ackermann; permutations.
// levels: -O0 -O1 -O2
// expect-output: 2000
// expect-output: 1 0
// expect-output: 13
// expect-output: abcd badc cabd dcab 24
// expect-output: 4
#include <stdio.h>
#include <string.h>

static int depth(int n) {
    volatile int pad[8];
    pad[n % 8] = n;
    return n == 0 ? 0 : depth(n - 1) + (pad[n % 8] == n);
}

static int is_even(unsigned n);
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }

static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }

static int found;

static void permute(char *s, int from, int n) {
    if (from == n) {
        if (found++ % 7 == 0) {
            printf("%s ", s);
        }
        return;
    }
    for (int i = from; i < n; i++) {
        char t = s[from];
        s[from] = s[i];
        s[i] = t;
        permute(s, from + 1, n);
        t = s[from];
        s[from] = s[i];
        s[i] = t;
    }
}

static int queens(int row, unsigned columns, unsigned left, unsigned right) {
    int n = 0;
    for (int c = 0; c < 6; c++) {
        unsigned bit = 1u << c;
        if (!((columns | left | right) & bit)) {
            n += row == 5 ? 1 : queens(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
        }
    }
    return n;
}

int main(void) {
    printf("%d\n", depth(2000));
    printf("%d %d\n", is_even(100), is_odd(100));
    printf("%d\n", ackermann(2, 5));
    char s[] = "abcd";
    permute(s, 0, (int)strlen(s));
    printf("%d\n", found);
    printf("%d\n", queens(0, 0, 0, 0));
    return 0;
}
