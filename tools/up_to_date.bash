# up_to_date ROOT PRESET: is the program in ROOT/build/PRESET built from the sources as they are? Sourced by heddle and tools/build.
#
# The stamp is the moment the last build began and says where the tree stood then. Nothing that the program is made of may be
# newer; a removed file makes its folder newer.
up_to_date() {
    local tree=$1/build/$2 built_at
    [[ -x $tree/bin/heddle && -f $tree/share/heddle/runtime.bc && -f $tree/stamp ]] || return
    read -r built_at <"$tree/stamp" && [[ $built_at == "$1" ]] || return
    [[ -z $(find "$1"/{src,runtime,include,cmake,CMakeLists.txt,CMakePresets.json} -newer "$tree/stamp" -print -quit 2>&1) ]]
}
