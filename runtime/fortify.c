// The names under which headers call the functions of string.h when _FORTIFY_SOURCE is on (those of stdio.h are in stdio.c). The
// size of the destination that they add is not needed: the machine checks every access, wherever it comes from.
#include "internal.h"

#include <string.h>

#define UNUSED __attribute__((unused))

void* __memcpy_chk(void* restrict to, const void* restrict from, size_t n, size_t room);
void* __memmove_chk(void* to, const void* from, size_t n, size_t room);
void* __mempcpy_chk(void* restrict to, const void* restrict from, size_t n, size_t room);
void* __memset_chk(void* to, int byte, size_t n, size_t room);
void __explicit_bzero_chk(void* to, size_t n, size_t room);
char* __strcpy_chk(char* restrict to, const char* restrict from, size_t room);
char* __stpcpy_chk(char* restrict to, const char* restrict from, size_t room);
char* __strncpy_chk(char* restrict to, const char* restrict from, size_t n, size_t room);
char* __stpncpy_chk(char* restrict to, const char* restrict from, size_t n, size_t room);
char* __strcat_chk(char* restrict to, const char* restrict from, size_t room);
char* __strncat_chk(char* restrict to, const char* restrict from, size_t n, size_t room);

void* __memcpy_chk(void* restrict to, const void* restrict from, size_t n, UNUSED size_t room) { return memcpy(to, from, n); }
void* __memmove_chk(void* to, const void* from, size_t n, UNUSED size_t room) { return memmove(to, from, n); }
void* __mempcpy_chk(void* restrict to, const void* restrict from, size_t n, UNUSED size_t room) { return mempcpy(to, from, n); }
void* __memset_chk(void* to, int byte, size_t n, UNUSED size_t room) { return memset(to, byte, n); }
void __explicit_bzero_chk(void* to, size_t n, UNUSED size_t room) { memset(to, 0, n); }
char* __strcpy_chk(char* restrict to, const char* restrict from, UNUSED size_t room) { return strcpy(to, from); }
char* __stpcpy_chk(char* restrict to, const char* restrict from, UNUSED size_t room) { return stpcpy(to, from); }
char* __strncpy_chk(char* restrict to, const char* restrict from, size_t n, UNUSED size_t room) { return strncpy(to, from, n); }
char* __stpncpy_chk(char* restrict to, const char* restrict from, size_t n, UNUSED size_t room) { return stpncpy(to, from, n); }
char* __strcat_chk(char* restrict to, const char* restrict from, UNUSED size_t room) { return strcat(to, from); }
char* __strncat_chk(char* restrict to, const char* restrict from, size_t n, UNUSED size_t room) { return strncat(to, from, n); }
