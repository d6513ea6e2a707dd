// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_switch.c:5:
static int pick(int *p) {
    switch (*p) {
    case 0:
        return 5;
    case 1:
        return 6;
    case 7:
        return 4;
    default:
        return 9;
    }
}

int main(void) {
    int v;
    return pick(&v);
}
