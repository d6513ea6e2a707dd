#!/usr/bin/env bash
# Random C programs (csmith) at several optimisation levels: Heddle must print and return what the natively compiled program does.
#
#   tests/csmith.sh [--heddle BINARY] [--levels "-O0 -O1 -O2"] [--keep DIR] FIRST_SEED COUNT
#
# A program that does not end natively within a second says nothing and is skipped; one on which Heddle needs more than a minute is counted as
# slow. Programs that differ are kept in DIR (default: /tmp/heddle-csmith) with the command to see it again. Exit code 1 if any differed.
set -u
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
heddle=$top/build/release/bin/heddle
levels="-O0 -O1 -O2"
keep=/tmp/heddle-csmith
while [[ ${1:-} == --* ]]; do
    case $1 in
    --heddle) heddle=$2 ;;
    --levels) levels=$2 ;;
    --keep) keep=$2 ;;
    *) echo "unknown option $1" >&2; exit 2 ;;
    esac
    shift 2
done
first=${1:?FIRST_SEED} count=${2:?COUNT}
[[ -n ${HEDDLE_LONG_TESTS:-} ]] && count=$((count * 20))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Features beyond csmith's defaults take turns, so that a range of seeds covers them all.
features() {
    case $(($1 % 5)) in
    0) echo --float ;;
    1) echo --builtins ;;
    2) echo --max-array-dim 4 --bitfields ;;
    3) echo --packed-struct --max-struct-fields 8 ;;
    4) echo ;;
    esac
}

# The three loops of the machine and its way of stopping at actions take turns too; results must not depend on them.
machine() {
    case $(($1 % 3))$2 in
    0-O1) echo --track-dependencies ;;
    1-O0 | 1-O2) echo --stepwise ;;
    2-O2) echo --track-dependencies --stepwise ;;
    esac
}

same=0 differ=0 skipped=0 slow=0
for ((seed = first; seed < first + count; ++seed)); do
    program=$work/csmith$seed.c
    # shellcheck disable=SC2046 # several options are meant
    # In the work folder, because csmith leaves a file "platform.info" where it is started.
    (cd "$work" && csmith --seed "$seed" $(features "$seed") --output "$program") >/dev/null 2>&1 || { echo "csmith failed on seed $seed" >&2; exit 2; }
    for level in $levels; do
        flags="$level -w -I/usr/include/csmith"
        # shellcheck disable=SC2086
        if ! clang-19 $flags "$program" -o "$work/native" -lm 2>"$work/error"; then
            skipped=$((skipped + 1))
            continue
        fi
        timeout 1 "$work/native" >"$work/expected" 2>/dev/null
        expected=$?
        if ((expected >= 124)); then
            skipped=$((skipped + 1))
            continue
        fi
        # shellcheck disable=SC2086
        "$heddle" run --timeout 60 $(machine "$seed" "$level") "$program" -- $flags >"$work/seen" 2>"$work/error"
        seen=$?
        if [[ $seen == 4 ]] && grep -q 'time limit' "$work/error"; then
            slow=$((slow + 1))
        elif [[ $seen == "$expected" ]] && cmp -s "$work/seen" "$work/expected"; then
            same=$((same + 1))
        else
            differ=$((differ + 1))
            mkdir -p "$keep"
            cp "$program" "$keep/"
            echo "seed $seed at $level differs: heddle run $keep/csmith$seed.c -- $flags"
            echo "  native: exit $expected, $(tail -n 1 "$work/expected")"
            echo "  heddle: exit $seen, $(tail -n 1 "$work/seen")"
            head -n 4 "$work/error" | sed 's/^/  /'
        fi
    done
done
echo "csmith seeds $first to $((first + count - 1)): $same same, $differ differ, $skipped skipped, $slow too slow"
# A handful of programs may all fail to end natively; more than that comparing nothing would be a broken test.
((differ == 0 && (same > 0 || count < 5)))
