// expect-exit: 1
// expect-error: abort: a trap instruction (__builtin_trap) is reached
// expect-error:   at builtin_trap.c:5:
int main(void) {
    __builtin_trap();
}
