# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# The module: compiled by emcc, but linked by wasm-ld itself. emcc's own link step would add a C runtime,
# whose start, stack and data a module that many threads instantiate over one memory must not have.

option(HOLDFAST_MODULE_DEBUG "Keep names and debug information; the module stays in the build tree" OFF)

em_config(LLVM_ROOT)
em_config(BINARYEN_ROOT)
# Debian adds LLVM's major version to the linker's name; the one that belongs to the compiler comes first.
string(REGEX MATCH "^[0-9]+" llvm_major "${CMAKE_C_COMPILER_VERSION}")
find_program(WASM_LD NAMES wasm-ld-${llvm_major} wasm-ld HINTS ${LLVM_ROOT} REQUIRED)
find_program(WASM_OPT wasm-opt HINTS ${BINARYEN_ROOT}/bin REQUIRED)
find_program(NODE node REQUIRED)

# One translation unit, so that the compiler sees through the seam between the files. The features are
# named, not left to the compiler's defaults: every compiler version then asks the same of the engines.
add_library(module OBJECT c-src/mutex.c c-src/space.c c-src/futex_wasm.c c-src/exports.c)
set_target_properties(module PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_include_directories(module PRIVATE c-src/include)
target_compile_options(module PRIVATE -pthread -mcpu=mvp -matomics -mbulk-memory -ffunction-sections)

# No stack and no data: a function that needs either keeps the stack pointer's global or a segment, and
# tests/contract.test.js refuses that. The memory's limits are those that any importer's memory meets.
set(link_options
    --no-entry --gc-sections -O3
    --import-memory --shared-memory --initial-memory=65536 --max-memory=4294967296
    -z stack-size=0)

if(HOLDFAST_MODULE_DEBUG)
    set(module_file ${PROJECT_BINARY_DIR}/holdfast.wasm)
    add_custom_command(OUTPUT ${module_file}
        COMMAND ${WASM_LD} ${link_options} $<TARGET_OBJECTS:module> -o ${module_file}
        DEPENDS module $<TARGET_OBJECTS:module>
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(wasm ALL DEPENDS ${module_file})
    return()
endif()

# hf__wait must stay a function of its own; futex_wasm.c says why.
set(no_inlining --one-caller-inline-max-function-size=1)

set(linked_file ${PROJECT_BINARY_DIR}/linked.wasm)
set(module_file ${PROJECT_SOURCE_DIR}/wasm/holdfast.wasm)
set(bytes_file ${PROJECT_SOURCE_DIR}/js-glue/wasm-bytes.js)
set(embed_script ${PROJECT_SOURCE_DIR}/scripts/embed-wasm.mjs)

add_custom_command(OUTPUT ${module_file}
    COMMAND ${WASM_LD} ${link_options} --strip-all $<TARGET_OBJECTS:module> -o ${linked_file}
    COMMAND ${WASM_OPT} --mvp-features --enable-threads --enable-bulk-memory -Oz ${no_inlining} ${linked_file} -o ${module_file}
    DEPENDS module $<TARGET_OBJECTS:module>
    BYPRODUCTS ${linked_file}
    COMMAND_EXPAND_LISTS VERBATIM)
add_custom_command(OUTPUT ${bytes_file}
    COMMAND ${NODE} ${embed_script} ${module_file} ${bytes_file}
    DEPENDS ${module_file} ${embed_script}
    VERBATIM)
add_custom_target(wasm ALL DEPENDS ${module_file} ${bytes_file})
