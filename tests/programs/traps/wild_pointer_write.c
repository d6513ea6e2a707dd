// expect-exit: 1
// expect-error: wild-pointer: write of 1 byte through a pointer to nothing
// expect-error:   at wild_pointer_write.c:6:
int main(void) {
    volatile unsigned long number = 0xffffffffff600000;
    *(char *)number = 1;
    return 0;
}
