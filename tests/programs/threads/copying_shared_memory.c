// memcpy, memset, struct assignment and string functions on memory that other threads can reach.
// levels: -O0 -O2
// seeds: 1 2 3 4
// expect-output: a lon***ame! a lon***ame! a lon***ame! a lon***ame! 6 1.5 12
// expect-output: 4
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[13];
    int values[7];
    double weight;
    char odd;
};

static struct record shared, copies[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char text[64];

static void *worker(void *p) {
    long i = (long)p;
    struct record local;
    pthread_mutex_lock(&m);
    local = shared;
    local.values[3] += (int)i;
    shared = local;
    memcpy(&copies[i], &shared, sizeof shared);
    memset(copies[i].name + 5, '*', 3);
    strcat(text, "ab");
    memmove(text + 1, text, strlen(text) + 1);
    text[0] = '-';
    pthread_mutex_unlock(&m);
    return strdup(copies[i].name);
}

int main(void) {
    pthread_t t[4];
    memset(&shared, 0, sizeof shared);
    strcpy(shared.name, "a long name!");
    shared.weight = 1.5;
    for (long i = 0; i < 4; i++) {
        pthread_create(&t[i], NULL, worker, (void *)i);
    }
    for (int i = 0; i < 4; i++) {
        void *name;
        pthread_join(t[i], &name);
        printf("%s ", (char *)name);
        free(name);
    }
    printf("%d %g %zu\n", shared.values[3], shared.weight, strlen(text));
    int dashes = 0;
    for (char *c = text; *c; c++) {
        dashes += *c == '-';
    }
    printf("%d\n", dashes);
    return 0;
}
