// Kept in a global variable, used when another call stands where the first one stood.
// expect-exit: 1
// expect-error: use-after-return: write of 4 bytes of a local variable whose function has returned
// expect-error:   at use_after_return_global.c:16:
static int *kept;

static void keep(void) {
    int local = 1;
    kept = &local;
    *kept = 2;
}

static int use(void) {
    int local = 3;
    int *mine = &local;
    *kept = 4;
    return *mine;
}

int main(void) {
    keep();
    return use();
}
