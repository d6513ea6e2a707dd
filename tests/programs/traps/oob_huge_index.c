// expect-exit: 1
// expect-error: out-of-bounds: read of 1 byte
// expect-error:   at oob_huge_index.c:8:
static char buffer[16];

int main(void) {
    unsigned i = 4000000000u;
    return buffer[i];
}
