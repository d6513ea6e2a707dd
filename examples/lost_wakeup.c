// A wake-up that is lost: the flag is set and signalled between the waiter's look at it and its going to sleep.
//
// The rule: change what a condition variable is about only with its mutex held. BROKEN does not, and the waiter may sleep
// forever.
//
//     ./heddle check examples/lost_wakeup.c                Safe
//     ./heddle check examples/lost_wakeup.c -- -DBROKEN    Violation: deadlock
//
// check: sc,tso,pso,ra,rc11,power,armv8 => Safe
// check: sc,tso,pso,ra,rc11,power,armv8 -DBROKEN => Violation deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static atomic_bool ready; // atomic, so that nobody can blame a data race
static int letter;

static void* wait_for_letter(void* argument) {
    pthread_mutex_lock(&mutex);
    while (!ready) {
        pthread_cond_wait(&arrived, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    assert(letter == 7);
    return argument;
}

static void* bring_letter(void* argument) {
    letter = 7;
#ifndef BROKEN
    pthread_mutex_lock(&mutex);
#endif
    ready = true;
#ifndef BROKEN
    pthread_mutex_unlock(&mutex);
#endif
    pthread_cond_signal(&arrived);
    return argument;
}

int main(void) {
    pthread_t waiter, postman;
    pthread_create(&waiter, NULL, wait_for_letter, NULL);
    pthread_create(&postman, NULL, bring_letter, NULL);
    pthread_join(waiter, NULL);
    pthread_join(postman, NULL);
    return 0;
}
