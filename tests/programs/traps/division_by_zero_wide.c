// expect-exit: 1
// expect-error: division-by-zero: division by zero
// expect-error:   at division_by_zero_wide.c:6:
int main(void) {
    volatile __int128 n = 0;
    return (int)((__int128)12 / n);
}
