# One target per stage, and the dialects that stages speak.
#
#   tilewright_add_stage(<name> SOURCES a.cpp ... [LINK libs ...] [MLIR components ...])
#
# makes the static library tilewright_<name> of the folder src/<name>. Its sources include their own
# and other stages' headers as "stage/file.h". MLIR names the MLIR and LLVM components it needs; a
# stage without MLIR never sees an LLVM or MLIR header. Its small files build as one unit (the header
# cost is paid once) when UNITY is given.
#
#   tilewright_add_dialect(<name>)
#
# runs TableGen over <name>_dialect.td and <name>_ops.td of this folder; the target
# tilewright_<name>_ops stands for the generated headers.

include_guard(GLOBAL)

function(tilewright_add_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "UNITY" "" "SOURCES;LINK;MLIR")
  set(target "tilewright_${name}")
  add_library(${target} STATIC ${arg_SOURCES})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/include"
                                              "${PROJECT_SOURCE_DIR}/src")
  target_link_libraries(${target} PUBLIC ${arg_LINK})
  if(arg_MLIR)
    tilewright_use_mlir(${target} ${arg_MLIR})
    # Generated dialect headers are not ours to lint.
    target_include_directories(${target} SYSTEM PUBLIC "${PROJECT_BINARY_DIR}/src/tile"
                                                       "${PROJECT_BINARY_DIR}/src/lane")
    if(TARGET tilewright_tile_ops)
      add_dependencies(${target} tilewright_tile_ops)
    endif()
    if(TARGET tilewright_lane_ops)
      add_dependencies(${target} tilewright_lane_ops)
    endif()
  endif()
  if(arg_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
  endif()
endfunction()

macro(tilewright_add_dialect name)
  set(LLVM_TARGET_DEFINITIONS ${name}_ops.td)
  set(include_here -I${CMAKE_CURRENT_SOURCE_DIR})
  foreach(directory ${MLIR_INCLUDE_DIRS})
    list(APPEND include_here -I${directory})
  endforeach()
  mlir_tablegen(${name}_dialect.h.inc -gen-dialect-decls -dialect=${name} ${include_here})
  mlir_tablegen(${name}_dialect.cpp.inc -gen-dialect-defs -dialect=${name} ${include_here})
  mlir_tablegen(${name}_ops.h.inc -gen-op-decls -dialect=${name} ${include_here})
  mlir_tablegen(${name}_ops.cpp.inc -gen-op-defs -dialect=${name} ${include_here})
  set(LLVM_TARGET_DEFINITIONS ${name}_dialect.td)
  mlir_tablegen(${name}_types.h.inc -gen-typedef-decls -typedefs-dialect=${name} ${include_here})
  mlir_tablegen(${name}_types.cpp.inc -gen-typedef-defs -typedefs-dialect=${name} ${include_here})
  mlir_tablegen(${name}_attributes.h.inc -gen-attrdef-decls -attrdefs-dialect=${name}
                ${include_here})
  mlir_tablegen(${name}_attributes.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${name}
                ${include_here})
  mlir_tablegen(${name}_enums.h.inc -gen-enum-decls ${include_here})
  mlir_tablegen(${name}_enums.cpp.inc -gen-enum-defs ${include_here})
  add_public_tablegen_target(tilewright_${name}_ops)
endmacro()
