// Found by csmith (seed 30): bit-fields that clang keeps in one integer of 136 bits, because none of them ends at a byte.
// levels: -O0 -O1 -O2
// expect-output: -5 1234567 -3 -100000 77 1000000000 7 400
// expect-output: 268435455 -536870912 127 524287 -262144 0 -8 511
// expect-output: 11 33
#include <stdio.h>
#include <string.h>

#pragma pack(push, 1)
struct fields {
    signed a : 29;
    signed b : 30;
    signed c : 8;
    signed d : 20;
    signed e : 19;
    unsigned f : 30;
    signed g : 4;
    unsigned h : 9;
};
#pragma pack(pop)

struct wrapped {
    int before;
    struct fields fields;
    int after;
};

static struct fields global = {-5, 1234567, -3, -100000, 77, 1000000000, 7, 400};
static struct wrapped changed;

static void show(const struct fields* f) {
    printf("%d %d %d %d %d %u %d %u\n", f->a, f->b, f->c, f->d, f->e, f->f, f->g, f->h);
}

int main(void) {
    show(&global);
    memset(&changed, 0x55, sizeof changed);
    changed.before = 11;
    changed.after = 33;
    changed.fields.a = 0xfffffff;
    changed.fields.b = -0x20000000;
    changed.fields.c = 127;
    changed.fields.d = 0x7ffff;
    changed.fields.e = -0x40000;
    changed.fields.f = 0;
    changed.fields.g = -8;
    changed.fields.h = 511;
    show(&changed.fields);
    printf("%d %d\n", changed.before, changed.after);
    return 0;
}
