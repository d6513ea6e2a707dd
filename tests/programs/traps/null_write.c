// expect-exit: 1
// expect-error: null-dereference: write of 8 bytes through a null pointer
// expect-error:   at null_write.c:7:
static double *target;

int main(void) {
    *target = 1.0;
    return 0;
}
