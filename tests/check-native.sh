#!/usr/bin/env bash
# tests/check-native.sh: are the outputs that the programs under tests/programs/runtime expect those of the real C library? Compiles and runs
# each natively and compares. Left out are the programs that must fail under Heddle and those whose values are Heddle's own (marked by
# the comment "// native: no").
set -uo pipefail
cd "${BASH_SOURCE[0]%/*}/programs/runtime"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
directive() { sed -n "s|^// $1: \{0,1\}||p" "$2"; }
for file in *.c; do
    exit_code=$(directive expect-exit "$file")
    if [[ -n $(directive expect-error "$file") && ${exit_code:-0} != 0 ]] || grep -q '^// native: no' "$file"; then
        continue
    fi
    levels=$(directive levels "$file")
    for level in ${levels:--O0}; do
        # shellcheck disable=SC2046
        clang-19 -I ../../../include "$level" $(directive cflags "$file") -w -pthread "$file" -o "$work/program" -lm || exit 2
        "$work/program" >"$work/output" 2>"$work/error"
        status=$?
        if [[ $status != "${exit_code:-0}" ]] || ! diff <(directive expect-output "$file") "$work/output"; then
            echo "$file $level: differs natively (exit code $status)"
            failed=1
        fi
    done
done
exit $failed
