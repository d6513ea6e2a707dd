// Locked instructions on the stack are fences only if they change nothing.
// expect-exit: 5
// expect-error: unsupported:
// expect-error: orq
// expect-error:   at unsupported_asm_locked.c:10:
int main(void) {
    __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("lock orq $0x0, (%%rsp)" ::: "memory", "cc");
    __asm__ volatile("lock; addl $0, -4(%%rsp)" ::: "memory", "cc");
    __asm__ volatile("lock orq $01, (%%rsp)" ::: "memory", "cc");
    return 0;
}
