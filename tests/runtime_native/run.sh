#!/usr/bin/env bash
# tests/runtime_native/run.sh [N]: the parts of the runtime library that are plain C (strings, printf, strtod, random, ...) against the C
# library of this machine, on N random inputs of each sort. They are compiled natively with every name prefixed by h_, so that both
# libraries fit into one program.
set -euo pipefail
cd "${BASH_SOURCE[0]%/*}/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objects=()
for part in ctype printf printf_float random stdio stdlib start string string_search strtod strtol memory; do
    # memcpy and its like are what natively compiled builtins call: the library's own go out of the way.
    clang-19 -std=gnu17 -O1 -g -fno-builtin -fsanitize=undefined -fsanitize-trap=undefined -Dmemcpy=own_memcpy -Dmemmove=own_memmove \
        -Dmemset=own_memset -c "runtime/$part.c" -o "$work/$part.o"
    objcopy --prefix-symbols=h_ "$work/$part.o"
    objects+=("$work/$part.o")
done
clang-19 -std=gnu17 -O1 -g -fno-builtin -Wall -Wextra -Werror -Wno-format-nonliteral -Wno-format-security -c tests/runtime_native/differential.c \
    -o "$work/differential.o"
clang-19 -o "$work/differential" "$work/differential.o" "${objects[@]}" -lm
"$work/differential" "${1:-20000}"
