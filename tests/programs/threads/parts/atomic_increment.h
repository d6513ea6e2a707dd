static int counter;

static inline void __VERIFIER_atomic_increment(void) {
    int c = counter;
    counter = c + 1;
}

static inline void increment(void) { __VERIFIER_atomic_increment(); }
