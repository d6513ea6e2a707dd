// Copying and filling: string.h and strings.h.
// expect-output: memcpy:abcdef######
// expect-output: memmove up:ababcdef####
// expect-output: memmove down:bcdef#ef####
// expect-output: mempcpy 3
// expect-output: memccpy 3
// expect-output: memccpy none 1
// expect-output: bzero:000lo#ef####
// expect-output: explicit_bzero:000lo#00####
// expect-output: bcopy:12345#00####
// expect-output: strcpy one
// expect-output: stpcpy 4
// expect-output: strncpy pads:abc000######
// expect-output: strncpy cuts:abcd00######
// expect-output: stpncpy 2 5
// expect-output: strcat abcd
// expect-output: strncat abcdef
// expect-output: strlen 0 1 6
// expect-output: strnlen 3 5
// expect-output: strxfrm 4 sort
// levels: -O0 -O2
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void show(const char *what, const char *bytes, int n) {
    printf("%s:", what);
    for (int i = 0; i < n; i++) {
        printf(bytes[i] == '\0' ? "0" : bytes[i] == '#' ? "#" : "%c", bytes[i]);
    }
    printf("\n");
}

int main(void) {
    char b[12];
    memset(b, '#', sizeof b);
    memcpy(b, "abcdef", 6);
    show("memcpy", b, 12);
    memmove(b + 2, b, 6);
    show("memmove up", b, 12);
    memmove(b, b + 3, 6);
    show("memmove down", b, 12);
    printf("mempcpy %d\n", (int)((char *)mempcpy(b, "xyz", 3) - b));
    printf("memccpy %d\n", (int)((char *)memccpy(b, "hello", 'l', 5) - b));
    printf("memccpy none %d\n", memccpy(b, "hello", 'q', 5) == NULL);
    bzero(b, 3);
    show("bzero", b, 12);
    explicit_bzero(b + 6, 2);
    show("explicit_bzero", b, 12);
    bcopy("12345", b, 5);
    show("bcopy", b, 12);

    memset(b, '#', sizeof b);
    printf("strcpy %s\n", strcpy(b, "one"));
    printf("stpcpy %d\n", (int)(stpcpy(b, "four") - b));
    memset(b, '#', sizeof b);
    strncpy(b, "abc", 6);
    show("strncpy pads", b, 12);
    strncpy(b, "abcdefgh", 4);
    show("strncpy cuts", b, 12);
    printf("stpncpy %d %d\n", (int)(stpncpy(b, "ab", 5) - b), (int)(stpncpy(b, "abcdefgh", 5) - b));
    strcpy(b, "ab");
    printf("strcat %s\n", strcat(b, "cd"));
    printf("strncat %s\n", strncat(b, "efgh", 2));
    printf("strlen %zu %zu %zu\n", strlen(""), strlen("a"), strlen(b));
    printf("strnlen %zu %zu\n", strnlen("hello", 3), strnlen("hello", 30));
    printf("strxfrm %zu %s\n", strxfrm(b, "sort", sizeof b), b);
    return 0;
}
