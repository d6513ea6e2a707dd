// Searching in strings and memory.
// expect-output: memchr 5 -1
// expect-output: memrchr 20
// expect-output: rawmemchr 8
// expect-output: memmem 8 -1
// expect-output: strchr 4 -1 22
// expect-output: strchrnul 22
// expect-output: strrchr 21 -1
// expect-output: index 0 rindex 21
// expect-output: strstr 15 0 -1
// expect-output: strcasestr 8
// expect-output: strspn 4 strcspn 12
// expect-output: strpbrk 13 -1
// levels: -O0 -O2
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char text[] = "the cat sat on the mat";

static int at(const void *found) { return found == NULL ? -1 : (int)((const char *)found - text); }

int main(void) {
    printf("memchr %d %d\n", at(memchr(text, 'a', sizeof text)), at(memchr(text, 'z', sizeof text)));
    printf("memrchr %d\n", at(memrchr(text, 'a', sizeof text)));
    printf("rawmemchr %d\n", at(rawmemchr(text, 's')));
    printf("memmem %d %d\n", at(memmem(text, sizeof text, "sat", 3)), at(memmem(text, sizeof text, "dog", 3)));
    printf("strchr %d %d %d\n", at(strchr(text, 'c')), at(strchr(text, 'q')), at(strchr(text, '\0')));
    printf("strchrnul %d\n", at(strchrnul(text, 'q')));
    printf("strrchr %d %d\n", at(strrchr(text, 't')), at(strrchr(text, 'q')));
    printf("index %d rindex %d\n", at(index(text, 't')), at(rindex(text, 't')));
    printf("strstr %d %d %d\n", at(strstr(text, "the m")), at(strstr(text, "")), at(strstr(text, "mats")));
    printf("strcasestr %d\n", at(strcasestr(text, "SAT")));
    printf("strspn %zu strcspn %zu\n", strspn(text, "eht "), strcspn(text, "xyzo"));
    printf("strpbrk %d %d\n", at(strpbrk(text, "mn")), at(strpbrk(text, "xyz")));
    return 0;
}
