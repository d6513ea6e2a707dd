// Character classes as macros and as functions, over all characters.
// expect-output: isalnum 3351256416 1
// expect-output: isalpha 3091555520 1
// expect-output: isblank 2748945696 1
// expect-output: iscntrl 597635585 1
// expect-output: isdigit 259700896 1
// expect-output: isgraph 3299671584 1
// expect-output: islower 1087599200 1
// expect-output: isprint 1695667711 1
// expect-output: ispunct 4243382464 1
// expect-output: isspace 4067261792 1
// expect-output: isupper 2003956320 1
// expect-output: isxdigit 3633430496 1
// expect-output: tolower 549416063 toupper 403887231
// levels: -O0 -O2
#include <ctype.h>
#include <stdio.h>

#define SUM(name)                                                                                                      \
    do {                                                                                                               \
        int (*function)(int) = name;                                                                                   \
        unsigned macro_sum = 0, function_sum = 0;                                                                      \
        for (int c = -1; c < 256; c++) {                                                                               \
            macro_sum = macro_sum * 31 + (name(c) != 0);                                                               \
            function_sum = function_sum * 31 + (function(c) != 0);                                                     \
        }                                                                                                              \
        printf(#name " %u %d\n", macro_sum, macro_sum == function_sum);                                                \
    } while (0)

int main(void) {
    SUM(isalnum);
    SUM(isalpha);
    SUM(isblank);
    SUM(iscntrl);
    SUM(isdigit);
    SUM(isgraph);
    SUM(islower);
    SUM(isprint);
    SUM(ispunct);
    SUM(isspace);
    SUM(isupper);
    SUM(isxdigit);
    unsigned lower = 0, upper = 0;
    for (int c = -1; c < 256; c++) {
        lower = lower * 31 + (unsigned)tolower(c);
        upper = upper * 31 + (unsigned)toupper(c);
    }
    printf("tolower %u toupper %u\n", lower, upper);
    return 0;
}
