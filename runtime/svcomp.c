// The functions of the verification competition SV-COMP. Inputs ("nondet") are the machine's to give. Functions of the program
// that are called __VERIFIER_atomic_something run as one step; the front end sees to that.
#include "internal.h"

void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
_Noreturn void __VERIFIER_error(void);
_Noreturn void reach_error(void);
void __VERIFIER_assert(int condition);

void __VERIFIER_assume(int condition) { __heddle_assume(condition != 0); }
void __VERIFIER_atomic_begin(void) { __heddle_atomic_begin(); }
void __VERIFIER_atomic_end(void) { __heddle_atomic_end(); }
_Noreturn void __VERIFIER_error(void) { __heddle_fail(HEDDLE_TRAP_REACH_ERROR, "__VERIFIER_error() reached"); }
_Noreturn void reach_error(void) { __heddle_fail(HEDDLE_TRAP_REACH_ERROR, "reach_error() reached"); }

/// Where the program's own function of one of these names comes back.
_Noreturn void error_reached(void) INTERNAL(error_reached);
_Noreturn void error_reached(void) { __heddle_fail(HEDDLE_TRAP_REACH_ERROR, "reach_error() reached"); }

void __VERIFIER_assert(int condition) {
    if (!condition) {
        __heddle_fail(HEDDLE_TRAP_ASSERTION, "__VERIFIER_assert failed");
    }
}

#define NONDET(name, type)                                                                                                       \
    type __VERIFIER_nondet_##name(void);                                                                                         \
    type __VERIFIER_nondet_##name(void) { return (type)__heddle_nondet(8 * sizeof(type)); }

NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(unsigned_int, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
NONDET(loff_t, long)
NONDET(size_t, size_t)
NONDET(S8, int8_t)
NONDET(U8, uint8_t)
NONDET(U16, uint16_t)
NONDET(U32, uint32_t)
NONDET(u8, uint8_t)
NONDET(u16, uint16_t)
NONDET(u32, uint32_t)
NONDET(u64, uint64_t)
NONDET(pchar, char*)
NONDET(pointer, void*)

_Bool __VERIFIER_nondet_bool(void);
_Bool __VERIFIER_nondet_bool(void) { return __heddle_nondet(1) != 0; }

__extension__ __int128 __VERIFIER_nondet_int128(void);
__extension__ __int128 __VERIFIER_nondet_int128(void) {
    unsigned __int128 high = __heddle_nondet(64);
    return (__int128)(high << 64 | __heddle_nondet(64));
}

__extension__ unsigned __int128 __VERIFIER_nondet_uint128(void);
__extension__ unsigned __int128 __VERIFIER_nondet_uint128(void) { return (unsigned __int128)__VERIFIER_nondet_int128(); }

float __VERIFIER_nondet_float(void);
float __VERIFIER_nondet_float(void) {
    uint32_t bits = (uint32_t)__heddle_nondet(32);
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

double __VERIFIER_nondet_double(void);
double __VERIFIER_nondet_double(void) {
    uint64_t bits = __heddle_nondet(64);
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
