// An undefined function reached through a pointer.
// expect-exit: 5
// expect-error: unsupported:
// expect-error: launch_rocket
// expect-error: unsupported_function_pointer.c:
extern int launch_rocket(int thrust);

int main(void) {
    int (*volatile f)(int) = launch_rocket;
    return f(3);
}
