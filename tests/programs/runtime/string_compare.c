// Comparing strings and memory.
// expect-output: memcmp 0 0 -1 0 -1 1
// expect-output: bcmp 1 0
// expect-output: strcmp 0 -1 1 1
// expect-output: strncmp 0 -1 0
// expect-output: strcasecmp 0 -1 1
// expect-output: strncasecmp 0 -1
// expect-output: strcoll -1
// expect-output: ffs 0 4 41 1
// levels: -O0 -O2
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    char a[40], b[40];
    memset(a, 'x', sizeof a);
    memset(b, 'x', sizeof b);
    printf("memcmp %d", sign(memcmp(a, b, sizeof a)));
    b[39] = 'y';
    printf(" %d %d", sign(memcmp(a, b, 39)), sign(memcmp(a, b, 40)));
    b[17] = '\xff';
    printf(" %d %d %d\n", sign(memcmp(a, b, 17)), sign(memcmp(a, b, 18)), sign(memcmp(b, a, 40)));
    printf("bcmp %d %d\n", bcmp("ab", "ab", 2) == 0, bcmp("ab", "ac", 2) == 0);
    printf("strcmp %d %d %d %d\n", sign(strcmp("", "")), sign(strcmp("a", "b")), sign(strcmp("ab", "a")), sign(strcmp("\xff", "a")));
    printf("strncmp %d %d %d\n", sign(strncmp("abc", "abd", 2)), sign(strncmp("abc", "abd", 3)), sign(strncmp("a", "a", 10)));
    printf("strcasecmp %d %d %d\n", sign(strcasecmp("HeLLo", "hEllO")), sign(strcasecmp("a", "B")), sign(strcasecmp("Z", "a")));
    printf("strncasecmp %d %d\n", sign(strncasecmp("ABx", "aby", 2)), sign(strncasecmp("ABx", "aby", 3)));
    printf("strcoll %d\n", sign(strcoll("B", "a")));
    printf("ffs %d %d %d %d\n", ffs(0), ffs(8), ffsl(1L << 40), ffsll(-1LL));
    return 0;
}
