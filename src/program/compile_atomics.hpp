// compile_atomics: C11's orders as the instructions of a processor, by the standard mappings (Sewell and others, "C/C++11 mappings to processors").
//
//                        POWER                                          AArch64
//     load   relaxed     ld                                             ldr
//            acquire     ld; cmp; bc; isync                             ldar
//            seq_cst     sync; ld; cmp; bc; isync                       ldar
//     store  relaxed     st                                             str
//            release     lwsync; st                                     stlr
//            seq_cst     sync; st                                       stlr
//     update             lwarx ... stwcx. in a loop, with the fences    ldxr ... stxr in a loop; ldaxr for acquire, stlxr for release
//                        of a store before and of a load behind it
//                                                                       or, of armv8-lse, one instruction: cas, swp, ldadd, ... with
//                                                                       the same forms (whose old value is taken to be asked for)
//     fence  acquire     lwsync                                         dmb ld
//            rel, ar     lwsync                                         dmb
//            seq_cst     sync                                           dmb
//     mutex  lock        as an acquire update                           the same
//            unlock      as a release store                             the same
//
// On POWER the fences become instructions of their own here; what AArch64 expresses as a kind of access remains the access's order.
// A full fence written in assembly for another processor counts as a full fence; a weaker one orders nothing.
#pragma once

#include "program/program.hpp"

namespace heddle {

/// Rewrites every function. Nothing changes for architectures whose models speak of C11's orders (C, X86).
void compile_atomics(Program& program, Architecture architecture);

} // namespace heddle
