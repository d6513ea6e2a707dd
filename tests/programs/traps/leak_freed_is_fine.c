// expect-output: fine
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *worker(void *p) {
    free(p);
    return malloc(5);
}

int main(void) {
    void *list[20];
    for (int i = 0; i < 20; i++) {
        list[i] = malloc((size_t)i);
    }
    for (int i = 0; i < 20; i++) {
        free(list[i]);
    }
    pthread_t t;
    void *theirs;
    pthread_create(&t, NULL, worker, malloc(10));
    pthread_join(t, &theirs);
    free(theirs);
    puts("fine");
    return 0;
}
