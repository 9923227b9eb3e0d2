/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mutex } from '../../js-glue/index.js';
import { runFile } from '../support/child.js';
import { jobEnds } from '../support/event-loop.js';
import { programMemory } from '../support/program-memory.js';
import { garbageCollector } from '../support/garbage.js';

test('freed: locks that were used and freed leave no objects on the heap', async () => {
    const { code, stdout, stderr } = await runFile(
        new URL('../support/children/heap-of-freed.js', import.meta.url).pathname,
        [],
        ['--expose-gc'],
    );
    assert.equal(code, 0, stderr);
    const [bytes = Infinity] = stdout.split(' ').map(Number);
    // A queue that is kept takes several hundred bytes.
    assert.ok(bytes < 100, `${bytes} bytes a lock`);
});

test("freed: the glue's data about another program's memory is collected with that memory", async () => {
    const scope = /** @type {Record<symbol, any>} */ (/** @type {unknown} */ (globalThis));
    const kept = () => scope[Symbol.for('holdfast')].strangers.length;
    const collectGarbage = garbageCollector();
    const memory = programMemory(4096);
    Mutex.at(memory, 64);
    const most = kept() + 500;
    for (let times = 0; times < 10; times += 1) {
        for (let objects = 0; objects < 100; objects += 1) {
            Mutex.at(structuredClone(memory), 64);
        }
        await jobEnds();
        collectGarbage();
    }
    assert.ok(kept() < most, `${kept()} are kept of 1000`);
});

test('heap: the object of a mutex takes less than 300 bytes', async () => {
    const LOCKS = 4000;
    const memory = new WebAssembly.Memory({ initial: 2, maximum: 2, shared: true });
    const collectGarbage = garbageCollector();
    const usedBytes = async () => {
        await jobEnds(); // a job keeps what it has read through weak references
        collectGarbage();
        return process.memoryUsage().heapUsed;
    };
    const openAll = () => Array.from({ length: LOCKS }, (_, number) => Mutex.at(memory, 64 + 16 * number));
    openAll(); // for the first time, so that the engine's own data for this code does not count
    const before = await usedBytes();
    const mutexes = openAll();
    const bytes = ((await usedBytes()) - before) / LOCKS;
    assert.equal(mutexes.length, LOCKS);
    assert.ok(bytes < 300, `${bytes} bytes a lock`);
});
