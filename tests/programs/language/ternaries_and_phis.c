// Values that come from several ways: conditional operators, short circuits, nested and with side effects.
// levels: -O0 -O1 -O2
// expect-output: 666 566 556 233 466 456 223 123 446 .
// expect-output: 3 4.5
// expect-output: 0 1
// expect-output: 1 2
// expect-output: 1 4
// expect-output: 7 6
// expect-output: - - Fizz - Buzz Fizz - - Fizz Buzz - Fizz - - FizzBuzz .
// expect-output: 55 2971215073 0
// expect-output: 231 312 123
// expect-output: 18 12 1
#include <stdio.h>

static int calls;

static int side(int v) {
    calls++;
    return v;
}

static int classify(int a, int b, int c) {
    return a > b ? (b > c ? 1 : a > c ? 2 : 3) : (a > c ? 4 : b > c ? 5 : 6);
}

static double mixed(int flag, int i, double d) { return flag ? i : d; }

static const char *fizz(int n) { return n % 15 == 0 ? "FizzBuzz" : n % 5 == 0 ? "Buzz" : n % 3 == 0 ? "Fizz" : "-"; }

static unsigned fib(int n) {
    unsigned a = 0, b = 1;
    while (n--) {
        unsigned t = a;
        a = b;
        b = t + b; // the two swap: phis that read each other
    }
    return a;
}

static int rotate(int n) {
    int a = 1, b = 2, c = 3;
    for (int i = 0; i < n; i++) {
        int t = a;
        a = b;
        b = c;
        c = t;
    }
    return a * 100 + b * 10 + c;
}

int main(void) {
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            printf("%d%d%d ", classify(a, b, 0), classify(a, b, 1), classify(a, b, 2));
        }
    }
    printf(".\n");
    printf("%g %g\n", mixed(1, 3, 4.5), mixed(0, 3, 4.5));
    printf("%d %d\n", side(0) && side(1), calls);
    printf("%d %d\n", side(1) || side(1), calls);
    printf("%d %d\n", (side(1) && side(2)) || side(0), calls);
    printf("%d %d\n", side(0) ?: side(7), calls);
    for (int i = 1; i <= 15; i++) {
        printf("%s ", fizz(i));
    }
    printf(".\n%u %u %u\n", fib(10), fib(47), fib(0));
    printf("%d %d %d\n", rotate(1), rotate(2), rotate(3));
    int x = 5;
    int y = (x++, x * 2);
    x += x > 5 ? y : -y;
    printf("%d %d %d\n", x, y, !x + !!y);
    return 0;
}
