// levels: -O0 -O1 -O2
// expect-output: a+b 0123456789abcdf00edcba9876543211
// expect-output: a-b 0123456789abcdefeedcba987654320f
// expect-output: b-a fedcba98765432101123456789abcdf1
// expect-output: a*b 0111111111111110fedcba9876543210
// expect-output: a/b 0000000000000000123456789abcdefe
// expect-output: a%b 00000000000000000ca8641fdb975312
// expect-output: n/7 fffffffffffffffffff9bbf3f2a7877f
// expect-output: n%7 00000000000000000000000000000000
// expect-output: n*n 00000783c1f87e6939aaba704f226131
// expect-output: a<< f6e5d4c3b2a190800000000000000000
// expect-output: a>> 0000000000000000002468acf13579bd
// expect-output: n>> fffffffffffffffffffa84757452968f
// expect-output: n>>67 ffffffffffffffffffffffffffffffff
// expect-output: a<<3 091a2b3c4d5e6f7ff6e5d4c3b2a19080
// expect-output: a&b 00000000000000001000000000000000
// expect-output: a|b 0123456789abcdeffedcba9876543211
// expect-output: a^b 0123456789abcdefeedcba9876543211
// expect-output: ~a fedcba98765432100123456789abcdef
// expect-output: -a fedcba98765432100123456789abcdf0
// expect-output: 0 1 1 1 0
// expect-output: int fffffffffffffffffffffffffffffffb
// expect-output: unsigned 000000000000000000000000fffffffb
// expect-output: long fffffffffffffffffffffffffffffffa
// expect-output: 1985229328 -8526495038839145832 1
// expect-output: gcd 00000000000100000000000000000000
// expect-output: 1.512366075e+36 -1.23456789e+16
// expect-output: from double 0000000c9f2c9cd04675000000000000
// expect-output: from negative fffffffffff7ba6ae9ebfeb780000000
// expect-output: first 0000000000000000000000000000004d
// expect-output: second ffffffffffffffffffffffffffffffff
// expect-output: t
// expect-output: sum 40001000040001000040001000040001
// expect-output: case
#include <stdint.h>
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(const char *what, u128 v) {
    printf("%s %016llx%016llx\n", what, (unsigned long long)(v >> 64), (unsigned long long)v);
}

volatile u128 a = ((u128)0x0123456789abcdef << 64) | 0xfedcba9876543210;
volatile u128 b = 0x1000000000000001;
volatile i128 n = -12345678901234567LL;
volatile int shift = 67;

static i128 gcd(i128 x, i128 y) {
    return y == 0 ? x : gcd(y, x % y);
}

struct pair {
    i128 first;
    char tag;
    u128 second;
};

static struct pair swap(struct pair p) {
    return (struct pair){(i128)p.second, p.tag, (u128)p.first};
}

int main(void) {
    show("a+b", a + b);
    show("a-b", a - b);
    show("b-a", b - a);
    show("a*b", a * b);
    show("a/b", a / b);
    show("a%b", a % b);
    show("n/7", (u128)(n / 7));
    show("n%7", (u128)(n % 7));
    show("n*n", (u128)(n * n));
    show("a<<", a << shift);
    show("a>>", a >> shift);
    show("n>>", (u128)(n >> 3));
    show("n>>67", (u128)(n >> shift));
    show("a<<3", a << 3);
    show("a&b", a & b);
    show("a|b", a | b);
    show("a^b", a ^ b);
    show("~a", ~a);
    show("-a", -a);
    printf("%d %d %d %d %d\n", a < b, a > b, n < 0, (u128)n > a, a == b);
    show("int", (u128)(i128)(int)-5);
    show("unsigned", (u128)(unsigned)-5);
    show("long", (u128)(i128)(long)-6);
    printf("%d %ld %d\n", (int)a, (long)(a >> 32), (char)(a >> 120));
    show("gcd", (u128)gcd((i128)1 << 100, ((i128)3 << 80)));
    printf("%.10g %.10g\n", (double)a, (double)n);
    show("from double", (u128)1e30);
    show("from negative", (u128)(i128)-1e25);
    struct pair p = swap((struct pair){-1, 't', 77});
    show("first", (u128)p.first);
    show("second", p.second);
    printf("%c\n", p.tag);
    u128 sum = 0;
    for (u128 i = 1; i != ((u128)1 << 100); i <<= 9) {
        sum += i * i;
        if (i >> 98) {
            break;
        }
    }
    show("sum", sum);
    switch ((i128)n) {
    case -12345678901234567LL:
        puts("case");
        break;
    default:
        puts("default");
    }
    return 0;
}
