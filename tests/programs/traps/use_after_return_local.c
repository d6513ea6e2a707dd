// expect-exit: 1
// expect-error: use-after-return: read of 4 bytes of a local variable whose function has returned
// expect-error:   at use_after_return_local.c:12:
static int *leak_address(int v) {
    int local = v;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = leak_address(5);
    return *p;
}
