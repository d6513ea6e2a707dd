// expect-exit: 1
// expect-error: wild-pointer: read of 1 byte through a pointer to a function
// expect-error:   at wild_pointer_function.c:6:
int main(void) {
    int (*volatile f)(void) = main;
    return *(unsigned char *)f;
}
