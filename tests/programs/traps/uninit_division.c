// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a division
// expect-error:   at uninit_division.c:7:
int main(void) {
    int d;
    int *p = &d;
    return 100 / *p;
}
