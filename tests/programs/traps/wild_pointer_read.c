// expect-exit: 1
// expect-error: wild-pointer: read of 4 bytes through a pointer to nothing (0xdeadbeef)
// expect-error:   at wild_pointer_read.c:6:
int main(void) {
    volatile unsigned long number = 0xdeadbeef;
    return *(int *)number;
}
