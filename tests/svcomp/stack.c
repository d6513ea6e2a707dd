// A stack under a mutex, with nodes on the heap; two threads push and pop for ever with -DENDLESS.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DENDLESS => Safe
// check: sc,tso,pso --search stateful -DBARE => Violation use-after-free,double-free,assertion,leak,null-dereference
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node* next;
    int value;
};
static struct node* top;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void push(int value) {
    struct node* n = malloc(sizeof *n);
    n->value = value;
    pthread_mutex_lock(&m);
    n->next = top;
    top = n;
    pthread_mutex_unlock(&m);
}

static int pop(void) {
#ifndef BARE
    pthread_mutex_lock(&m);
#endif
    struct node* n = top;
    assert(n);
    top = n->next;
#ifndef BARE
    pthread_mutex_unlock(&m);
#endif
    const int value = n->value;
    free(n);
    return value;
}

#ifdef ENDLESS
#define ROUNDS for (;;)
#else
#define ROUNDS for (int k = 0; k < 1; k++)
#endif

static void* thread(void* arg) {
    ROUNDS {
        push(arg ? 1 : 2);
        const int value = pop();
        assert(value == 1 || value == 2);
    }
    return 0;
}

int main(void) {
    in_parallel(2, thread);
    return 0;
}
