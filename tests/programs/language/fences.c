// Fences of C11, compiler barriers, and the fences of the processors as assembly.
// levels: -O0 -O1 -O2
// expect-output: 21
#include <stdatomic.h>
#include <stdio.h>

static atomic_int x;
static int plain;

int main(void) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_acquire);
    atomic_thread_fence(memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    atomic_thread_fence(memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    __sync_synchronize();
    __asm__ volatile("" ::: "memory");
    __asm__ __volatile__("mfence" ::: "memory");
    __asm__ volatile("lfence\n\t" : : : "memory");
    asm volatile("sfence;" ::: "memory");
    __asm__ volatile("sync" ::: "memory");
    __asm__ volatile("lwsync" ::: "memory");
    __asm__ volatile("isync" ::: "memory");
    __asm__ volatile("eieio" ::: "memory");
    __asm__ volatile("dmb ish" ::: "memory");
    __asm__ volatile("dmb ishst" ::: "memory");
    __asm__ volatile("dmb ishld" ::: "memory");
    __asm__ volatile("dmb sy" ::: "memory");
    __asm__ volatile("dsb sy" ::: "memory");
    __asm__ volatile("dsb st" ::: "memory");
    __asm__ volatile("isb" ::: "memory");
    plain = 20;
    __asm__ volatile("" : "+r"(plain) : : "memory");
    printf("%d\n", plain + atomic_load(&x));
    return 0;
}
