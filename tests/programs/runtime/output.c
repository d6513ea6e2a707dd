// The rest of the output functions.
// expect-output: puts
// expect-output: fputs
// expect-output: pcfu
// expect-output: fwrite
// expect-output: 7
// expect-output: abcdef2
// expect-output: 0
// expect-output: fprintf 1
// expect-output: dprintf 2
// expect-output: write
// expect-output: 1 2 0 0
// expect-error: to stderr 5
// expect-error: about: Invalid argument
// levels: -O0 -O2
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    puts("puts");
    fputs("fputs\n", stdout);
    putchar('p');
    putc('c', stdout);
    fputc('f', stdout);
    putchar_unlocked('u');
    putc_unlocked('\n', stdout);
    printf("%zu\n", fwrite("fwrite\n", 1, 7, stdout));
    printf("%zu\n", fwrite("abcdef", 3, 2, stdout));
    printf("%zu\n", fwrite("", 0, 5, stdout));
    fflush(stdout);
    fprintf(stdout, "fprintf %d\n", 1);
    fflush(stdout);
    dprintf(1, "dprintf %d\n", 2);
    if (write(1, "write\n", 6) != 6) {
        return 1;
    }
    fprintf(stderr, "to stderr %d\n", 5);
    errno = EINVAL;
    perror("about");
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("%d %d %d %d\n", fileno(stdout), fileno(stderr), ferror(stdout), feof(stdout));
    return 0;
}
