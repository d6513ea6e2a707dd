// abort is a violation.
// expect-exit: 1
// expect-error: abort() called
#include <stdlib.h>

int main(void) { abort(); }
