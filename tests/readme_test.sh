#!/usr/bin/env bash
# What README.md shows is what the user sees: every "$ ./heddle ..." in it is run, and must print what stands below it.
#
#   tests/readme_test.sh SOURCE_ROOT HEDDLE_BINARY
set -euo pipefail
cd "$1"
heddle=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shown=0
while IFS= read -r command; do
    # The lines from the command to the next empty one, without their indentation.
    awk -v command="    \$ ./heddle $command" '$0 == command { on = 1; next } on && $0 == "" { exit } on { sub(/^    /, ""); print }' README.md >"$work/expected"
    # shellcheck disable=SC2086 # several arguments are meant
    "$heddle" $command >"$work/seen" 2>&1 || true
    diff "$work/expected" "$work/seen" || { echo "README.md shows something else for: ./heddle $command" && exit 1; }
    shown=$((shown + 1))
done < <(sed -n 's/^    \$ \.\/heddle //p' README.md)
((shown > 0)) || { echo "README.md shows no command" && exit 1; }
echo "$shown commands of README.md print what it shows"
