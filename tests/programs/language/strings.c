// Literals, wide and concatenated literals, escapes, arrays against pointers, a word count.
// levels: -O0 -O1 -O2
// expect-output: 7 6 6 5
// expect-output: 239 101
// expect-output: 11
// expect-output: ab def
// expect-output: 11125113111112411213211111
// expect-output: 7845
// expect-output: 0 0 abc
// expect-output: 1 fox jumps over the lazy dog; the end
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

static const char text[] = "the quick brown fox jumps over the lazy dog; the end";

static int words(const char *s) {
    int n = 0, in = 0;
    for (; *s; s++) {
        int alpha = isalpha((unsigned char)*s) != 0;
        n += alpha && !in;
        in = alpha;
    }
    return n;
}

int main(void) {
    char array[] = "abc" "def";
    const char *pointer = "\x41\102\t|\u00e9";
    wchar_t wide[] = L"w\u00efde";
    printf("%zu %zu %zu %zu\n", sizeof array, strlen(array), strlen(pointer), sizeof wide / sizeof *wide);
    printf("%d %d\n", (int)wide[1], "indexed"[3]);
    printf("%d\n", words(text));
    array[2] = '\0';
    printf("%s %s\n", array, array + 3);
    int counts[26] = {0};
    for (const char *p = text; *p; p++) {
        if (*p >= 'a' && *p <= 'z') {
            counts[*p - 'a']++;
        }
    }
    for (int i = 0; i < 26; i++) {
        printf("%d", counts[i]);
    }
    printf("\n");
    char copy[60];
    strcpy(copy, text);
    int n = 0;
    for (char *w = strtok(copy, " ;"); w; w = strtok(NULL, " ;")) {
        n = n * 2 + (int)strlen(w);
    }
    printf("%d\n", n);
    char partial[8] = "abc";
    char full[3] = "abc";
    printf("%d %d %.3s\n", partial[3], partial[7], full);
    printf("%d %s\n", strcmp("apple", "banana") < 0, strstr(text, "fox"));
    return 0;
}
