// Only eight bits of it.
// expect-exit: 5
int main(void) {
    return 256 + 5;
}
