// SV-COMP's rules. What is assumed is said by ending the program, inside an atomic function too; a call of reach_error is the error, though the program's own function
// of that name does nothing. A readers' lock: the writer excludes everybody. With -DLATE the lock is taken before it is asked whether it may be: nobody sees that, since the
// program has ended then. With -DUNLOCKED a reader does not ask.
// Under pso the lock is given back before what was written.
// check: sc,tso --search stateful --property unreach-call => Safe
// check: sc,tso --search stateful --property unreach-call -DLATE => Safe
// check: pso --search stateful --property unreach-call => Violation reach-error
// check: sc,tso,pso --search stateful --property unreach-call -DUNLOCKED => Violation reach-error
// check: sc,tso,pso --search stateful --property unreach-call -DUNLOCKED -O2 => Violation reach-error
// check: sc,tso,pso --search stateful => Violation abort
#include <pthread.h>

extern void abort(void);
void reach_error() {}

static void assume(int condition) {
    if (!condition) {
        abort();
    }
}

volatile int writing, reading, data, seen;

void __VERIFIER_atomic_begin_write(void) {
#ifdef LATE
    writing += 2;
    assume(writing == 2 && reading == 0);
    writing--;
#else
    assume(writing == 0 && reading == 0);
    writing = 1;
#endif
}

void __VERIFIER_atomic_begin_read(void) {
#ifndef UNLOCKED
    assume(writing == 0);
#endif
    reading++;
}

void __VERIFIER_atomic_end_read(void) { reading--; }

void* writer(void* arg) {
    __VERIFIER_atomic_begin_write();
    data = 3;
    writing = 0;
    return arg;
}

void* reader(void* arg) {
    __VERIFIER_atomic_begin_read();
    int mine = data;
    seen = mine;
    if (writing > 1 || seen != data) {
        reach_error();
    }
    __VERIFIER_atomic_end_read();
    return arg;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_create(&t[2], 0, writer, 0);
    for (int k = 0; k < 3; k++) {
        pthread_join(t[k], 0);
    }
    return 0;
}
