// Thread ids and addresses depend on who made a thread or an object, not on the schedule: both makers race, the names do not.
// levels: -O0 -O2
// seeds: 5 6 7 8 9
// expect-output: same 1 1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *leaf(void *p) {
    void *mine = malloc(8);
    free(p);
    free(mine);
    return NULL;
}

static void *maker(void *p) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        void *object = malloc(16);
        ((void **)p)[i] = object;
        pthread_create(&t[i], NULL, leaf, object);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    return NULL;
}

int main(void) {
    void *objects[2][3];
    pthread_t a, b;
    pthread_create(&a, NULL, maker, objects[0]);
    pthread_create(&b, NULL, maker, objects[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int grows = 1, apart = 1;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i + 1 < 3; i++) {
            grows &= (char *)objects[k][i] < (char *)objects[k][i + 1];
        }
    }
    for (int i = 0; i < 3; i++) {
        apart &= objects[0][i] != objects[1][i] &&
                 (char *)objects[0][i] - (char *)objects[0][0] == (char *)objects[1][i] - (char *)objects[1][0];
    }
    printf("same %d %d\n", grows, apart);
    return 0;
}
