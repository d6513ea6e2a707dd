#pragma once
#ifdef __cplusplus
extern "C"
#endif
    unsigned
    native_loop(unsigned n);
