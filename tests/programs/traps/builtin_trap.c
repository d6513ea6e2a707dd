// expect-exit: 1
// expect-error: abort: 
// expect-error:   at builtin_trap.c:5:
int main(void) {
    __builtin_trap();
}
