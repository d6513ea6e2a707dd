// 16-bit floating point is not C11's.
// expect-exit: 5
// expect-error: unsupported: a value of type half
// expect-error:   at unsupported_half.c:8:
volatile float f = 1;

int main(void) {
    _Float16 x = (_Float16)f;
    return x > 0;
}
