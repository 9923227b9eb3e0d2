# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

# Links a module that many threads instantiate over one memory, by wasm-ld itself. emcc's own link step
# would add a C runtime, whose start, stack and data such a module must not have.

em_config(LLVM_ROOT)
em_config(BINARYEN_ROOT)
# Debian adds LLVM's major version to the linker's name; the one that belongs to the compiler comes first.
string(REGEX MATCH "^[0-9]+" llvm_major "${CMAKE_C_COMPILER_VERSION}")
find_program(WASM_LD NAMES wasm-ld-${llvm_major} wasm-ld HINTS ${LLVM_ROOT} REQUIRED)
find_program(WASM_OPT wasm-opt HINTS ${BINARYEN_ROOT}/bin REQUIRED)
find_program(WASM_METADCE wasm-metadce HINTS ${BINARYEN_ROOT}/bin REQUIRED)

# No stack and no data: a function that needs either keeps the stack pointer's global or a segment, which
# tests/verification/contract.test.js refuses of the module. The memory's limits accept the memory of any
# importer.
set(module_link_options
    --no-entry --gc-sections -O3
    --import-memory --shared-memory --initial-memory=65536 --max-memory=4294967296
    -z stack-size=0)
