// Arguments on the stack of the parent, on the heap, in globals, as integers; results likewise.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: 1 45 Xbc
// expect-output: 1 145 Xbc
// expect-output: 1 245 Xbc
// expect-output: 41
// expect-output: 6
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct job {
    int from, to;
    long sum;
    char name[8];
};

static void *work(void *p) {
    struct job *j = p;
    for (int i = j->from; i < j->to; i++) {
        j->sum += i;
    }
    j->name[0] = 'X';
    return j;
}

static void *by_value(void *p) { return (void *)((uintptr_t)p * 2 + 1); }

static void *make(void *p) {
    int *result = malloc(sizeof *result);
    *result = *(int *)p + 1;
    free(p);
    return result;
}

int main(void) {
    struct job jobs[3];
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        jobs[i] = (struct job){i * 10, i * 10 + 10, 0, "abc"};
        pthread_create(&t[i], NULL, work, &jobs[i]);
    }
    for (int i = 0; i < 3; i++) {
        void *r;
        pthread_join(t[i], &r);
        printf("%d %ld %s\n", r == &jobs[i], jobs[i].sum, jobs[i].name);
    }
    void *r;
    pthread_create(&t[0], NULL, by_value, (void *)(uintptr_t)20);
    pthread_join(t[0], &r);
    printf("%lu\n", (unsigned long)(uintptr_t)r);
    int *p = malloc(sizeof *p);
    *p = 5;
    pthread_create(&t[0], NULL, make, p);
    pthread_join(t[0], &r);
    printf("%d\n", *(int *)r);
    free(r);
    return 0;
}
