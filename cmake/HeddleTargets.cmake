# heddle_library(NAME DEPENDS ...): the static library of the folder it is called in, made of all its .cpp files.
# DEPENDS are PUBLIC: a layer's headers speak of the layers below it. A folder without .cpp files is an interface library.
function(heddle_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPENDS")
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_link_libraries(${name} PUBLIC heddle_compiler ${arg_DEPENDS})
    heddle_profile_library(${name})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE heddle_compiler ${arg_DEPENDS})
  endif()
endfunction()

# heddle_gtest(NAME SHARDS n SOURCES ... DEPENDS ... [RUNS_HEDDLE]): a GoogleTest executable, run by ctest in n parts
# "NAME.1" .. "NAME.n" that a parallel run can balance. (One ctest test per case would start a process per case.)
# RUNS_HEDDLE: the tests start the heddle binary; tests/paths.hpp says where it is.
function(heddle_gtest name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "RUNS_HEDDLE" "SHARDS" "SOURCES;DEPENDS")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE heddle_test_paths)
  target_link_libraries(${name} PRIVATE heddle_compiler ${arg_DEPENDS} GTest::gmock GTest::gtest_main)
  if(arg_RUNS_HEDDLE)
    add_dependencies(${name} heddle heddle_runtime)
  endif()
  set(environment HEDDLE_BINARY=${HEDDLE_BINARY} ${HEDDLE_SANITIZER_ENVIRONMENT})
  foreach(shard RANGE 1 ${arg_SHARDS})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${name}.${shard} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name}.${shard} PROPERTIES
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${index};${environment}"
      TIMEOUT 1500)
  endforeach()
endfunction()
