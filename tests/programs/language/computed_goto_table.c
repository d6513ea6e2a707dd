// A jump table built at run time.
// levels: -O0 -O1 -O2
// expect-output: 5 -4 0 -1
#include <stdio.h>

static int run(const char *program) {
    void *table[256];
    for (int i = 0; i < 256; i++) {
        table[i] = &&bad;
    }
    table['+'] = &&plus;
    table['-'] = &&minus;
    table['*'] = &&twice;
    table[0] = &&end;
    int v = 0;
    goto *table[(unsigned char)*program];
plus:
    v++;
    goto *table[(unsigned char)*++program];
minus:
    v--;
    goto *table[(unsigned char)*++program];
twice:
    v *= 2;
    goto *table[(unsigned char)*++program];
bad:
    return -1;
end:
    return v;
}

int main(void) {
    printf("%d %d %d %d\n", run("++*+"), run("-**"), run(""), run("+?"));
    return 0;
}
