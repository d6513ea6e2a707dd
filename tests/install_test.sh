#!/usr/bin/env bash
# `cmake --install` gives a tree that works wherever it is moved, without the build tree's files.
set -euo pipefail
source_root=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >"$work/log"
mv "$work/first" "$work/second"
for file in bin/heddle share/heddle/runtime.bc share/heddle/include/heddle/heddle.h; do
    [[ -f $work/second/$file ]] || { echo "not installed: $file" && exit 1; }
done
links=$(find "$work/second" -type l)
[[ -z $links ]] || { echo "links in the installation: $links" && exit 1; }

cd "$work"
"$work/second/bin/heddle" --version
"$work/second/bin/heddle" run "$source_root/examples/hello_threads.c" >output
diff - output <<'EOF'
hello from thread 1
hello from thread 2
hello from thread 3
3 threads counted to 300
EOF

# It uses its own runtime, and says so when that is gone.
rm "$work/second/share/heddle/runtime.bc"
if "$work/second/bin/heddle" run "$source_root/examples/hello_threads.c" >output 2>&1; then
    echo "it ran without its runtime.bc" && exit 1
fi
grep -q runtime.bc output || { echo "no word about runtime.bc:" && cat output && exit 1; }
