// expect-output: fine
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    free(NULL);
    char *p = realloc(NULL, 3);
    free(p);
    puts("fine");
    return 0;
}
