/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Run by tests/package/package.test.js in a project that has installed the package: every entry, as CommonJS. */
const { LockSpace, Mutex } = require('holdfast');
const { debug } = require('holdfast/debug');
const { KeyedMutex } = require('holdfast/keyed');
const { RecoverableSemaphore } = require('holdfast/recoverable');
const { trace } = require('holdfast/trace');

const words = [];

async function main() {
    const space = new LockSpace();
    const mutex = new Mutex({ space });
    words.push(mutex.exec(() => 'ran'));
    debug()();
    mutex.lock();
    const waits = mutex.execAsync(() => 'waited');
    mutex.unlock();
    words.push(await waits);
    trace(mutex)();
    words.push('traced');
    words.push(new KeyedMutex({ space }).exec('key', () => 'by key'));
    const seats = new RecoverableSemaphore({ space, max: 1 });
    await seats.execAsync(() => {});
    words.push(seats.value === 1 ? 'given back' : 'lost');
    console.log(words.join(', '));
}

void main();
