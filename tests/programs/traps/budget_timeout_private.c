// A loop that touches nothing.
// expect-exit: 4
// options: --timeout 0.5
// expect-error: out-of-budget: the time limit has passed
int main(void) {
    for (unsigned i = 0;; i++) {
        __asm__ volatile("" ::: "memory");
    }
}
