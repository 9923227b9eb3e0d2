# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# The module: compiled by emcc, linked by wasm-ld (wasm-link.cmake), and shrunk.

option(HOLDFAST_MODULE_DEBUG "Keep names and debug information; the module stays in the build tree" OFF)

include(cmake/wasm-link.cmake)
find_program(NODE node REQUIRED)

# One translation unit, so that the compiler sees through the seam between the files. The features are named
# here, since compilers' defaults differ: every compiler version then requires the same of engines.
add_library(module OBJECT
    c-src/exports.c c-src/gate.c c-src/gate_block.c c-src/owned.c c-src/barrier.c c-src/condition.c c-src/event.c c-src/inside.c c-src/latch.c c-src/mutex.c c-src/once.c c-src/rwlock.c c-src/semaphore.c
    c-src/space.c c-src/agents.c c-src/owner_probe.c c-src/waiting.c c-src/futex_wasm.c)
set_target_properties(module PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_include_directories(module PRIVATE c-src/include)
# Workers are terminated while they wait.
set(module_compile_options -DHF__MODULE -pthread -mcpu=mvp -matomics -mbulk-memory -ffunction-sections -fno-jump-tables)
target_compile_options(module PRIVATE ${module_compile_options})

# The module of gates with holds (records.h).
add_library(holds OBJECT c-src/gate.c c-src/gate_block.c c-src/holds.c c-src/agents.c c-src/waiting.c c-src/futex_wasm.c c-src/holds_exports.c)
set_target_properties(holds PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_include_directories(holds PRIVATE c-src/include)
target_compile_options(holds PRIVATE ${module_compile_options})
target_compile_definitions(holds PRIVATE HF__HOLDS)

# The module of recursive mutexes' depths: functions that its header inlines.
add_library(depths OBJECT c-src/recursive_exports.c)
target_include_directories(depths PRIVATE c-src/include)
target_compile_options(depths PRIVATE ${module_compile_options})

# The module of channels, without their mutexes.
add_library(channel OBJECT c-src/channel_exports.c c-src/channel.c c-src/waiting.c c-src/futex_wasm.c)
set_target_properties(channel PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_include_directories(channel PRIVATE c-src/include)
target_compile_options(channel PRIVATE ${module_compile_options})

# The barrier calls of C programs, for the models. No package contains them.
add_library(barrier_calls OBJECT
    c-src/barrier.c c-src/inside.c c-src/waiting.c c-src/futex_wasm.c models/c/barrier_calls.c)
set_target_properties(barrier_calls PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_include_directories(barrier_calls PRIVATE c-src c-src/include)
target_compile_options(barrier_calls PRIVATE ${module_compile_options})

if(HOLDFAST_MODULE_DEBUG)
    set(module_file ${PROJECT_BINARY_DIR}/holdfast.wasm)
    add_custom_command(OUTPUT ${module_file}
        COMMAND ${WASM_LD} ${module_link_options} $<TARGET_OBJECTS:module> -o ${module_file}
        DEPENDS module $<TARGET_OBJECTS:module>
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(wasm ALL DEPENDS ${module_file})
    return()
endif()

# hf__wait must stay a function of its own; futex_wasm.c says why.
set(no_inlining --one-caller-inline-max-function-size=1)

set(features --mvp-features --enable-threads --enable-bulk-memory)

set(linked_file ${PROJECT_BINARY_DIR}/linked.wasm)
set(shrunk_file ${PROJECT_BINARY_DIR}/shrunk.wasm)
set(module_file ${PROJECT_SOURCE_DIR}/wasm/holdfast.wasm)
set(memory_folder ${PROJECT_SOURCE_DIR}/js-glue/memory)
set(holds_file ${PROJECT_BINARY_DIR}/holds.wasm)
set(depths_file ${PROJECT_BINARY_DIR}/depths.wasm)
set(channel_file ${PROJECT_BINARY_DIR}/channel.wasm)
set(bytes_files ${memory_folder}/core-bytes.js ${memory_folder}/freeing-bytes.js ${memory_folder}/family-bytes.js
    ${memory_folder}/holds-bytes.js ${memory_folder}/depths-bytes.js ${memory_folder}/channel-bytes.js
    ${memory_folder}/file-bytes.js)
set(embed_script ${PROJECT_SOURCE_DIR}/scripts/embed-wasm.mjs)
set(text_script ${PROJECT_SOURCE_DIR}/scripts/wasm-text.mjs)

function(link_and_shrink target linked shrunk)
    add_custom_command(OUTPUT ${shrunk}
        COMMAND ${WASM_LD} ${module_link_options} --strip-all $<TARGET_OBJECTS:${target}> -o ${linked}
        COMMAND ${WASM_OPT} ${features} --rse -Oz --converge ${no_inlining} ${linked} -o ${shrunk}
        # Reading and writing it again gives blocks of the same form as wasm-metadce gives the parts.
        COMMAND ${WASM_OPT} ${features} --quiet ${shrunk} -o ${shrunk}
        DEPENDS ${target} $<TARGET_OBJECTS:${target}>
        BYPRODUCTS ${linked}
        COMMAND_EXPAND_LISTS VERBATIM)
endfunction()
link_and_shrink(module ${linked_file} ${shrunk_file})
link_and_shrink(holds ${PROJECT_BINARY_DIR}/linked-holds.wasm ${holds_file})
link_and_shrink(depths ${PROJECT_BINARY_DIR}/linked-depths.wasm ${depths_file})
link_and_shrink(channel ${PROJECT_BINARY_DIR}/linked-channel.wasm ${channel_file})
set(barrier_calls_file ${PROJECT_BINARY_DIR}/barrier-calls.wasm)
link_and_shrink(barrier_calls ${PROJECT_BINARY_DIR}/linked-barrier-calls.wasm ${barrier_calls_file})
add_custom_command(OUTPUT ${module_file} ${bytes_files}
    COMMAND ${NODE} ${embed_script} ${shrunk_file} ${holds_file} ${depths_file} ${channel_file} ${module_file} ${memory_folder} ${WASM_METADCE} ${PROJECT_BINARY_DIR}
    DEPENDS ${shrunk_file} ${holds_file} ${depths_file} ${channel_file} ${embed_script} ${text_script}
    VERBATIM)
add_custom_target(wasm ALL DEPENDS ${module_file} ${bytes_files} ${barrier_calls_file})

# For the models, which often build it with mistakes: the module by itself, or with the others.
add_custom_target(module_alone DEPENDS ${module_file})
add_custom_target(modules DEPENDS ${module_file} ${holds_file} ${depths_file} ${channel_file} ${barrier_calls_file})
