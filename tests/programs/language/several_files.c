// Functions, variables, statics of the same name, and thread-local variables of another file.
// files: parts/several_files_other.c parts/several_files_third.c
// levels: -O0 -O2
// expect-output: 1 100
// expect-output: 2 99
// expect-output: 8 42
// expect-output: 60
// expect-output: 6 9 third.c
// expect-output: 42
#include "parts/several_files.h"

#include <stdio.h>

static int hidden = 1;
int defined_here = 40;
_Thread_local int per_thread = 5;

static int helper(void) { return hidden++; }

int main(void) {
    printf("%d %d\n", helper(), other_helper());
    printf("%d %d\n", helper(), other_helper());
    defined_there[1] += 2;
    printf("%d %d\n", sum_there(), read_here());
    per_thread++;
    printf("%d\n", per_thread_there());
    struct pair p = make_pair(3, 4.5);
    printf("%d %g %s\n", p.n, p.x, third_name());
    printf("%d\n", inline_twice(21));
    return 0;
}
