/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** V8's version of the TC39 proposal, behind a flag; the proposal is still changing. */
const { Mutex } =
    /** @type {{ Mutex?: { new (): object, lock<T>(mutex: object, callback: () => T): T } }} */ (
        /** @type {unknown} */ (Atomics)
    );

/** Makes a mutex to post to the threads of a run, if the engine has such mutexes. */
export function makeAtomicsMutex() {
    return Mutex && new Mutex();
}

/**
 * https://github.com/tc39/proposal-structs: V8's trial of the proposal, which --harmony-struct switches on. Other things fail
 * under that flag: Node 20 crashes in the scenario `queue`, and may hang when threads start while another collects garbage.
 *
 * @type {import('../contestants.js').Contestant}
 */
export const atomicsMutex = {
    title: 'Atomics.Mutex',
    missing: Mutex ? undefined : 'this runtime has none; V8 has it behind --harmony-struct',
    waits: 'V8 has no async form of it yet',
    open: ({ atomicsMutex: mutex }) => ({
        exec: (callback) => /** @type {any} */ (Mutex).lock(mutex, callback),
    }),
};

/** @type {{ request<T>(name: string, callback: () => T): Promise<T> } | undefined} */
const locks = /** @type {any} */ (globalThis.navigator)?.locks;

/** https://www.w3.org/TR/web-locks/ @type {import('../contestants.js').Contestant} */
export const webLocks = {
    title: 'Web Locks',
    missing: locks ? undefined : 'this runtime has none; Node has from version 24 on',
    blocks: 'they are async only',
    open({ name }) {
        return { execAsync: (callback) => /** @type {any} */ (locks).request(name, callback) };
    },
};
