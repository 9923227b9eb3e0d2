# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# Finds the toolchain file that comes with Emscripten, whether a package manager or emsdk installed it.
find_program(EM_CONFIG em-config HINTS ENV EMSCRIPTEN PATHS $ENV{EMSDK}/upstream/emscripten)
if(NOT EM_CONFIG)
    message(FATAL_ERROR "Emscripten was not found: install it, or run `source emsdk_env.sh` first.")
endif()

# The backend's tools (wasm-ld, wasm-opt) are looked up with the same program in wasm-link.cmake.
function(em_config variable)
    execute_process(COMMAND ${EM_CONFIG} ${variable}
        OUTPUT_VARIABLE value OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(${variable} "${value}" PARENT_SCOPE)
endfunction()

em_config(EMSCRIPTEN_ROOT)
include(${EMSCRIPTEN_ROOT}/cmake/Modules/Platform/Emscripten.cmake)
