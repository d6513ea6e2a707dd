// There is no environment; what the system says about itself is fixed.
// native: no
// expect-output: 1 1
// expect-output: 2 4096 1 1
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    printf("%d %d\n", getenv("PATH") == NULL, environ[0] == NULL);
    printf("%ld %ld %d %d\n", sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_PAGESIZE), (int)getpid(), (int)gettid());
    return 0;
}
