# How tests are declared. Include it once, from the top-level CMakeLists.txt, after
# enable_testing(). All three functions do nothing when BUILD_TESTING is off.
#
#   tilewright_add_test(<name> SOURCES a.cpp ... [LINK libs ...] [TIMEOUT seconds])
#
# makes the GoogleTest program build/bin/<name>; each of its tests is one ctest entry called
# <name>.<suite>.<case>, so that `./dev test <name>` runs one program's tests. The tests are listed
# when ctest runs, not when the program links.
#
#   tilewright_add_lit_suite(<name> DIRECTORY dir [DEPENDS targets ...] [TIMEOUT seconds])
#
# makes one ctest entry that runs lit over `dir`. Its lit.cfg.py finds these parameters in
# `lit_config.params`: bin_dir (build/bin), llvm_bin_dir (FileCheck, not, split-file),
# exec_root (a folder to write into) and python (one that has NumPy).
#
#   tilewright_add_python_test(<name> SCRIPT file.py [ARGS ...] [TIMEOUT seconds])
#
# makes one ctest entry that runs a Python script, with NumPy, and passes when it exits with 0. The
# environment variable TILEWRIGHT_BIN_DIR names build/bin.

include_guard(GLOBAL)

set(TILEWRIGHT_BIN_DIR "${PROJECT_BINARY_DIR}/bin")

# The python3 that comes first in PATH may be one without NumPy (pyenv, a virtual environment), so
# the system's is asked first and each is asked whether it has it.
function(_tilewright_find_python result)
  find_program(path_python NAMES python3 NO_CACHE)
  foreach(candidate /usr/bin/python3 "${path_python}")
    execute_process(COMMAND "${candidate}" -c "import numpy" RESULT_VARIABLE failed
                    OUTPUT_QUIET ERROR_QUIET)
    if(failed STREQUAL "0")
      set(${result} "${candidate}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "No python3 with NumPy was found (package python3-numpy). `./dev setup` "
                      "installs it; or set -DTILEWRIGHT_PYTHON.")
endfunction()

set(TILEWRIGHT_PYTHON "" CACHE FILEPATH "A python3 that has NumPy; found when empty")
if(BUILD_TESTING)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  if(NOT TILEWRIGHT_PYTHON)
    _tilewright_find_python(found_python)
    set_property(CACHE TILEWRIGHT_PYTHON PROPERTY VALUE "${found_python}")
  endif()
endif()

function(tilewright_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LINK")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tilewright_add_test(${name}): give SOURCES, and then LINK and TIMEOUT "
                        "where wanted; not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest GTest::gmock GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${TILEWRIGHT_BIN_DIR}")
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST
                       DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()

function(tilewright_add_lit_suite name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "DIRECTORY;TIMEOUT" "DEPENDS")
  if(NOT arg_DIRECTORY OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tilewright_add_lit_suite(${name}): give DIRECTORY, and then DEPENDS and "
                        "TIMEOUT where wanted; not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  get_filename_component(directory "${arg_DIRECTORY}" ABSOLUTE)
  add_test(NAME ${name}
           COMMAND "${TILEWRIGHT_PYTHON}" "${TILEWRIGHT_LLVM_BIN_DIR}/lit" -v --order=lexical
                   --param "bin_dir=${TILEWRIGHT_BIN_DIR}"
                   --param "llvm_bin_dir=${TILEWRIGHT_LLVM_BIN_DIR}"
                   --param "exec_root=${CMAKE_CURRENT_BINARY_DIR}/${name}"
                   --param "python=${TILEWRIGHT_PYTHON}" "${directory}")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
  if(arg_DEPENDS)
    add_custom_target(${name}-tools ALL DEPENDS ${arg_DEPENDS})
  endif()
endfunction()

function(tilewright_add_python_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCRIPT;TIMEOUT" "ARGS")
  if(NOT arg_SCRIPT OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tilewright_add_python_test(${name}): give SCRIPT, and then ARGS and "
                        "TIMEOUT where wanted; not understood: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT BUILD_TESTING)
    return()
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  get_filename_component(script "${arg_SCRIPT}" ABSOLUTE)
  add_test(NAME ${name} COMMAND "${TILEWRIGHT_PYTHON}" "${script}" ${arg_ARGS})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT}
                       ENVIRONMENT "TILEWRIGHT_BIN_DIR=${TILEWRIGHT_BIN_DIR}")
endfunction()
