# Installing the library so that `find_package(tilewright)` works without LLVM or MLIR headers.
#
#   tilewright_hide_symbols(<shared library target>)
#
# lets the library show only our own names (cmake/tilewright.map): every other symbol, from static
# MLIR or from a template of LLVM's that our code instantiates, becomes local. A name is shown when
# it also has default visibility, and is linked in: name the stages' static libraries as
# "$<LINK_LIBRARY:WHOLE_ARCHIVE,stage>", or nothing but what the library itself calls is there.
#
#   tilewright_install(<shared library target> HEADERS include/)
#
# installs the library, its public headers and the CMake package, with the exported target
# tilewright::tilewright.

include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(_tilewright_cmake_dir "${CMAKE_CURRENT_LIST_DIR}")

function(tilewright_hide_symbols target)
  set(map "${_tilewright_cmake_dir}/tilewright.map")
  target_link_options(${target} PRIVATE "-Wl,--version-script=${map}")
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${map}")
endfunction()

function(tilewright_install target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADERS" "")
  set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tilewright")
  set_target_properties(${target} PROPERTIES EXPORT_NAME tilewright VERSION "${PROJECT_VERSION}"
                        SOVERSION "${PROJECT_VERSION_MAJOR}" INSTALL_RPATH_USE_LINK_PATH ON)
  target_include_directories(${target} INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  install(TARGETS ${target} EXPORT tilewright-targets
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${arg_HEADERS}" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
          FILES_MATCHING PATTERN "*.h")
  install(EXPORT tilewright-targets NAMESPACE tilewright:: DESTINATION "${package_dir}")
  configure_package_config_file("${_tilewright_cmake_dir}/tilewright-config.cmake.in"
                                "${PROJECT_BINARY_DIR}/tilewright-config.cmake"
                                INSTALL_DESTINATION "${package_dir}")
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/tilewright-config-version.cmake"
                                   COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/tilewright-config.cmake"
                "${PROJECT_BINARY_DIR}/tilewright-config-version.cmake"
          DESTINATION "${package_dir}")
endfunction()
