/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The C library in modules without Emscripten and without a C library: clang and lld alone. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Event, Latch, Mutex, RecursiveMutex, RwLock, CountingSemaphore } from '../../js-glue/index.js';
import { RESULT_BUSY, RESULT_NOT_OWNER, RESULT_OK, RESULT_TIMEOUT } from '../../js-glue/memory/layout.js';
import { runFile } from '../support/child.js';
import { blocksOf } from '../support/documents.js';
import { layOut, runCommandOf } from '../support/documents-run.js';
import { within } from '../support/watchdog.js';
import { instantiate } from './freestanding/host.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = 'tests/package/freestanding';
const FOLDER = join(ROOT, 'build', 'freestanding');
const DOCUMENT = 'docs/start/freestanding.md';
const FLAGS = [
    ...['--target=wasm32', '-matomics', '-mbulk-memory', '-mmutable-globals', '-ffreestanding', '-nostdlib'],
    ...['-O2', '-Wall', '-Wextra', '-Werror', '-Ic-src/include'],
];
const LINK =
    '-Wl,--no-entry,--import-memory,--shared-memory,--max-memory=1048576,--export-dynamic,--export=__stack_pointer';

/** @param {string} command @param {string[]} args */
function run(command, args) {
    const { error, status, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? stderr}`);
}

/** @type {Map<string, WebAssembly.Module>} */
const modules = new Map();

/** @param {string} name of the module @param {string[]} files */
function linked(name, files) {
    const known = modules.get(name);
    if (known !== undefined) {
        return known;
    }
    mkdirSync(FOLDER, { recursive: true });
    const file = join(FOLDER, `${name}.wasm`);
    const standard = files.some((source) => source.endsWith('.cpp')) ? '-std=c++11' : '-std=c11';
    run('clang', [...FLAGS, standard, ...files, LINK, '-o', file]);
    const module = new WebAssembly.Module(readFileSync(file));
    modules.set(name, module);
    return module;
}

const makeMemory = () => new WebAssembly.Memory({ initial: 4, maximum: 16, shared: true });

test(`freestanding: main.mjs of ${DOCUMENT} and its worker.mjs count in C and in JavaScript`, async () => {
    const files = layOut(DOCUMENT, 'freestanding');
    try {
        runCommandOf(DOCUMENT, 'clang', files.folder);
        const { stdout, stderr } = await runFile(join(files.folder, 'main.mjs'));
        assert.equal(stdout, '3000\n', stderr);
    } finally {
        files.remove();
    }
});

test('freestanding: C threads and JavaScript share each primitive', async (t) => {
    const [rounds, own] = [500, 200];
    const module = linked('primitives', [`${HERE}/primitives.c`, 'c-src/holdfast.c']);
    const memory = makeMemory();
    const program = instantiate(module, memory, 1, false);
    program.init(2);
    const words = new Int32Array(memory.buffer);
    const int = (/** @type {string} */ name, at = 0) => words[program[name].value / 4 + at];
    words[program.turn.value / 4] = 2;
    const exits = [2, 3].map((thread) => {
        const workerData = { module, memory, thread, other: 5 - thread, rounds };
        const worker = new Worker(new URL('./freestanding/host.js', import.meta.url), { workerData });
        t.after(() => worker.terminate());
        return once(worker, 'exit');
    });
    const latch = Latch.at(memory, program.latch.value);
    await within(latch.waitAsync(), 'both threads', [latch]);
    Event.at(memory, program.event.value).set();
    const [mutex, rwlock, semaphore, recursive] = [
        Mutex.at(memory, program.mutex.value),
        RwLock.at(memory, program.rwlock.value),
        CountingSemaphore.at(memory, program.semaphore.value),
        RecursiveMutex.at(memory, program.recursive.value),
    ];
    const add = (/** @type {string} */ name, at = 0) => {
        const index = program[name].value / 4 + at;
        words[index] = Number(words[index]) + 1; // not an atomic
    };
    for (let round = 0; round < own; round += 1) {
        await mutex.execAsync(() => add('counted'));
        await rwlock.execAsync(() => [0, 1].forEach((at) => add('pair', at)));
        await semaphore.execAsync(() => {});
        while (!recursive.tryLock()) {
            await nextTurn();
        }
        add('deep');
        recursive.unlock();
    }
    await within(Promise.all(exits), 'the threads', [mutex, rwlock, semaphore, recursive]);
    assert.deepEqual(
        Object.fromEntries(['counted', 'deep', 'begun', 'torn'].map((name) => [name, int(name)])),
        { counted: 2 * rounds + own, deep: 2 * rounds + own, begun: 1, torn: 0 },
    );
    assert.deepEqual([int('pair'), int('pair', 1)], Array(2).fill(2 * rounds + own));
    assert.ok(Number(int('most')) >= 1 && Number(int('most')) <= 2, `${int('most')} with a permit`);
});

test('freestanding: a thread that may not block traps in a blocking call before it takes the lock', () => {
    const module = linked('primitives', [`${HERE}/primitives.c`, 'c-src/holdfast.c']);
    const memory = makeMemory();
    const [page, worker] = [instantiate(module, memory, 1, false), instantiate(module, memory, 2, true)];
    assert.throws(() => page.lock(), WebAssembly.RuntimeError);
    assert.throws(() => page.lock_for_ms(1), WebAssembly.RuntimeError);
    assert.equal(page.trylock(), RESULT_OK);
    assert.equal(worker.trylock(), RESULT_BUSY);
    assert.equal(worker.unlock(), RESULT_NOT_OWNER);
    const begin = performance.now();
    assert.equal(worker.lock_for_ms(20), RESULT_TIMEOUT);
    assert.ok(performance.now() - begin >= 20);
    assert.equal(page.unlock(), RESULT_OK);
    assert.equal(worker.lock(), RESULT_OK);
    assert.equal(worker.unlock(), RESULT_OK);
});

/** Uses an object of another language, linked with the archive. @param {string} source @param {string} archive */
function shareWith(source, archive) {
    const module = linked(source.replace('.', '-'), [`${HERE}/${source}`, archive]);
    assert.deepEqual(
        WebAssembly.Module.imports(module).map(({ module: from, name }) => `${from}.${name}`),
        ['env.memory'],
    );
    const memory = makeMemory();
    const program = /** @type {any} */ (new WebAssembly.Instance(module, { env: { memory } }).exports);
    assert.equal(program.lock_all(), RESULT_OK);
    assert.equal(program.thread(), 7);
    const mutex = Mutex.at(memory, program.mutex());
    assert.equal(program.lock(), RESULT_OK);
    assert.equal(mutex.tryLock(), false);
    assert.equal(program.unlock(), RESULT_OK);
    assert.equal(mutex.tryLock(), true);
    mutex.unlock();
}

test('freestanding: a program in another language can link the archive and share a mutex', () => {
    const text = blocksOf(DOCUMENT).find((block) => block.text.includes('llvm-ar'))?.text ?? '';
    const files = layOut(DOCUMENT, 'archive');
    try {
        runCommandOf(DOCUMENT, text.slice(0, 8), files.folder);
        const archive = join(files.path, 'libholdfast.a');
        ['by-name.c', 'by-header.cpp'].forEach((source) => shareWith(source, archive));
    } finally {
        files.remove();
    }
});

test('freestanding: the library needs only the three functions of its host', () => {
    mkdirSync(FOLDER, { recursive: true });
    const object = join(FOLDER, 'holdfast.o');
    run('clang', [...FLAGS, '-std=c11', '-c', 'c-src/holdfast.c', '-o', object]);
    const { stdout } = spawnSync('llvm-nm', ['--undefined-only', object], { encoding: 'utf8' });
    const names = stdout
        .trim()
        .split('\n')
        .map((line) => line.trim().split(/\s+/).at(-1))
        .filter((name) => name !== '__stack_pointer'); // the linker's
    assert.deepEqual(names.sort(), ['hf_host_may_block', 'hf_host_now_ns', 'hf_host_thread_id']);
});
