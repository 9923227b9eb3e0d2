# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# The version of the package, for find_package(holdfast <version>). The sources fit every machine.
file(READ ${CMAKE_CURRENT_LIST_DIR}/../package.json package)
string(JSON version GET "${package}" version)
include(CMakePackageConfigHelpers)
set(version_file ${CMAKE_BINARY_DIR}/CMakeFiles/holdfast-version.cmake)
write_basic_package_version_file(${version_file}
    VERSION ${version} COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
include(${version_file})
