// Global initialisers that hold addresses: of variables, of their parts, of functions, of each other, with offsets.
// levels: -O0 -O1 -O2
// expect-output: 5 5
// expect-output: 2 ond 3 1
// expect-output: 8 12 3
// expect-output: 1 5
// expect-output: zero ne o
// expect-output: 2 6 7
// expect-output: 9
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct node {
    int value;
    struct node *next;
    const char *name;
};

extern struct node third;
static int numbers[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static int *middle = &numbers[5];
static int *end = numbers + 10;
static struct node first = {1, &(struct node){2, &third, "second" + 3}, "first"};
struct node third = {3, &first, NULL};
static int twice(int v) { return v * 2; }
static int thrice(int v) { return v * 3; }
static int (*const functions[])(int) = {twice, thrice, twice};
static struct {
    int (**list)(int);
    ptrdiff_t size;
} table = {(int (**)(int))functions + 1, sizeof functions / sizeof *functions};
static void *self = &self;
static const char *const texts[] = {"zero", "one" + 1, &"two"[2]};
static int **indirect = &middle;
static uintptr_t as_number = (uintptr_t)&numbers[2];
static char *bytes = (char *)&numbers[1] + 2;
const int *const constant_pointer = &numbers[7];

int main(void) {
    printf("%d %td\n", *middle, end - middle);
    printf("%d %s %d %d\n", first.next->value, first.next->name, first.next->next->value, first.next->next->next == &first);
    printf("%d %d %td\n", functions[0](4), table.list[0](4), table.size);
    printf("%d %d\n", self == &self, **indirect);
    printf("%s %s %s\n", texts[0], texts[1], texts[2]);
    printf("%d %td %d\n", *(int *)as_number, bytes - (char *)numbers, *constant_pointer);
    *indirect = end - 1;
    printf("%d\n", *middle);
    return 0;
}
