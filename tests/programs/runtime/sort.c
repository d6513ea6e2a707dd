// qsort, qsort_r and bsearch: also the order of equal elements and of the comparisons is glibc's.
// expect-output: 1b 1e 2d 3a 3c 
// expect-output: sorted 1 with 220 comparisons
// expect-output: descending 1
// expect-output: bsearch 1 1
// expect-output: apple fig pear
// levels: -O0 -O2
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
    int key;
    char tag;
};

static int by_key(const void *a, const void *b) { return ((const struct item *)a)->key - ((const struct item *)b)->key; }

static int comparisons;
static int counting(const void *a, const void *b) {
    comparisons++;
    return *(const int *)a - *(const int *)b;
}

static int directed(const void *a, const void *b, void *direction) {
    return *(int *)direction * (*(const int *)a - *(const int *)b);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

int main(void) {
    struct item items[] = {{3, 'a'}, {1, 'b'}, {3, 'c'}, {2, 'd'}, {1, 'e'}};
    qsort(items, 5, sizeof items[0], by_key);
    for (int i = 0; i < 5; i++) {
        printf("%d%c ", items[i].key, items[i].tag);
    }
    printf("\n");
    int numbers[50];
    unsigned x = 12345;
    for (int i = 0; i < 50; i++) {
        x = x * 1103515245u + 12345u;
        numbers[i] = (int)(x >> 16) % 100;
    }
    qsort(numbers, 50, sizeof numbers[0], counting);
    int sorted = 1;
    for (int i = 1; i < 50; i++) {
        sorted &= numbers[i - 1] <= numbers[i];
    }
    printf("sorted %d with %d comparisons\n", sorted, comparisons);
    int direction = -1;
    qsort_r(numbers, 50, sizeof numbers[0], directed, &direction);
    printf("descending %d\n", numbers[0] >= numbers[49]);
    qsort(numbers, 50, sizeof numbers[0], counting);
    int key = numbers[20], missing = 1000;
    int *found = bsearch(&key, numbers, 50, sizeof numbers[0], counting);
    printf("bsearch %d %d\n", *found == key, bsearch(&missing, numbers, 50, sizeof numbers[0], counting) == NULL);
    const char *words[] = {"pear", "apple", "fig"};
    qsort(words, 3, sizeof words[0], by_text);
    printf("%s %s %s\n", words[0], words[1], words[2]);
    qsort(numbers, 0, sizeof numbers[0], counting);
    return 0;
}
