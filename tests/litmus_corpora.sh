#!/usr/bin/env bash
# Every recorded corpus of litmus tests that is there, against its records: verdict, final states, number of executions.
#
#   litmus_corpora.sh HEDDLE CORPORA [NAME...]     NAME: ppc-power, x86-tso, ...: only these
#
# CORPORA has a folder of tests for each architecture, and ARCH-MODEL.jsonl files. Tests that are known to differ, each with its reason, are in
# litmus_differences.txt beside this script; one that is there and does not differ is an error too. Exits with 77 (skipped) when there are no corpora.
set -u
heddle=$1
corpora=$2
shift 2
[ -d "$corpora" ] || { echo "no corpora in $corpora"; exit 77; }
known=$(dirname "$0")/litmus_differences.txt
wrong=0
for records in "$corpora"/*.jsonl; do
    name=$(basename "$records" .jsonl)
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then
        continue
    fi
    model=${name##*-}
    [ "$name" = c-rc11 ] && model=rc11-c11 # release sequences as herd's rc11 has them
    out=$("$heddle" litmus "$corpora/${name%-*}" --model "$model" --expect "$records" -q 2>&1)
    code=$?
    echo "$name: $(echo "$out" | tail -n 2 | paste -sd ' ')"
    case $code in
    0 | 1 | 5) ;;
    *) echo "  exit code $code"; wrong=1 ;;
    esac
    # What differs or is not supported, as "ppc-power FILE".
    differ=$(echo "$out" | grep -v '^[0-9]* of [0-9]* agree$\|^[0-9]* tests\?: ' |
        sed -n "s|^\(heddle: \)\?$corpora/\([^:]*\.litmus\).*|$name \2|p" | sort -u)
    expected=$(grep "^$name " "$known" | awk '{ print $1, $2 }' | sort -u)
    unexpected=$(comm -23 <(echo "$differ") <(echo "$expected") | grep .)
    gone=$(comm -13 <(echo "$differ") <(echo "$expected") | grep .)
    if [ -n "$unexpected" ]; then
        wrong=1
        echo "  differ, and are not in $(basename "$known"):"
        while read -r _ file; do
            echo "$out" | grep -F "/$file:" | sed 's/^/    /'
        done <<<"$unexpected" | head -n 30
    fi
    if [ -n "$gone" ]; then
        wrong=1
        echo "  are in $(basename "$known") and do not differ:"
        echo "$gone" | sed 's/^/    /'
    fi
done
exit $wrong
