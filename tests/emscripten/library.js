/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The library as a port, by CMake and as one file, with features that Emscripten 3.1.6 lacks.
 * tests/package/c-library.test.js has the rest. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { blocksOf, filesOf } from '../support/documents.js';
import { LIMIT_SECONDS, makeProject, PLACE, PROJECT, run, skip, there } from './system.js';

const DOCUMENT = 'docs/start/c.md';

before(() => {
    makeProject();
    if (!skip) {
        for (const [name, text] of filesOf(DOCUMENT)) {
            writeFileSync(join(PROJECT, name), text);
        }
    }
});

/** The command of the document. @param {(command: string) => string} change */
function port(change = (command) => command) {
    const block = blocksOf(DOCUMENT).find(({ text }) => /--use-port=\S+ main\.c /.test(text));
    assert.ok(block);
    return there(change(block.text));
}

/** @param {string} options */
const portWith = (options) => port((command) => command.replace('holdfast.py', `holdfast.py:${options}`));

const libraries = 'find / -xdev -name "libholdfast-*.a"';

test('emscripten: the port is compiled once, and links only the mutex', { skip }, () => {
    run(there(`${libraries} -delete`));
    run(port((command) => command.replace('-O2', '-O2 --profiling-funcs')));
    assert.equal(run(there('node main.js')), '2000');
    const names = readFileSync(join(PROJECT, 'main.wasm'), 'latin1');
    assert.match(names, /hf__mutex_lock_slow/);
    assert.doesNotMatch(names, /hf__?(agent|barrier|condition|event|latch|once|rwlock|semaphore|threads_)/);
    assert.match(
        run(there(libraries)),
        /^\S*\/libholdfast-\d+\.\d+\.\d+-[0-9a-f]{8}\.a$/,
        'its name has the version',
    );
});

test('emscripten: the port is compiled again when its sources have changed', { skip }, () => {
    const source = join(PROJECT, 'node_modules', 'holdfast', 'c-src', 'mutex.c');
    const text = readFileSync(source);
    const before = run(there(libraries)).split('\n');
    try {
        appendFileSync(source, '#error changed\n');
        const { ok, output } = runQuietly(port(), { limitSeconds: LIMIT_SECONDS });
        assert.equal(ok, false);
        assert.match(output, /#error changed/);
    } finally {
        writeFileSync(source, text);
    }
    run(port());
    assert.deepEqual(run(there(libraries)).split('\n'), before, 'what has not changed is still there');
});

test('emscripten: the port takes the maximum number of threads', { skip }, () => {
    run(portWith('threads=128'));
    assert.equal(run(there('node main.js')), '2000');
    const { ok, output } = runQuietly(portWith('threads=1024'), { limitSeconds: LIMIT_SECONDS });
    assert.equal(ok, false);
    assert.match(output, /threads must be a number from 1 to 1023, not 1024/);
});

const WORKERS = `#include <emscripten/wasm_worker.h>
#include <holdfast/holdfast.h>

static hf_mutex mutex;
static hf_event done;
static int counter;

static void count(void)
{
    hf_mutex_lock(&mutex);
    counter += 1;
    hf_mutex_unlock(&mutex);
}

static void work(void)
{
    count();
    hf_event_set(&done);
}

int main(void)
{
    emscripten_wasm_worker_t worker = emscripten_malloc_wasm_worker(1 << 16);
    emscripten_wasm_worker_post_function_v(worker, work);
    count();
    hf_event_wait(&done);
    return counter == 2 ? 0 : 1;
}
`;

test(
    'emscripten: programs with Wasm Workers, with and without pthreads, link by the port and by CMake',
    { skip },
    () => {
        writeFileSync(join(PROJECT, 'workers.c'), WORKERS);
        const file = 'node_modules/holdfast/emscripten/holdfast.py';
        run(there(`emcc -O2 -sWASM_WORKERS --use-port=${file} workers.c -o workers.js`));
        // The program's main() blocks, so it needs a thread of its own.
        const both = '-pthread -sPROXY_TO_PTHREAD -sEXIT_RUNTIME -sWASM_WORKERS';
        run(there(`emcc -O2 ${both} --use-port=${file} workers.c -o workers.js`));
        run(there('timeout 60 node workers.js || { echo "it ended with $?, 124 after 60 s"; exit 1; }'));
        const lists = `cmake_minimum_required(VERSION 3.21)
project(workers LANGUAGES C)
add_subdirectory(/${PLACE}/node_modules/holdfast holdfast)
add_executable(workers ../workers.c)
target_link_libraries(workers PRIVATE holdfast::holdfast)
`;
        mkdirSync(join(PROJECT, 'workers'));
        writeFileSync(join(PROJECT, 'workers', 'CMakeLists.txt'), lists);
        for (const flags of ['-sWASM_WORKERS', '"-pthread;-sWASM_WORKERS"']) {
            run(there(`emcmake cmake -S workers -B build-workers -DHOLDFAST_THREAD_FLAGS=${flags}`));
            run(there('cmake --build build-workers'));
        }
    },
);

test(
    'emscripten: the CMake project and the single unit build with the newest Emscripten too',
    { skip },
    () => {
        run(there('emcmake cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build'));
        assert.equal(run(there('node build/main.js')), '2000');
        const sources = '-Inode_modules/holdfast/c-src/include main.c node_modules/holdfast/c-src/holdfast.c';
        run(
            there(
                `emcc -O2 -pthread -sPROXY_TO_PTHREAD -sPTHREAD_POOL_SIZE=2 -sEXIT_RUNTIME ${sources} -o unit.js`,
            ),
        );
        assert.equal(run(there('node unit.js')), '2000');
    },
);
