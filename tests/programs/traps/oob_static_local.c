// expect-exit: 1
// expect-error: out-of-bounds: read of 4 bytes outside the bounds of its object
// expect-error:   at oob_static_local.c:7:
// expect-error: the global variable 'count.counts' has 8 bytes; the access is at offset 8
static void count(int i) {
    static int counts[2];
    counts[i]++;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        count(i);
    }
    return 0;
}
