// goto forwards, backwards, into and out of blocks; computed goto as an interpreter uses it.
// levels: -O0 -O1 -O2
// expect-output: 111 0 118
// expect-output: 1024
// expect-output: 6 203
#include <stdio.h>

static int collatz(long n) {
    int steps = 0;
again:
    if (n == 1) {
        goto done;
    }
    steps++;
    if (n % 2) {
        n = 3 * n + 1;
        goto again;
    }
    n /= 2;
    goto again;
done:
    return steps;
}

enum { PUSH, ADD, MUL, DUP, JNZ, DEC, SWAP, STOP };

static long interpret(const int *code) {
    static const void *const labels[] = {&&push, &&add, &&mul, &&dup, &&jnz, &&dec, &&swap, &&stop};
    long stack[16];
    int top = 0;
    const int *pc = code;
#define NEXT goto *labels[*pc++]
    NEXT;
push:
    stack[top++] = *pc++;
    NEXT;
add:
    top--;
    stack[top - 1] += stack[top];
    NEXT;
mul:
    top--;
    stack[top - 1] *= stack[top];
    NEXT;
dup:
    stack[top] = stack[top - 1];
    top++;
    NEXT;
jnz:
    if (stack[top - 1] != 0) {
        pc = code + *pc;
    } else {
        pc++;
    }
    NEXT;
dec:
    stack[top - 1]--;
    NEXT;
swap: {
    long t = stack[top - 1];
    stack[top - 1] = stack[top - 2];
    stack[top - 2] = t;
    NEXT;
}
stop:
    return stack[0];
}

int main(void) {
    printf("%d %d %d\n", collatz(27), collatz(1), collatz(97));
    // Doubles 1 ten times.
    static const int code[] = {PUSH, 1, PUSH, 10, SWAP, PUSH, 2, MUL, SWAP, DEC, JNZ, 4, ADD, STOP};
    printf("%ld\n", interpret(code));
    int i = 0, j = 0;
    for (;;) {
        for (;;) {
            if (++i > 5) {
                goto out;
            }
            if (i % 2) {
                goto inner;
            }
            j += 100;
            continue;
            while (0) {
            inner:
                j++;
            }
        }
    }
out:
    printf("%d %d\n", i, j);
    return 0;
}
