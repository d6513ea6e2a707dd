#!/usr/bin/env bash
# What README.md shows is what the user sees: every "$ ./heddle ..." in it is run, and must print what stands below it.
#
#   tests/readme_test.sh SOURCE_ROOT HEDDLE_BINARY
set -euo pipefail
cd "$1"
heddle=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
without_times='s/[0-9]*\.[0-9]* s$/N s/; s/^\(Time .*\) [0-9.]*$/\1 N/'
shown=0
while IFS= read -r command; do
    # What stands below the command, up to the next one or to the next paragraph, without its indentation.
    awk -v command="    \$ ./heddle $command" '
        $0 == command { on = 1; next }
        on && (/^[^ ]/ || /^    \$ /) { exit }
        on && $0 == "" { ++empty; next }
        on { for (; empty > 0; --empty) print ""; sub(/^    /, ""); print }' README.md | sed "$without_times" >"$work/expected"
    # shellcheck disable=SC2086 # several arguments are meant
    { "$heddle" $command 2>&1 || true; } | sed "$without_times" >"$work/seen"
    diff "$work/expected" "$work/seen" || { echo "README.md shows something else for: ./heddle $command" && exit 1; }
    shown=$((shown + 1))
done < <(sed -n 's/^    \$ \.\/heddle //p' README.md)
((shown > 0)) || { echo "README.md shows no command" && exit 1; }
echo "$shown commands of README.md print what it shows"
