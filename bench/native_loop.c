/* A tight integer loop: compiled at -O0 and run natively by machine_bench, and given to Heddle as a program. */
unsigned native_loop(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum = sum * 31 + (i ^ (sum >> 7));
    }
    return sum;
}
