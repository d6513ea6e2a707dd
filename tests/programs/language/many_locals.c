// A function with very many variables and a very long body: more registers than a small field could number.
// levels: -O0 -O2
// expect-output: f6468c19bd5655d
// expect-output: 68de2fae5dd0a301
#include <stdio.h>

#define R4(m, n) m(n##0) m(n##1) m(n##2) m(n##3)
#define R16(m, n) R4(m, n##0) R4(m, n##1) R4(m, n##2) R4(m, n##3)
#define R64(m, n) R16(m, n##0) R16(m, n##1) R16(m, n##2) R16(m, n##3)
#define R256(m, n) R64(m, n##0) R64(m, n##1) R64(m, n##2) R64(m, n##3)

#define DECLARE(n) unsigned long n = seed = seed * 6364136223846793005u + 1442695040888963407u;
#define MIX(n) h = (h ^ n) * 1099511628211u + (n >> 7);
#define STEP(n) n = n * 3 + (h >> 5);

static unsigned long run(unsigned long seed) {
    unsigned long h = 1469598103934665603u;
    R256(DECLARE, v)
    for (int i = 0; i < 3; i++) {
        R256(MIX, v)
        R256(STEP, v)
    }
    R256(MIX, v)
    return h;
}

int main(void) {
    printf("%lx\n", run(1));
    printf("%lx\n", run(2));
    return 0;
}
