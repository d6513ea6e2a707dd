// expect-exit: 5
// expect-error: unsupported:
// expect-error: setjmp
// expect-error:   at unsupported_setjmp.c:10:
#include <setjmp.h>

static jmp_buf env;

int main(void) {
    if (setjmp(env) == 0) {
        longjmp(env, 1);
    }
    return 0;
}
