/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Atomics.waitAsync throws once: the waiting request is rejected, and the next one is granted. */

const { waitAsync } = Atomics;
let isOdd = false;
Atomics.waitAsync = /** @type {typeof waitAsync} */ (
    (/** @type {any[]} */ ...args) => {
        if (isOdd) {
            isOdd = false;
            throw new Error('odd waitAsync');
        }
        return Reflect.apply(waitAsync, Atomics, args);
    }
);
const { Mutex } = await import('../../../js-glue/index.js');
const mutex = new Mutex();
mutex.lock();
isOdd = true;
const told = mutex.execAsync(() => 'served').catch((error) => error.message);
const next = mutex.execAsync(() => 7);
setTimeout(() => mutex.unlock(), 20);
process.stdout.write(`${await told}; ${await next}`);
