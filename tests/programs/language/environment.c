// main with three parameters; argv[0] is the file's name.
// levels: -O0 -O2
// expect-output: 1 1 1
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv, char **environment) {
    printf("%d %d %d\n", argc, strstr(argv[0], "environment") != NULL, environment != NULL);
    return 0;
}
