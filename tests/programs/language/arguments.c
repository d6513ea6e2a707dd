// argc and argv as given.
// options: --arg a --arg "b c" --arg "" --arg -x --arg 7
// levels: -O0 -O2
// expect-output: 6
// expect-output: [a] 1
// expect-output: [b c] 3
// expect-output: [] 0
// expect-output: [-x] 2
// expect-output: [7] 1
// expect-output: 1 42
// expect-output: z
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    printf("%d\n", argc);
    for (int i = 1; i < argc; i++) {
        printf("[%s] %zu\n", argv[i], strlen(argv[i]));
    }
    printf("%d %d\n", argv[argc] == NULL, atoi(argv[5]) * 6);
    argv[1][0] = 'z';
    printf("%s\n", argv[1]);
    return 0;
}
