// expect-exit: 2
// files: parts/broken.c
// expect-error: parts/broken.c:2:
// expect-error: error: expected
int main(void) {
    return 0;
}
