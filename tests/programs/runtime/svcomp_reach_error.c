// reach_error.
// expect-exit: 1
// expect-error: reach_error() reached
extern void reach_error(void);

int main(void) { reach_error(); }
