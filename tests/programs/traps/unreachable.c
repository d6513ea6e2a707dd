// expect-exit: 1
// expect-error: unreachable-code: the program reached code that it declares unreachable
// expect-error: unreachable.c:
static int pick(int v) {
    switch (v) {
    case 0:
        return 1;
    case 1:
        return 2;
    default:
        __builtin_unreachable();
    }
}

int main(void) {
    volatile int v = 5;
    return pick(v);
}
