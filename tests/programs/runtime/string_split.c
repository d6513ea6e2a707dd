// Splitting strings, also by two threads at once; duplicating them; error texts.
// expect-output: strtok_r a
// expect-output: strtok_r bc
// expect-output: strtok_r d
// expect-output: strtok 1
// expect-output: strtok 2
// expect-output: strtok 3
// expect-output: strtok end 1
// expect-output: other thread 2
// expect-output: strsep 'k'
// expect-output: strsep 'v'
// expect-output: strsep ''
// expect-output: strsep 'z'
// expect-output: strdup duplicate strndup dup
// expect-output: strerror Invalid argument, Cannot allocate memory, Success
// expect-output: strerror_r Device or resource busy
// levels: -O0 -O2
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *other(void *unused) {
    char text[] = "x y";
    long n = 0;
    for (char *t = strtok(text, " "); t != NULL; t = strtok(NULL, " ")) {
        n++;
    }
    return (void *)n;
}

int main(void) {
    char text[] = ",a,,bc,d,";
    char *rest;
    for (char *t = strtok_r(text, ",", &rest); t != NULL; t = strtok_r(NULL, ",", &rest)) {
        printf("strtok_r %s\n", t);
    }
    char again[] = "1 2-3";
    printf("strtok %s\n", strtok(again, " -"));
    printf("strtok %s\n", strtok(NULL, " -"));
    printf("strtok %s\n", strtok(NULL, " -"));
    printf("strtok end %d\n", strtok(NULL, " -") == NULL);
    pthread_t thread;
    void *tokens;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, &tokens);
    printf("other thread %ld\n", (long)tokens);
    char fields[] = "k=v;;z";
    char *at = fields;
    for (char *f; (f = strsep(&at, "=;")) != NULL;) {
        printf("strsep '%s'\n", f);
    }
    char *copy = strdup("duplicate");
    char *part = strndup("duplicate", 3);
    printf("strdup %s strndup %s\n", copy, part);
    free(copy);
    free(part);
    printf("strerror %s, %s, %s\n", strerror(EINVAL), strerror(ENOMEM), strerror(0));
    char buffer[40];
    printf("strerror_r %s\n", strerror_r(EBUSY, buffer, sizeof buffer));
    return 0;
}
