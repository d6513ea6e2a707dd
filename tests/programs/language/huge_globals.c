// 10 MB of global variables, touched here and there.
// levels: -O0 -O2
// expect-output: 8693979
// expect-output: 0 1 0
// expect-output: 1 0 9
#include <stdio.h>
#include <string.h>

static int huge[10 << 18];
static char zeros[4 << 20];
static unsigned char filled[1 << 20] = {[5] = 1, [(1 << 20) - 1] = 9};

int main(void) {
    int n = sizeof huge / sizeof *huge;
    for (int i = 0; i < n; i += 4099) {
        huge[i] = i;
    }
    long sum = 0;
    for (int i = 0; i < n; i += 101) {
        sum += huge[i];
    }
    printf("%ld\n", sum);
    memset(zeros + 100, 1, sizeof zeros - 200);
    printf("%d %d %d\n", zeros[99], zeros[100], zeros[sizeof zeros - 1]);
    printf("%d %d %d\n", filled[5], filled[6], filled[sizeof filled - 1]);
    return 0;
}
