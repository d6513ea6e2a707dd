// An inode's busy flag and the block it owns, each under a mutex of its own: the allocator and the one that deallocates must agree.
// check: sc,tso,pso --search stateful => Safe
// check: sc,tso,pso --search stateful -DFORGETS => Violation assertion
#include "../zoo/threads.h"

#include <assert.h>
#include <pthread.h>

static int block, busy, inode;
static pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER, m_busy = PTHREAD_MUTEX_INITIALIZER;

static void* allocator(void* arg) {
    (void)arg;
    pthread_mutex_lock(&m_inode);
    if (inode == 0) {
        pthread_mutex_lock(&m_busy);
#ifndef FORGETS
        busy = 1;
#endif
        pthread_mutex_unlock(&m_busy);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&m_inode);
    return 0;
}

static void* deallocator(void* arg) {
    (void)arg;
    pthread_mutex_lock(&m_busy);
    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&m_busy);
    return 0;
}

int main(void) {
    inode = busy;
    run_all(2, (void* (*const[])(void*)){allocator, deallocator});
    return 0;
}
