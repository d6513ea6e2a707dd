// Wide strings are not supported, and printf says so.
// expect-exit: 5
// expect-error: printf: wide strings (%ls) are not supported
#include <stdio.h>
#include <wchar.h>

int main(void) {
    printf("%ls\n", L"wide");
    return 0;
}
