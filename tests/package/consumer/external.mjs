/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Run by tests/package/package.test.js in a project that has installed the package: the module as a file. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import * as external from 'holdfast/external';

const { loadModule, LockSpace, Mutex } = external;

/** @param {() => unknown} call */
async function codeOf(call) {
    try {
        return await call();
    } catch ({ code }) {
        return code;
    }
}

/** @param {() => unknown} call */
async function messageOf(call) {
    try {
        return await call();
    } catch ({ code, message }) {
        return `${code} ${message.match(/another version/)}`;
    }
}

/** Counts in a section. */
function count({ mutex, byteOffset }) {
    const counter = new Int32Array(mutex.memory.buffer, byteOffset, 1);
    Mutex.from(mutex).exec(() => (counter[0] += 1));
    return counter[0];
}

async function main() {
    const words = [await codeOf(() => new Mutex())];
    const file = await readFile(new URL(import.meta.resolve('holdfast/holdfast.wasm')));
    const other = new Uint8Array(file);
    other[file.length - 1] ^= 1;
    words.push(await codeOf(() => loadModule(other)));
    words.push(
        await codeOf(() => loadModule(Promise.resolve(new Response('no such file', { status: 404 })))),
    );
    words.push(await codeOf(() => loadModule('holdfast.wasm')));
    const programs = new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0));
    words.push(await codeOf(() => loadModule(programs)), await codeOf(() => new Mutex()));
    words.push(await messageOf(() => loadModule(new WebAssembly.Module(other)))); // a module with another mark
    words.push(await messageOf(() => loadModule(new WebAssembly.Module(file.subarray(0, -8)))));
    const oddMark = [0, 5, 1, 'v'.charCodeAt(0), 1, 2, 3];
    words.push(
        await messageOf(() =>
            loadModule(new WebAssembly.Module(Uint8Array.of(...file.subarray(0, -8), ...oddMark))),
        ),
    );
    const shared = new Uint8Array(new SharedArrayBuffer(file.length));
    shared.set(file);
    await loadModule(shared);
    const module = await loadModule(Promise.resolve(new Response(file)));

    const space = new LockSpace();
    const { Barrier, CountingSemaphore, Latch, Once, RecursiveMutex, RwLock, RecoverableSemaphore } =
        external;
    const latch = new Latch({ space, count: 1 });
    const locks = [Once, RecursiveMutex, RwLock, Mutex].map((Class) => new Class({ space }));
    const seats = [CountingSemaphore, RecoverableSemaphore].map((Class) => new Class({ space, max: 2 }));
    space.free(latch);
    external.trace(new Barrier({ space, parties: 2 }))();
    external.debug()();
    words.push(seats.every(({ value }) => value === 2) && locks[3].tryLock() ? 'in every class' : 'lost');

    const mutex = new Mutex({ space });
    const posted = { mutex: mutex.handle, byteOffset: space.alloc(4) };
    await once(new Worker(new URL(import.meta.url), { workerData: { module, ...posted } }), 'exit');
    words.push(`${count(posted)} in two threads`);

    const embedded = await import('holdfast');
    const same = embedded.Mutex.from(mutex.handle);
    words.push(`${mutex.exec(() => codeOfNow(() => same.lock()))} of the other copy`);
    console.log(words.join(', '));
}

/** @param {() => unknown} call */
function codeOfNow(call) {
    try {
        return call();
    } catch ({ code }) {
        return code;
    }
}

if (isMainThread) {
    await main();
} else {
    void loadModule(workerData.module); // not awaited: the module takes effect at once
    count(workerData);
}
