// Reachable through globals, statics, locals of main, other objects, inner pointers and pointers with a counter in the upper bits.
// levels: -O0 -O1 -O2
// expect-output: fine
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    char text[8];
};

static struct node *list;
static char *inner;
static uintptr_t tagged;
static _Thread_local int *of_thread;

static void fill(void) {
    static int *kept;
    kept = malloc(4);
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    struct node *n = malloc(sizeof *n);
    inner = n->text + 3;
    tagged = (uintptr_t)malloc(40) | (uintptr_t)77 << 48;
    of_thread = malloc(4);
}

int main(void) {
    fill();
    int *local = malloc(4);
    int *volatile *far = malloc(sizeof *far);
    *far = local;
    puts("fine");
    exit(0);
}
