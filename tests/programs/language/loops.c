// for, while, do, nested with break and continue, empty bodies, unsigned counting down, floats as counters, many variables.
// levels: -O0 -O1 -O2
// expect-output: 5
// expect-output: 987654321
// expect-output: 905451 338313
// expect-output: 81
// expect-output: 8
// expect-output: 219853 2430860
// expect-output: 9
#include <stdio.h>

static int first_missing(const int *a, int n) {
    for (int v = 1;; v++) {
        int i;
        for (i = 0; i < n && a[i] != v; i++) {
        }
        if (i == n) {
            return v;
        }
    }
}

static unsigned reverse_digits(unsigned n) {
    unsigned r = 0;
    do {
        r = r * 10 + n % 10;
    } while (n /= 10);
    return r;
}

static int spiral(int n) {
    int grid[8][8] = {{0}}, x = 0, y = 0, dx = 1, dy = 0;
    for (int k = 1; k <= n * n; k++) {
        grid[y][x] = k;
        int nx = x + dx, ny = y + dy;
        if (nx < 0 || nx >= n || ny < 0 || ny >= n || grid[ny][nx]) {
            int t = dx;
            dx = -dy;
            dy = t;
        }
        x += dx;
        y += dy;
    }
    int h = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            h = (h * 31 + grid[i][j]) % 1000003;
        }
    }
    return h;
}

int main(void) {
    int a[] = {3, 1, 2, 7, 4};
    printf("%d\n", first_missing(a, 5));
    printf("%u\n", reverse_digits(1234567890));
    printf("%d %d\n", spiral(5), spiral(8));
    int n = 0;
    for (unsigned i = 10; i-- > 0;) {
        if (i % 3 == 0) {
            continue;
        }
        for (int j = 0; j < 5; j++) {
            if (j == 3) {
                break;
            }
            n += (int)i * j;
        }
    }
    printf("%d\n", n);
    int steps = 0;
    for (double x = 0; x < 1; x += 0.125) {
        steps++;
    }
    printf("%d\n", steps);
    long product = 1, total = 0;
    for (int i = 1, j = 20; i < j; i++, j--) {
        product = product * (i + j) % 1000007;
        total += product;
    }
    printf("%ld %ld\n", product, total);
    unsigned char wrap = 250;
    int turns = 0;
    while (wrap++ != 3) {
        turns++;
    }
    printf("%d\n", turns);
    return 0;
}
