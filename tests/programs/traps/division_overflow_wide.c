// expect-exit: 1
// expect-error: division-overflow: signed division overflows
// expect-error:   at division_overflow_wide.c:7:
int main(void) {
    volatile __int128 a = (__int128)1 << 126, b = -1;
    a = -a - a;
    return (int)(a / b);
}
