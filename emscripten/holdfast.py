# SPDX-License-Identifier: MIT
# Copyright (c) 2026 the holdfast authors

"""The C library as a port of Emscripten 3.1.54 and later: `emcc -pthread --use-port=<this file> ...`

It is compiled once for each version, state of the sources, number of slots and kind of threads, and kept in Emscripten's
cache.
"""

import glob
import hashlib
import json
import os
import re

DESCRIPTION = 'Locks for threads that share memory'
LICENSE = 'MIT license'
OPTIONS = {'threads': 'Slots of the table of threads, 1 to 1023 (default 64)'}

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(PACKAGE, 'c-src')
INCLUDE = os.path.join(SOURCES, 'include')

options = {'threads': None}


def version():
    with open(os.path.join(PACKAGE, 'package.json'), encoding='utf-8') as file:
        return json.load(file)['version']


def source_names():
    """The list of sources that CMake reads, too."""
    with open(os.path.join(SOURCES, 'holdfast.c'), encoding='utf-8') as file:
        names = re.findall(r'^#include "(.*\.c)"$', file.read(), re.MULTILINE)
    return [name for name in names if name != 'futex_linux.c']


def digest():
    """Of what is compiled, since a version may have several states: a checkout, or a patched package."""
    found = hashlib.sha256()
    for name in sorted(glob.glob(os.path.join(SOURCES, '**', '*.[ch]'), recursive=True)):
        with open(name, 'rb') as file:
            content = file.read()
        found.update(f'{os.path.relpath(name, SOURCES)} {len(content)}\n'.encode() + content)
    return found.hexdigest()[:8]


def handle_options(given, error_handler):
    threads = given['threads']
    if not threads.isdigit() or not 1 <= int(threads) <= 1023:
        error_handler(f'threads must be a number from 1 to 1023, not {threads}')
    options['threads'] = int(threads)


def get_lib_name(settings):
    name = f'libholdfast-{version()}-{digest()}'
    if options['threads']:
        name += f"-{options['threads']}"
    if settings.WASM_WORKERS:
        name += '-ww' if settings.PTHREADS else '-ww-only'
    return name + '.a'


def get(ports, settings, shared):
    def create(final):
        # Without -pthread the headers compile for programs of Wasm Workers only.
        flags = ['-std=gnu11', '-I' + INCLUDE]
        if settings.WASM_WORKERS:
            flags.append('-sWASM_WORKERS')
        if settings.PTHREADS or not settings.WASM_WORKERS:
            flags.append('-pthread')
        if options['threads']:
            flags.append(f"-DHF_THREADS={options['threads']}")
        ports.build_port(SOURCES, final, 'holdfast', flags=flags, srcs=source_names())

    return [shared.cache.get_lib(get_lib_name(settings), create, what='port')]


def clear(ports, settings, shared):
    shared.cache.erase_lib(get_lib_name(settings))


def linker_setup(ports, settings):
    # Callbacks need this library (holdfast/async.h). Programs without callbacks are linked without any part
    # of it.
    settings.JS_LIBRARIES += [os.path.join(PACKAGE, 'emscripten', 'holdfast-library.js')]


def process_args(ports):
    return ['-I' + INCLUDE]
