// Setting one bit-field after the other goes through words that are partly undefined.
// levels: -O0 -O1 -O2
// expect-output: 1 5 -2 1 3 200
#include <stdio.h>
#include <stdlib.h>

struct flags {
    unsigned ready : 1;
    unsigned level : 3;
    int offset : 5;
    _Bool on : 1;
    unsigned : 4;
    unsigned unused : 7;
};

struct __attribute__((packed)) tight {
    unsigned a : 3;
    unsigned b : 11;
};

int main(void) {
    struct flags *f = malloc(sizeof *f);
    f->ready = 1;
    f->level = 5;
    f->offset = -2;
    f->on = 1;
    struct tight *t = malloc(sizeof *t);
    t->a = 3;
    t->b = 200;
    if (f->ready && f->level == 5 && f->on && t->b > 100) {
        printf("%u %u %d %d %u %u\n", f->ready, f->level, f->offset, f->on, t->a, t->b);
    }
    free(f);
    free(t);
    return 0;
}
