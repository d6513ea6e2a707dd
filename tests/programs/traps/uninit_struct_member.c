// expect-exit: 1
// expect-error: uninitialized-read: an uninitialised value decides a branch
// expect-error:   at uninit_struct_member.c:19:
struct pair {
    int a, b;
};

static struct pair make(void) {
    struct pair p;
    p.a = 1;
    return p;
}

int main(void) {
    struct pair p = make();
    if (p.a != 1) {
        return 7;
    }
    if (p.b == 0) {
        return 8;
    }
    return 9;
}
