// string_buffer: appending one buffer to another takes the length of the second in one critical section and its characters in the next, while another thread
// shortens it (the bug of Java's StringBuffer, a program of the MCR paper's table 5): no data race, and characters that are not there.
//
// check: sc,tso,pso --equivalence value --races => Violation assertion
// check: sc,tso,pso --races => Violation assertion
// check: ra,rc11 --equivalence value => Violation assertion
// check: sc,tso,pso -DRIGHT --equivalence value --races => Safe
// check: ra,rc11 -DRIGHT --equivalence value => Safe
#include "../zoo/threads.h"

#include <assert.h>

static struct {
    pthread_mutex_t mutex;
    int length;
    char text[4];
} buffer = {.mutex = PTHREAD_MUTEX_INITIALIZER, .length = 3, .text = "abc"};

static void* append(void* argument) {
    char copy[4] = "";
    pthread_mutex_lock(&buffer.mutex);
    const int length = buffer.length;
#ifndef RIGHT
    pthread_mutex_unlock(&buffer.mutex);
    pthread_mutex_lock(&buffer.mutex);
#endif
    for (int i = 0; i < length; ++i) {
        assert(i < buffer.length);
        copy[i] = buffer.text[i];
    }
    pthread_mutex_unlock(&buffer.mutex);
    (void)copy;
    return argument;
}

static void* shorten(void* argument) {
    pthread_mutex_lock(&buffer.mutex);
    buffer.length = 1;
    pthread_mutex_unlock(&buffer.mutex);
    return argument;
}

int main(void) {
    void* (*const bodies[])(void*) = {append, shorten};
    run_all(2, bodies);
    return 0;
}
