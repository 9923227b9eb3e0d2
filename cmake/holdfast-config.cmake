# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# find_package(holdfast): the installed library beside this file, or else the sources of the package, compiled
# with the program.
if(TARGET holdfast::holdfast)
    return()
endif()
if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/holdfast-targets.cmake)
    include(${CMAKE_CURRENT_LIST_DIR}/holdfast-targets.cmake)
else()
    add_subdirectory(${CMAKE_CURRENT_LIST_DIR}/.. ${CMAKE_BINARY_DIR}/_deps/holdfast-build EXCLUDE_FROM_ALL)
endif()
