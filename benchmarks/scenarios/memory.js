/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { admit } from '../contestants.js';
import { gather } from '../crew.js';
import { figureOf, withAbsent } from '../figures.js';
import { watched } from '../watchdog.js';

const LOCKS = 2_000;
const REQUESTS = 10_000;

/** @param {string} contestant */
async function measure(contestant) {
    const arena = makeArena(1, LOCKS);
    return watched(`memory of ${contestant}`, arena, 10, async () => {
        const options = { contestant, requests: REQUESTS };
        const crew = await gather([{ job: 'memory', arena, thread: 0, options }]);
        crew.go();
        const [bytes] = await crew.ended;
        return /** @type {NonNullable<typeof bytes>} */ (bytes);
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const memory = {
    name: 'memory',
    title: 'bytes of the JavaScript heap, for the object of a lock and for a request that waits',
    async run({ full }) {
        const rivals = [
            'textbook',
            'asyncMutex',
            ...(full ? ['asyncLock', 'asyncSema', 'multithreading', 'webLocks'] : []),
        ];
        const { admitted, refused } = await admit(['holdfast', ...rivals], ['waits']);
        const bytes = [];
        for (const { key, title } of admitted) {
            bytes.push({ title, ...(await measure(key)) });
        }
        const [ours, ...others] = bytes;
        /** @param {string} what @param {(of: { lock: number, request: number }) => number} of */
        const compare = (what, of) =>
            others.map((other) =>
                figureOf(what, 'bytes', ours ? [of(ours)] : [], { name: other.title, rounds: [of(other)] }),
            );
        const figures = [
            ...compare('a lock, beside its 16 bytes of shared memory', ({ lock }) => lock),
            ...compare('a request that waits', ({ request }) => request),
        ];
        return { figures: withAbsent(figures, refused) };
    },
};
