// expect-exit: 2
// expect-error: missing_header.c:3:10: fatal error: 'no_such_header.h' file not found
#include "no_such_header.h"

int main(void) { return 0; }
