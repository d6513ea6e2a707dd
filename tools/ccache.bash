# Sourced by what builds, with root set: how ccache is used, where it is installed (CMake picks it up then).
# It is a help where it can keep its files, and must not be in the way elsewhere.
[[ -w ${CCACHE_DIR:-${HOME:-}} ]] || export CCACHE_DISABLE=1
# What was compiled in one checkout serves the others: clones, worktrees, what CI checks out.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
