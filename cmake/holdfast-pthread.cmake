# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# Experimental: the target holdfast::pthread. A program that is linked with it has pthread's locks, C11's and those
# of its C++ library on holdfast (docs/start/pthread.md). On Linux that is for tests: the linker reaches what is
# in the program, not what is in shared libraries.
set(pthread_folder ${PROJECT_SOURCE_DIR}/c-src/pthread)
set(pthread_lists ${pthread_folder}/pthread.c ${pthread_folder}/wraps.rsp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pthread_lists})
file(STRINGS ${pthread_folder}/pthread.c pthread_sources REGEX "^#include \".*[.]c\"$")
list(TRANSFORM pthread_sources REPLACE "#include \"(.*)\"" "${pthread_folder}/\\1")
file(STRINGS ${pthread_folder}/wraps.rsp pthread_wraps)

add_library(holdfast-pthread STATIC ${pthread_sources})
add_library(holdfast::pthread ALIAS holdfast-pthread)
set_target_properties(holdfast-pthread PROPERTIES EXPORT_NAME pthread)
target_compile_definitions(holdfast-pthread PRIVATE ${process_shared})
target_link_libraries(holdfast-pthread PUBLIC holdfast)
target_link_options(holdfast-pthread INTERFACE ${pthread_wraps})
