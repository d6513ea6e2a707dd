// cflags: -DNDEBUG
// expect-output: fine
#include <assert.h>
#include <stdio.h>

int main(void) {
    assert(0);
    puts("fine");
    return 0;
}
