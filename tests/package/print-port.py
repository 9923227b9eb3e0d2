# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

"""Loads the port whose path is the argument, as Emscripten does, and prints what it would compile."""

import importlib.util
import json
import sys
from types import SimpleNamespace

spec = importlib.util.spec_from_file_location('holdfast', sys.argv[1])
port = importlib.util.module_from_spec(spec)
spec.loader.exec_module(port)

libraries = []


def build_port(folder, final, port_name, flags, srcs):
    libraries.append({'name': final, 'flags': flags, 'sources': srcs})


ports = SimpleNamespace(build_port=build_port)
shared = SimpleNamespace(cache=SimpleNamespace(get_lib=lambda name, create, what: create(name)))


def compile_for(pthreads, wasm_workers):
    port.get(ports, SimpleNamespace(PTHREADS=pthreads, WASM_WORKERS=wasm_workers), shared)


compile_for(True, False)
compile_for(True, True)
compile_for(False, True)
port.handle_options({'threads': '128'}, sys.exit)
compile_for(True, False)
print(json.dumps(libraries))
