// expect-exit: 5
// expect-error: unsupported:
// expect-error: cpuid
// expect-error:   at unsupported_asm.c:7:
int main(void) {
    unsigned a = 0, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return 0;
}
