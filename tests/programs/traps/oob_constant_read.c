// expect-exit: 1
// expect-error: out-of-bounds: read of 4 bytes outside the bounds of a constant
// expect-error:   at oob_constant_read.c:11:
// expect-error: 'primes' has 16 bytes; the access is at offset 16
// expect-error: declared at oob_constant_read.c:6
static const int primes[] = {2, 3, 5, 7};

int main(void) {
    int sum = 0;
    for (int i = 0; i < 5; i++) {
        sum += primes[i];
    }
    return sum;
}
