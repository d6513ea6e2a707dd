// Programs compiled with _FORTIFY_SOURCE call other names.
// expect-output: xxxxxx-catmo xxxxxx-catmo
// expect-output: 5!
// expect-output: 5 5!
// cflags: -D_FORTIFY_SOURCE=2
// levels: -O2
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static volatile int n = 5;

static void shown(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

int main(void) {
    char a[32], b[32];
    memset(a, 'x', (size_t)n);
    a[n] = '\0';
    memcpy(b, a, (size_t)n + 1);
    memmove(b + 1, b, (size_t)n + 1);
    strcpy(a, b);
    strcat(a, "-cat");
    strncat(a, "more", (size_t)n - 3);
    strncpy(b, a, sizeof b - 1);
    printf("%s %s\n", a, b);
    sprintf(b, "%d", n);
    snprintf(a, sizeof a, "%s!", b);
    fprintf(stdout, "%s\n", a);
    shown("%d %s\n", n, a);
    return 0;
}
