// A program's own reach_error that comes back is the error all the same.
// expect-exit: 1
// expect-error: reach_error() reached
void reach_error() {}

int main(void) { reach_error(); }
