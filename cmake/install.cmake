# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# `cmake --install`: the archive and the headers, found by find_package and by pkg-config. Not if another
# project adds this directory, which decides itself what it installs.
if(NOT PROJECT_IS_TOP_LEVEL)
    return()
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS holdfast EXPORT holdfast-targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY c-src/include/ TYPE INCLUDE)
if(EMSCRIPTEN)
    install(TARGETS holdfast-async EXPORT holdfast-targets)
    install(FILES ${HOLDFAST_LIBRARY_JS} DESTINATION share/holdfast)
endif()

if(TARGET holdfast-pthread)
    install(TARGETS holdfast-pthread EXPORT holdfast-targets)
endif()

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/holdfast)
set(version_file ${PROJECT_BINARY_DIR}/holdfast-config-version.cmake)
write_basic_package_version_file(${version_file} COMPATIBILITY SameMinorVersion)
install(EXPORT holdfast-targets NAMESPACE holdfast:: DESTINATION ${config_folder})
install(FILES cmake/holdfast-config.cmake ${version_file} DESTINATION ${config_folder})

# Relative to this file, so that the installation may be moved.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /prefix/${pkgconfig_folder} /prefix)
list(JOIN HOLDFAST_THREAD_FLAGS " " thread_flags)
configure_file(cmake/holdfast.pc.in ${PROJECT_BINARY_DIR}/holdfast.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/holdfast.pc DESTINATION ${pkgconfig_folder})
