# The language, the warnings, the three build types and the tools around the compiler.
# Every target of ours gets all of it by linking heddle_compiler.

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON) # for clang-tidy and clangd

find_program(HEDDLE_CCACHE ccache)
if(HEDDLE_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${HEDDLE_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${HEDDLE_CCACHE})
endif()

# -g1 keeps the lines of a stack trace and a profile at a fraction of the size. Checks that guard soundness are HEDDLE_CHECKs
# and do not depend on NDEBUG.
# DWARF 4: what Debian 12's valgrind reads.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1 -gdwarf-4 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g -D_GLIBCXX_ASSERTIONS")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS")

add_library(heddle_compiler INTERFACE)
target_include_directories(heddle_compiler INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(heddle_compiler INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
# --as-needed: LLVM's targets name libraries (libxml2 with ICU, Z3) of which nothing is used; loading them costs start-up time.
target_link_options(heddle_compiler INTERFACE -fuse-ld=lld-19 LINKER:--as-needed,--gc-sections)
if(CMAKE_BUILD_TYPE STREQUAL "Sanitize")
  set(heddle_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_compile_options(heddle_compiler INTERFACE ${heddle_sanitizers})
  target_link_options(heddle_compiler INTERFACE ${heddle_sanitizers})
  # Heddle's own exit codes are 0 to 5 and 70: a sanitizer's must not look like one, or a test could take it for a verdict.
  set(HEDDLE_SANITIZER_ENVIRONMENT
    ASAN_OPTIONS=exitcode=99
    UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
    LSAN_OPTIONS=exitcode=99
    HEDDLE_RANDOM_PROGRAMS=15 # what is checked there is Heddle itself; the release build runs ten times as many
    ASAN_SYMBOLIZER_PATH=/usr/bin/llvm-symbolizer-19)
endif()
