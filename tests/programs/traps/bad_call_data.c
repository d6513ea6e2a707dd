// expect-exit: 1
// expect-error: bad-call: call through a pointer that is not a function's
// expect-error:   at bad_call_data.c:9:
static int data[4];

int main(void) {
    data[0] = 1;
    int (*volatile f)(void) = (int (*)(void))data;
    return f();
}
