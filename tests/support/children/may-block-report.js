/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Prints what a thread may do, as JSON. A prelude makes it look like another kind of thread. */

const { Mutex, LockSpace, support } = await import('../../../js-glue/index.js');
const tc39 = await import('../../../js-glue/tc39.js');
const { wordsOf } = await import('../words.js').catch(() => ({ wordsOf: () => undefined }));

/** @param {() => unknown} call */
function codeOf(call) {
    try {
        call();
        return undefined;
    } catch (/** @type {any} */ error) {
        return { code: error.code, message: error.message };
    }
}

const mutex = new Mutex();
const words = () => (globalThis.crossOriginIsolated === false ? undefined : wordsOf(mutex));
const report = {
    support: support(),
    lock: codeOf(() => mutex.lock()),
    exec: codeOf(() => mutex.exec(() => 7)),
    acquire: codeOf(() => mutex.acquire()),
    tryLockFor: codeOf(() => mutex.tryLock(5)),
    tc39Lock: codeOf(() => tc39.Mutex.lock(new tc39.Mutex())),
    wordsAfterRefusals: words(),
    tryLock: mutex.tryLock(),
    unlock: codeOf(() => mutex.unlock()),
    execAsync: await mutex.execAsync(() => 7),
    contended: await (() => {
        mutex.tryLock();
        const promise = mutex.execAsync(() => 8);
        setImmediate(() => mutex.unlock());
        return promise;
    })(),
    guard: await mutex.acquireAsync().then((guard) => {
        guard.release();
        return guard.released;
    }),
    words: words(),
    handle: codeOf(() => mutex.handle),
    spaceHandle: codeOf(() => new LockSpace().handle),
};
console.log(JSON.stringify(report));
