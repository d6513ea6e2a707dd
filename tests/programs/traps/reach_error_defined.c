// SV-COMP's programs bring a reach_error of their own, which asserts.
// expect-exit: 1
// expect-error: reach_error_defined.c:
#include <assert.h>

void reach_error(void) { assert(0); }

int main(void) {
    reach_error();
    return 0;
}
