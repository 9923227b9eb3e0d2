/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Prints what a KeyedMutex does in a thread that may not block, as JSON. A prelude makes it look like such a
 * thread. */

const { LockSpace } = await import('../../../js-glue/index.js');
const { KeyedMutex } = await import('../../../js-glue/keyed.js');
const { freeBytes } = await import('../free-bytes.js');
const { lockStripes } = await import('../keyed-steps.js');

const space = new LockSpace();
const keyed = new KeyedMutex({ space });
const before = freeBytes(space);
/** @type {Record<string, () => unknown>} */
const BLOCKING = {
    lock: () => keyed.lock('key'),
    tryLock: () => keyed.tryLock('key', 0.5),
    exec: () => keyed.exec('key', () => {}),
    acquire: () => keyed.acquire('key'),
    tryAcquire: () => keyed.tryAcquire('key', 5),
    recover: () => keyed.recover('key', () => {}),
};
const refused = Object.entries(BLOCKING).map(([name, call]) => {
    try {
        call();
        return [name, 'it returned'];
    } catch (error) {
        const { code, message } = /** @type {import('../../../js-glue/index.js').HoldfastError} */ (error);
        return [name, code, message];
    }
});
const untouched = freeBytes(space) === before;
const free = lockStripes(keyed);
const isShut = !keyed.tryLock('key');
const asked = keyed.execAsync('key', () => 'ran');
free();
const later = await asked;
const tried = [
    isShut,
    later,
    keyed.tryLock('key'),
    keyed.tryLock('key'),
    await keyed.execAsync('other', () => 'ran'),
];
console.log(JSON.stringify({ refused, untouched, tried }));
