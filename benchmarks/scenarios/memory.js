/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { admit } from '../contestants.js';
import { perform } from '../crew.js';
import { compare, withAbsent } from '../figures.js';
import { runInTurns } from '../rounds.js';

const LOCKS = 2_000;
const REQUESTS = 10_000;

/** @type {import('../scenarios.js').Scenario} */
export const memory = {
    name: 'memory',
    title: 'bytes of the JavaScript heap, for the object of a lock and for a request that waits',
    async run({ full }) {
        const more = full ? ['asyncLock', 'asyncSema', 'multithreading', 'webLocks'] : [];
        const keys = ['holdfast', 'textbook', 'asyncMutex', ...more];
        const { admitted, refused } = await admit(keys, ['waits']);
        const bytes = await runInTurns(1, admitted, async ({ key: contestant }) => {
            const options = { contestant, requests: REQUESTS };
            const task = {
                job: /** @type {const} */ ('memory'),
                arena: makeArena(1, LOCKS),
                thread: 0,
                options,
            };
            const [measured] = await perform(`memory of ${contestant}`, 10, [task]);
            return /** @type {NonNullable<typeof measured>} */ (measured);
        });
        const figures = [
            ...compare('a lock, beside its 16 bytes of shared memory', 'bytes', ({ lock }) => lock, bytes),
            ...compare('a request that waits', 'bytes', ({ request }) => request, bytes),
        ];
        return withAbsent(figures, refused);
    },
};
