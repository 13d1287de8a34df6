# Warnings, assertions and sanitizers: the compile options that all of our targets share.
#
# Include it once, from the top-level CMakeLists.txt, before any target: it sets directory-wide
# options, so no target has to ask and none can forget.
#
#   TILEWRIGHT_ASSERTIONS  ON (default): `assert` is alive, and the macro TILEWRIGHT_ASSERTIONS is 1.
#                          OFF: NDEBUG is defined and the macro is 0.
#   TILEWRIGHT_WERROR      OFF (default): warnings stay warnings.
#   TILEWRIGHT_SANITIZE    empty (default), or what to pass to -fsanitize, as in
#                          "address,undefined".

include_guard(GLOBAL)

option(TILEWRIGHT_ASSERTIONS "Keep assertions in our own code, in every build type" ON)
option(TILEWRIGHT_WERROR "Turn warnings into errors" OFF)
set(TILEWRIGHT_SANITIZE "" CACHE STRING "Sanitizers to build with, separated by commas")

add_compile_options(-Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict) # a false positive on "k" + std::to_string(i)
endif()
if(TILEWRIGHT_WERROR)
  add_compile_options(-Werror)
endif()

# Paths in messages and debug information are relative to the repository, so that two clones build
# the same bytes and share a compiler cache.
add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=")

# CMake writes -DNDEBUG into the flags of its release types; the option alone decides here.
foreach(type RELEASE RELWITHDEBINFO MINSIZEREL)
  string(REPLACE "-DNDEBUG" "" CMAKE_CXX_FLAGS_${type} "${CMAKE_CXX_FLAGS_${type}}")
  string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_${type} "${CMAKE_C_FLAGS_${type}}")
endforeach()
if(TILEWRIGHT_ASSERTIONS)
  add_compile_definitions(TILEWRIGHT_ASSERTIONS=1)
else()
  add_compile_definitions(TILEWRIGHT_ASSERTIONS=0 NDEBUG)
endif()

if(TILEWRIGHT_SANITIZE)
  add_compile_options("-fsanitize=${TILEWRIGHT_SANITIZE}" -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  # The checks at every dereference cost a quarter of the time that a file with MLIR takes to
  # compile. AddressSanitizer finds null pointers and overruns itself; our targets allow unaligned
  # access.
  add_compile_options(-fno-sanitize=null,alignment,vptr,object-size)
  add_link_options("-fsanitize=${TILEWRIGHT_SANITIZE}")
endif()
