# Finds LLVM and MLIR 22.1 and says how our targets compile and link against them.
#
# Include it once, from the top-level CMakeLists.txt, after project() and GNUInstallDirs:
#
#   include(TilewrightLLVM)
#
# It asks `llvm-config-22` where LLVM is (no path is written down anywhere), loads MLIR's package
# with the TableGen helpers (`mlir_tablegen`, `add_public_tablegen_target`, `add_mlir_doc`), and
# makes every target that is defined afterwards link with the lld that belongs to that LLVM.
#
#   tilewright_use_mlir(<target> [MLIRIR MLIRArithDialect ...])
#
# gives <target> the LLVM and MLIR headers as system headers and links the named components. They
# are MLIR's static component libraries and the shared libLLVM: this starts faster than the shared
# libMLIR. Never name `MLIRExecutionEngine`, which drags libMLIR in; LLVM's own JIT does the job with
# `MLIRExecutionEngineUtils`.

include_guard(GLOBAL)

find_program(TILEWRIGHT_LLVM_CONFIG NAMES llvm-config-22 llvm-config
             DOC "llvm-config of the LLVM 22 to build with")
if(NOT TILEWRIGHT_LLVM_CONFIG)
  message(FATAL_ERROR "llvm-config-22 is not installed. `./dev setup` installs it; or set "
                      "-DTILEWRIGHT_LLVM_CONFIG to the llvm-config of an LLVM 22.1.")
endif()

function(_tilewright_llvm_config option result)
  execute_process(COMMAND "${TILEWRIGHT_LLVM_CONFIG}" "${option}"
                  OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

_tilewright_llvm_config(--version TILEWRIGHT_LLVM_VERSION)
if(NOT TILEWRIGHT_LLVM_VERSION MATCHES "^22\\.1\\.")
  message(FATAL_ERROR "${TILEWRIGHT_LLVM_CONFIG} is LLVM ${TILEWRIGHT_LLVM_VERSION}; Tilewright is "
                      "built with LLVM 22.1. `./dev setup` installs it.")
endif()
_tilewright_llvm_config(--prefix TILEWRIGHT_LLVM_PREFIX)
_tilewright_llvm_config(--bindir TILEWRIGHT_LLVM_BIN_DIR)

# MLIR's package refuses the version "22"; "22.1" is the right spelling.
find_package(MLIR 22.1 REQUIRED CONFIG HINTS "${TILEWRIGHT_LLVM_PREFIX}/lib/cmake/mlir")
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
set(MLIR_BINARY_DIR "${PROJECT_BINARY_DIR}") # where add_mlir_doc puts its pages: build/docs
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# GCC and Clang look for `ld.lld` in the -B folders first, so another lld in PATH does no harm.
if(NOT EXISTS "${TILEWRIGHT_LLVM_BIN_DIR}/ld.lld")
  message(FATAL_ERROR "${TILEWRIGHT_LLVM_BIN_DIR}/ld.lld is not installed (package lld-22). "
                      "`./dev setup` installs it.")
endif()
add_link_options("-B${TILEWRIGHT_LLVM_BIN_DIR}" "-fuse-ld=lld")

function(tilewright_use_mlir target)
  target_include_directories(${target} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  separate_arguments(definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_options(${target} PRIVATE ${definitions})
  if(ARGN)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE" OR type STREQUAL "SHARED_LIBRARY")
      target_link_libraries(${target} PRIVATE ${ARGN})
    else()
      # An object or static library links nothing itself; whoever uses it does.
      target_link_libraries(${target} PUBLIC ${ARGN})
    endif()
  endif()
endfunction()
