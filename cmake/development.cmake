# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# Targets of holdfast's own repository that are not in the package: the module, the tests, the benchmarks.

option(HOLDFAST_BENCHMARKS "Build what the benchmarks run, and nothing else" OFF)

if(HOLDFAST_BENCHMARKS)
    add_subdirectory(benchmarks/c)
elseif(EMSCRIPTEN)
    include(cmake/module.cmake)
else()
    add_executable(layout EXCLUDE_FROM_ALL c-src/layout.c) # scripts/generate-layout.mjs compiles it by itself
    target_link_libraries(layout PRIVATE holdfast)

    enable_testing()
    add_subdirectory(tests/native)
endif()
