// What is assumed is said by ending the program; that memory is lost and that a thread waits for ever is not asked about. With -DWRONG an error is reached.
// check: sc,tso,pso,rc11 --property unreach-call => Safe
// check: sc,tso,pso,rc11 --property unreach-call -DWRONG => Violation reach-error
// check: sc,tso,pso,rc11 => Violation abort,deadlock,leak
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int turns;

static void assume(int condition) {
    if (!condition) {
        abort();
    }
}

static void* first(void* arg) {
    pthread_mutex_lock(&mutex);
    turns++;
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void* second(void* arg) {
    pthread_mutex_lock(&mutex);
    assume(turns == 1); // it comes later
    int* box = malloc(sizeof(int));
    *box = turns;
    turns = *box + 2;
    return arg; // the lock is kept
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(b, 0);
#ifdef WRONG
    if (turns == 3) {
#else
    if (turns == 2) {
#endif
        reach_error();
    }
    pthread_join(a, 0);
    return 0;
}
