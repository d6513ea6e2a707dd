// The functions of SV-COMP that let a program go on.
// native: no
// expect-output: ok
// levels: -O0 -O2
#include <stdio.h>

extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assert(int);
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);

int main(void) {
    __VERIFIER_assume(1);
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_end();
    __VERIFIER_assert(1);
    int x = __VERIFIER_nondet_int();
    _Bool b = __VERIFIER_nondet_bool();
    double d = __VERIFIER_nondet_double();
    if (x == __VERIFIER_nondet_uchar() || b || d > 0) {
        puts("ok");
    } else {
        puts("ok");
    }
    return 0;
}
