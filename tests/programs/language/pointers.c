// Differences, comparisons, arithmetic, arrays of arrays, pointers to pointers.
// levels: -O0 -O1 -O2
// expect-output: 18 3 21 36
// expect-output: 1 1 1
// expect-output: 10 42
// expect-output: 52 18 16
// expect-output: 72
// expect-output: zero n wo
// expect-output: 1@2 2@1 3@0 4@4 5@3 6@2 8@4 9@3 10@1 9
// expect-output: 99 14
// expect-output: 34 0
// expect-output: 2
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int grid[5][7];
static char bytes[64];

struct node {
    int key;
    struct node *left, *right;
};

static void insert(struct node **at, struct node *n) {
    while (*at) {
        at = n->key < (*at)->key ? &(*at)->left : &(*at)->right;
    }
    *at = n;
}

static int walk(const struct node *n, int depth) {
    if (!n) {
        return 0;
    }
    int left = walk(n->left, depth + 1);
    printf("%d@%d ", n->key, depth);
    return left + 1 + walk(n->right, depth + 1);
}

int main(void) {
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 7; j++) {
            grid[i][j] = i * 10 + j;
        }
    }
    int *p = &grid[1][3], *q = &grid[4][0];
    int(*row)[7] = &grid[2];
    printf("%td %td %d %d\n", q - p, &grid[5] - row, (*row)[1], row[1][6]);
    printf("%d %d %d\n", p < q, p == &grid[0][0] + 10, q - 7 >= p);
    printf("%d %d\n", p[-3], *(q + 2));
    char *c = bytes + 10;
    short *s = (short *)(void *)c;
    *s = 0x1234;
    printf("%d %d %td\n", c[0], c[1], (char *)(s + 3) - bytes);
    printf("%td\n", (char *)q - (char *)p);
    const char *const words[] = {"zero", "one", "two"};
    const char *const *w = words;
    printf("%s %c %s\n", *w, (*++w)[1], w[1] + 1);
    struct node nodes[9];
    struct node *root = NULL;
    for (int i = 0; i < 9; i++) {
        nodes[i] = (struct node){(i * 7 + 3) % 11, NULL, NULL};
        insert(&root, &nodes[i]);
    }
    printf("%d\n", walk(root, 0));
    void *v = p;
    int **pp = &p;
    **pp = 99;
    pp[0]++;
    printf("%d %d\n", *(int *)v, *p);
    uintptr_t n = (uintptr_t)q;
    n -= 3 * sizeof(int);
    printf("%d %d\n", *(int *)n, (int)((uintptr_t)bytes % 1));
    printf("%d\n", ((uintptr_t)malloc != 0) + (p != NULL));
    return 0;
}
