// expect-exit: 1
// expect-error: out-of-bounds: write of 4 bytes outside the bounds of its object
// expect-error:   at oob_thread_local.c:10:
// expect-error: the thread-local variable 'mine' has 8 bytes; the access is at offset 8
// expect-error: declared at oob_thread_local.c:6
static _Thread_local int mine[2];

int main(void) {
    for (int i = 0; i < 3; i++) {
        mine[i] = i;
    }
    return 0;
}
