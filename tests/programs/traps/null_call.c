// expect-exit: 1
// expect-error: null-dereference: call through a null pointer
// expect-error:   at null_call.c:7:
static int (*handler)(int);

int main(void) {
    return handler(3);
}
