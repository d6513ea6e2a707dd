// A bug: main frees the message while the thread may still read it.
//
//     ./heddle run examples/early_free.c
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct message {
    int length;
    char text[28];
};

static void* print(void* argument) {
    const struct message* m = argument;
    puts("reading the message");
    printf("%d characters\n", m->length);
    return NULL;
}

int main(void) {
    struct message* m = malloc(sizeof *m);
    strcpy(m->text, "hello");
    m->length = (int)strlen(m->text);
    pthread_t thread;
    pthread_create(&thread, NULL, print, m);
    free(m); // too early: should come after the join
    pthread_join(thread, NULL);
    return 0;
}
