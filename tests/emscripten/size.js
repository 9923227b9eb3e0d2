/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Bytes that a page loads for callbacks, in a program that has a mutex already. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { compileByPort } from './compile.js';
import { makeProject, PROJECT, skip } from './system.js';

const PLAIN = `#include <emscripten.h>
#include <holdfast/async.h>
#include <holdfast/mutex.h>
#include <pthread.h>

static hf_mutex mutex;
static int counter;

static void *count(void *unused)
{
    hf_mutex_lock(&mutex);
    counter += 1;
    hf_mutex_unlock(&mutex);
    return unused;
}

#ifdef ASKS
static void count_here(hf_result result, void *unused)
{
    (void)result, (void)unused;
    counter += 1;
    hf_mutex_unlock(&mutex);
}
#endif

EMSCRIPTEN_KEEPALIVE int read_counter(void)
{
    return counter;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
#ifdef ASKS
    hf_mutex_lock_async(&mutex, count_here, NULL, HF_FOREVER);
#endif
    return 0;
}
`;

/** The bounds notice growth; the figures are in docs/decisions/0009-c-code-of-a-page-waits-by-the-glues-queue.md. */
const MOST_BYTES = { js: 6500, wasm: 1500 };

before(() => {
    makeProject();
    if (!skip) {
        writeFileSync(join(PROJECT, 'size.c'), PLAIN);
    }
});

/** @param {string} name @param {string[]} options */
function bytesOf(name, options) {
    const file = compileByPort('size.c', name, [
        '-Os',
        '--closure',
        '1',
        '-pthread',
        '-sENVIRONMENT=web,worker',
        ...options,
    ]);
    const bytes = (/** @type {string} */ path) =>
        gzipSync(readFileSync(join(PROJECT, path)), { level: 9 }).length;
    return { js: bytes(file), wasm: bytes(file.replace(/js$/, 'wasm')) };
}

test('emscripten, size: callbacks add at most the listed bytes to a program', { skip }, (t) => {
    const without = bytesOf('without', []);
    const asking = bytesOf('asking', ['-DASKS']);
    const added = { js: asking.js - without.js, wasm: asking.wasm - without.wasm };
    t.diagnostic(
        `callbacks add ${added.js} bytes of JavaScript and ${added.wasm} of wasm, gzip, with -Os --closure 1, ` +
            `to ${without.js} and ${without.wasm}`,
    );
    assert.ok(added.js > 0 && added.js < MOST_BYTES.js, `JavaScript: ${added.js} bytes`);
    assert.ok(added.wasm > 0 && added.wasm < MOST_BYTES.wasm, `wasm: ${added.wasm} bytes`);
});
