# 1 "original.c"
int main(void) { return 6; }
