// Arrays of variable length, of two dimensions, in loops and in recursion, as parameters; alloca.
// levels: -O0 -O1 -O2
// expect-output: 5986
// expect-output: 210 48 12
// expect-output: 4961
// expect-output: desserts
// expect-output: 8194
// expect-output: 7
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int sum2d(int rows, int columns, int m[rows][columns]) {
    int sum = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            sum += m[i][j] * (i + 1);
        }
    }
    return sum;
}

static long recursive(int n) {
    if (n == 0) {
        return 1;
    }
    long row[n];
    for (int i = 0; i < n; i++) {
        row[i] = i + 1;
    }
    long below = recursive(n - 1);
    long sum = below;
    for (int i = 0; i < n; i++) {
        sum += row[i];
    }
    return sum;
}

static char *reverse(const char *s, char *to) {
    size_t n = strlen(s);
    char *copy = alloca(n + 1);
    for (size_t i = 0; i < n; i++) {
        copy[i] = s[n - 1 - i];
    }
    copy[n] = 0;
    return strcpy(to, copy);
}

struct item {
    int v;
    struct item *next;
};

int main(void) {
    int total = 0;
    for (int n = 1; n < 50; n++) {
        int a[n];
        a[0] = n;
        for (int i = 1; i < n; i++) {
            a[i] = a[i - 1] * 3 % 101;
        }
        total += a[n - 1] + (int)sizeof a;
        if (n % 5 == 0) {
            continue;
        }
        if (n > 40) {
            break;
        }
        char b[n + 3];
        memset(b, n, sizeof b);
        total += b[n + 2];
    }
    printf("%d\n", total);
    int rows = 4, columns = 3;
    int m[rows][columns];
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            m[i][j] = i * columns + j;
        }
    }
    printf("%d %zu %zu\n", sum2d(rows, columns, m), sizeof m, sizeof m[0]);
    printf("%ld\n", recursive(30));
    char to[20];
    puts(reverse("stressed", to));
    struct item *list = NULL;
    for (int i = 0; i < 10; i++) {
        struct item *n = alloca(sizeof *n);
        n->v = i;
        n->next = list;
        list = n;
    }
    int sum = 0;
    for (; list; list = list->next) {
        sum = sum * 2 + list->v;
    }
    printf("%d\n", sum);
    int k = 2;
    int(*p)[k + 1] = (int(*)[k + 1]) m;
    printf("%d\n", p[2][1]);
    return 0;
}
