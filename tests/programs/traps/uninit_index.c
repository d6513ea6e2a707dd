// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides an address
// expect-error:   at uninit_index.c:9:
static int table[10];

int main(void) {
    int i;
    int *p = &i;
    return table[*p & 3];
}
