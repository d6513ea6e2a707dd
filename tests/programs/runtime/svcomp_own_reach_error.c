// A program's own reach_error is the one that is called.
// expect-exit: 1
// expect-error: assertion `0' failed
#include <assert.h>

void reach_error(void) { assert(0); }

int main(void) { reach_error(); }
