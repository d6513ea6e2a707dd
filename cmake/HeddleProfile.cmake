# The libraries in which the searches spend their time are compiled in the release build with a profile of how often what runs, and the heddle binary links them with
# link-time optimisation (docs/performance.md has what that gains). cmake/heddle.proftext is the profile; tools/profile writes it. A function that has changed since is
# compiled without, and that is no warning, so an old profile costs speed and nothing else. The tests link the same libraries as they are: their objects have code and bitcode.
set(HEDDLE_PROFILE "use" CACHE STRING "use, generate (for tools/profile) or off")
set(heddle_searching heddle_graph heddle_model heddle_search_dpor heddle_search_stateful heddle_search_value)

set(heddle_profile_compile "")
set(heddle_profile_link "")
if(HEDDLE_PROFILE STREQUAL "generate")
  set(heddle_profile_compile -fprofile-generate)
  set(heddle_profile_link -fprofile-generate)
elseif(HEDDLE_PROFILE STREQUAL "use" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(heddle_profile_text ${PROJECT_SOURCE_DIR}/cmake/heddle.proftext)
  set(heddle_profile_data ${PROJECT_BINARY_DIR}/heddle.profdata)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${heddle_profile_text})
  find_program(HEDDLE_PROFDATA llvm-profdata-19 REQUIRED)
  execute_process(COMMAND ${HEDDLE_PROFDATA} merge -o ${heddle_profile_data}.new ${heddle_profile_text} COMMAND_ERROR_IS_FATAL ANY)
  file(COPY_FILE ${heddle_profile_data}.new ${heddle_profile_data} ONLY_IF_DIFFERENT)
  set(heddle_profile_link -flto=thin -ffat-lto-objects)
  # By a name relative to the build tree, where Ninja runs the compiler: ccache then knows the objects of another checkout.
  set(heddle_profile_compile ${heddle_profile_link} -fprofile-use=heddle.profdata
    -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date -Wno-backend-plugin)
endif()

function(heddle_profile_library name)
  if(name IN_LIST heddle_searching)
    target_compile_options(${name} PRIVATE ${heddle_profile_compile})
    if(heddle_profile_data) # compiled again when the profile is another one
      get_target_property(sources ${name} SOURCES)
      set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS ${heddle_profile_data})
    endif()
  endif()
endfunction()

function(heddle_profile_program name)
  target_link_options(${name} PRIVATE ${heddle_profile_link})
endfunction()
