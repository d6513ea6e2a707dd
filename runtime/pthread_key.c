// Thread-specific data. Values are in the thread's own memory, so reading and writing them is no action; only the list of
// destructors is shared. Keys are numbered in order of creation and not used again after pthread_key_delete: so a deleted key's
// old values cannot show up under a new one.
#include "pthread_key.h"

#include <errno.h>
#include <pthread.h>

enum { KEYS = 128, ROUNDS = 4 /* PTHREAD_DESTRUCTOR_ITERATIONS */ };

typedef void destructor(void*);

static uint32_t keys_made;
static destructor* destructors[KEYS];

static _Thread_local void* values[KEYS];
_Thread_local uint32_t __heddle_key_values_end;

int pthread_key_create(pthread_key_t* key, destructor* destroy) {
    uint32_t made = __atomic_fetch_add(&keys_made, 1, __ATOMIC_RELAXED);
    if (made >= KEYS) {
        return EAGAIN;
    }
    if (destroy != NULL) {
        __atomic_store_n(&destructors[made], destroy, __ATOMIC_RELEASE);
    }
    *key = made;
    return 0;
}

int pthread_key_delete(pthread_key_t key) {
    if (key >= KEYS) {
        return EINVAL;
    }
    __atomic_store_n(&destructors[key], NULL, __ATOMIC_RELEASE);
    return 0;
}

void* pthread_getspecific(pthread_key_t key) { return key < KEYS ? values[key] : NULL; }

int pthread_setspecific(pthread_key_t key, const void* value) {
    if (key >= KEYS) {
        return EINVAL;
    }
    values[key] = (void*)value;
    if (key >= __heddle_key_values_end) {
        __heddle_key_values_end = key + 1;
    }
    return 0;
}

void run_destructors_of_values(void) {
    bool again = true;
    for (int round = 0; round < ROUNDS && again; round++) {
        again = false;
        for (uint32_t key = 0; key < __heddle_key_values_end; key++) {
            void* value = values[key];
            if (value == NULL) {
                continue;
            }
            destructor* destroy = __atomic_load_n(&destructors[key], __ATOMIC_ACQUIRE);
            values[key] = NULL;
            if (destroy != NULL) {
                destroy(value);
                again = true;
            }
        }
    }
}
