// offsetof, container_of, intrusive lists.
// levels: -O0 -O1 -O2
// expect-output: a:3 :2 d:9 7.75
// expect-output: 8 16 32 40
#include <stddef.h>
#include <stdio.h>

#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))

struct link {
    struct link *prev, *next;
};

struct item {
    char name[3];
    double weight;
    struct link link;
    int rank;
};

static void append(struct link *head, struct link *l) {
    l->prev = head->prev;
    l->next = head;
    head->prev->next = l;
    head->prev = l;
}

int main(void) {
    struct link head = {&head, &head};
    struct item items[4] = {
        {.name = "a", .weight = 1.5, .rank = 3}, {.name = "bb", .rank = 1}, {.weight = 2.25, .rank = 2}, {"d", 4, {0, 0}, 9}};
    for (int i = 0; i < 4; i++) {
        append(&head, &items[i].link);
    }
    items[1].link.prev->next = items[1].link.next;
    items[1].link.next->prev = items[1].link.prev;
    double sum = 0;
    for (struct link *l = head.next; l != &head; l = l->next) {
        struct item *i = container_of(l, struct item, link);
        printf("%s:%d ", i->name, i->rank);
        sum += i->weight;
    }
    printf("%g\n", sum);
    printf("%zu %zu %zu %zu\n", offsetof(struct item, weight), offsetof(struct item, link), offsetof(struct item, rank), sizeof(struct item));
    return 0;
}
