// Structs of many kilobytes, by value and assigned; arrays of them; nested functions tables in them.
// levels: -O0 -O2
// expect-output: 8 13 36
// expect-output: 77 2 2
// expect-output: 5 0
#include <stdio.h>
#include <string.h>

struct page {
    int id;
    char bytes[5000];
    struct {
        short a[100];
    } inner[3];
};

static struct page make(int id) {
    struct page p;
    memset(&p, id, sizeof p);
    p.id = id;
    p.inner[2].a[99] = (short)(id * 3);
    return p;
}

static int look(struct page p, int i) {
    p.bytes[0]++;
    return p.bytes[i] + p.inner[2].a[99];
}

static struct page pages[3];

int main(void) {
    for (int i = 0; i < 3; i++) {
        pages[i] = make(i + 1);
    }
    struct page local = pages[1];
    local.id = 77;
    pages[0] = local;
    printf("%d %d %d\n", look(pages[0], 4999), look(pages[2], 0), look(make(9), 1));
    printf("%d %d %d\n", pages[0].id, pages[1].id, local.bytes[0]);
    struct page both[2] = {local, make(5)};
    both[0] = both[1];
    printf("%d %d\n", both[0].id, memcmp(&both[0], &both[1], sizeof both[0]));
    return 0;
}
