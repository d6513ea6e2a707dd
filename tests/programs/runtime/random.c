// Pseudo-random numbers: glibc's, and the same in every thread.
// expect-output: 1804289383 846930886 1681692777
// expect-output: 71876166 708592740
// expect-output: 1804289383
// expect-output: 1804289383
// expect-output: 1187592820 153898277
// expect-output: 0.524839579434 585950151 -907958370
// expect-output: 0.441996322689 565063343 -1485464893
// levels: -O0 -O2
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    printf("%d %d %d\n", rand(), rand(), rand());
    srand(42);
    printf("%d %ld\n", rand(), random());
    srandom(1);
    printf("%ld\n", random());
    srand(0);
    printf("%d\n", rand());
    unsigned seed = 7;
    int first = rand_r(&seed);
    printf("%d %d\n", first, rand_r(&seed));
    srand48(5);
    printf("%.12f %ld %ld\n", drand48(), lrand48(), mrand48());
    unsigned short state[3] = {1, 2, 3};
    printf("%.12f %ld %ld\n", erand48(state), nrand48(state), jrand48(state));
    return 0;
}
