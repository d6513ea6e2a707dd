#!/usr/bin/env bash
# Tests of ./heddle and tools/: the real scripts in a made-up tree, with stand-ins for apt-get, cmake and their like in PATH
# that write down how they were called. Nothing is installed or built.
set -euo pipefail
source_root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

check() { # check WHAT EXPECTED-PATTERN ACTUAL
    # shellcheck disable=SC2053 # the right side is a pattern on purpose
    if [[ $3 != $2 ]]; then
        printf 'FAILED: %s\n  expected: %s\n  got:      %s\n' "$1" "$2" "$3"
        failures=$((failures + 1))
    fi
}

stand_in() { # stand_in NAME, its script on stdin
    {
        printf '#!/bin/bash\n'
        cat
    } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# A tree with just enough in it, and stand-ins for a Debian machine that lacks clang-19 and cmake, used by root.
fresh() {
    rm -rf "${work:?}"/* && mkdir -p "$work/bin" "$work/tree"
    for name in src runtime include cmake; do mkdir "$work/tree/$name"; done
    touch "$work/tree/CMakeLists.txt" "$work/tree/CMakePresets.json" "$work/tree/src/a.cpp"
    cp -r "$source_root/heddle" "$source_root/tools" "$work/tree/"
    find "$work/tree" -exec touch -d '1 hour ago' {} +
    for tool in bash sh env cat chmod cp find flock grep id mkdir mv readlink dirname rm sed sleep tail touch; do
        ln -s "$(command -v $tool)" "$work/bin/$tool"
    done
    rm "$work/bin/id" && stand_in id <<<'echo 0'
    stand_in dpkg-query <<'EOF'
for package in "${@:4}"; do
    case $package in
    clang-19 | cmake) [[ -f $WORK/installed ]] && echo "installed $package" ;;
    *) echo "installed $package" ;;
    esac
done
exit 1
EOF
    stand_in apt-get <<'EOF'
echo "apt-get $*" >>"$WORK/calls"
[[ $* != *install* ]] || touch "$WORK/installed"
EOF
    stand_in cmake <<'EOF'
echo "cmake $*" >>"$WORK/calls"
tree=$WORK/tree/build/release
mkdir -p "$tree/bin" "$tree/share/heddle"
if [[ $1 == --preset ]]; then
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$WORK/tree" >"$tree/CMakeCache.txt" && touch "$tree/build.ninja"
else
    grep -q broken "$WORK/tree/src/a.cpp" && echo "a.cpp:1: error: broken" && exit 1
    sleep 0.2
    touch "$tree/share/heddle/runtime.bc"
    printf '#!/bin/bash\nprintf "ran in %%s:" "$PWD"; printf " [%%s]" "$@"; echo; exit 7\n' >"$tree/bin/heddle"
    chmod +x "$tree/bin/heddle"
fi
EOF
    : >"$work/calls"
}

run() { # run COMMAND...: sets out, err, code
    code=0
    out=$(WORK=$work PATH=$work/bin "$@" 2>"$work/err" </dev/null) || code=$?
    err=$(<"$work/err")
}

calls() { # what the stand-ins were asked since the last time
    cat "$work/calls"
    : >"$work/calls"
}

# A fresh machine, as root: installs what is missing, configures without tests, builds, runs.
fresh
cd /
run "$work/tree/heddle" run 'a file.c' '' --flag
check "first run: output" "ran in /: \[run\] \[a file.c\] \[\] \[--flag\]" "$out"
check "first run: exit code" 7 "$code"
check "first run: says what it does" \
    $'heddle: installing clang-19 cmake (once)\nheddle: building in build/release (once, *)' "$err"
check "first run: calls" "apt-get -qq update
apt-get -qq -y * install --no-install-recommends clang-19 cmake
cmake --preset release -DHEDDLE_TESTS=OFF
cmake --build build/release --target heddle heddle_runtime" "$(calls)"

# The second run asks nobody anything: not even dpkg-query, apt-get or cmake need to exist.
rm "$work"/bin/{dpkg-query,apt-get,cmake}
run "$work/tree/heddle" --version
check "second run: output" "ran in /: \[--version\]" "$out"
check "second run: silent" "" "$err"

# From another directory, through links (absolute, relative, chained), and found in PATH.
mkdir "$work/elsewhere" && cd "$work/elsewhere"
ln -s "$work/tree/heddle" absolute && ln -s ../tree/heddle relative && ln -s relative chained
for name in ./absolute ./relative ./chained ../tree/heddle; do
    run "$name" x
    check "as $name" "ran in $work/elsewhere: \[x\]" "$out"
done
ln -s "$work/tree/heddle" "$work/bin/heddle"
run heddle x
check "found in PATH" "ran in $work/elsewhere: \[x\]" "$out"
cd "$work/tree"
run bash heddle x
check "as an argument of bash" "ran in $work/tree: \[x\]" "$out"

# A changed source is built again (and only built); a removed one too.
fresh
run "$work/tree/heddle"
calls >/dev/null
touch "$work/tree/src/a.cpp"
run "$work/tree/heddle" y
check "changed source: output" "*\[y\]" "$out"
check "changed source: calls" "cmake --build build/release --target heddle heddle_runtime" "$(calls)"
touch "$work/tree/src/b.cpp"
run "$work/tree/heddle"
rm "$work/tree/src/b.cpp"
calls >/dev/null
run "$work/tree/heddle"
check "removed source: calls" "cmake --build*" "$(calls)"

# A failing build shows the compiler's words, keeps failing, and is not mistaken for a verdict.
echo broken >"$work/tree/src/a.cpp"
for attempt in first second; do
    run "$work/tree/heddle"
    check "$attempt failing build: code" 70 "$code"
    check "$attempt failing build: words" "*a.cpp:1: error: broken*the build failed; all of it is in $work/tree/build/setup.log" "$err"
    check "$attempt failing build: runs nothing" "" "$out"
done

# A failing installation shows apt-get's words.
fresh
stand_in apt-get <<<'echo "E: Unable to locate package clang-19"; exit 100'
run "$work/tree/heddle"
check "failing installation: code" 2 "$code"
check "failing installation: words" "*E: Unable to locate package clang-19*the installation failed*setup.log" "$err"

# Not root: through sudo when it asks for nothing, else the exact line to type.
fresh
stand_in id <<<'echo 1000'
stand_in sudo <<'EOF'
echo "sudo $*" >>"$WORK/calls"
[[ $1 == -n ]] && shift
"$@"
EOF
stand_in true </dev/null
run "$work/tree/heddle" z
check "sudo: output" "*\[z\]" "$out"
check "sudo: calls" "sudo -n true
sudo -n env DEBIAN_FRONTEND=noninteractive apt-get -qq update
*
sudo -n env DEBIAN_FRONTEND=noninteractive apt-get * clang-19 cmake
*" "$(calls)"
fresh
stand_in id <<<'echo 1000'
stand_in sudo <<<'exit 1'
run "$work/tree/heddle" z
check "sudo with a password: code" 2 "$code"
check "sudo with a password: the line" \
    "*    sudo sh -c \"apt-get update && apt-get install -y --no-install-recommends clang-19 cmake\"" "$err"
rm "$work/bin/sudo"
run "$work/tree/heddle" z
check "no sudo: code" 2 "$code"
check "no sudo: the line" \
    "*    su -c \"apt-get update && apt-get install -y --no-install-recommends clang-19 cmake\"" "$err"
check "no sudo: nothing done" "" "$(calls)"

# Not Debian: names the missing commands.
fresh
rm "$work"/bin/{apt-get,cmake}
run "$work/tree/heddle"
check "not Debian: code" 2 "$code"
check "not Debian: words" "*these commands are missing: clang-19 *cmake ninja*" "$err"

# A tree that was moved after it was built is built anew.
fresh
run "$work/tree/heddle"
calls >/dev/null
echo "CMAKE_HOME_DIRECTORY:INTERNAL=/old" >"$work/tree/build/release/CMakeCache.txt"
echo /old >"$work/tree/build/release/stamp"
run "$work/tree/heddle" moved
check "moved: output" "*\[moved\]" "$out"
check "moved: calls" "cmake --preset release*cmake --build*" "$(calls)"

# Several at once: one builds, the others wait for it, all run.
fresh
touch "$work/installed"
for i in 1 2 3 4; do
    WORK=$work PATH=$work/bin "$work/tree/heddle" "n$i" >"$work/out$i" 2>/dev/null </dev/null &
done
wait
for i in 1 2 3 4; do
    check "parallel: run $i" "*\[n$i\]" "$(<"$work/out$i")"
done
check "parallel: configured once" 1 "$(grep -c preset "$work/calls")"
check "parallel: built once" 1 "$(grep -c -e --build "$work/calls")"

((failures == 0)) && echo "the launcher does what it should"
exit $((failures > 0))
