// printf: strings, characters, pointers, %n, and the functions that write to memory.
// expect-output: [abc] [     abc] [abc     ] [ab] [      ab] [ab      ] []
// expect-output: [x] [  y] [z  ]
// expect-output: [(nil)] [     (nil)] 1
// expect-output: [(null)] [    (null)]
// expect-output: 1234567
// expect-output: 5
// expect-output: 7 7-seven
// expect-output: 9 trun
// expect-output: 6
// expect-output: 3 abc
// expect-output: twice 2
// expect-output: twice 2
// expect-output: 8 asprintf
// expect-output: 1500 1500  1
// expect-output:                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     wide|
// expect-output: Resource temporarily unavailable
// levels: -O0 -O2
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int to_memory(char *to, size_t n, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int result = vsnprintf(to, n, format, arguments);
    va_end(arguments);
    return result;
}

static void to_stdout(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    va_start(arguments, format);
    vfprintf(stdout, format, arguments);
    va_end(arguments);
}

int main(void) {
    printf("[%s] [%8s] [%-8s] [%.2s] [%8.2s] [%-8.2s] [%.0s]\n", "abc", "abc", "abc", "abc", "abc", "abc", "abc");
    printf("[%c] [%3c] [%-3c]\n", 'x', 'y', 'z');
    printf("[%p] [%10p] %d\n", (void *)0, (void *)0, (void *)main != NULL);
    printf("[%s] [%10s]\n", (char *)NULL, (char *)NULL);
    int count = 0;
    printf("12345%n67\n", &count);
    printf("%d\n", count);

    char buffer[16];
    printf("%d", sprintf(buffer, "%d-%s", 7, "seven"));
    printf(" %s\n", buffer);
    printf("%d", snprintf(buffer, 5, "%s", "truncated"));
    printf(" %s\n", buffer);
    printf("%d\n", snprintf(NULL, 0, "%d", 123456));
    printf("%d", to_memory(buffer, sizeof buffer, "%x", 0xabc));
    printf(" %s\n", buffer);
    to_stdout("%s %d\n", "twice", 2);
    char *made;
    printf("%d", asprintf(&made, "%s%s", "as", "printf"));
    printf(" %s\n", made);
    free(made);
    char large[2000];
    printf("%d", snprintf(large, sizeof large, "%1500d", 1));
    printf(" %zu %c%c\n", strlen(large), large[1498], large[1499]);
    printf("%520s|\n", "wide");
    errno = EAGAIN;
    printf("%m\n");
    return 0;
}
