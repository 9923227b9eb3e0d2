/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { checkCounters, Counters, makeArena } from '../arena.js';
import { admit, openLock } from '../contestants.js';
import { atMost, compare, itself, withAbsent } from '../figures.js';
import { median, runInTurns } from '../rounds.js';
import { watched } from '../watchdog.js';

/* From 10,000 requests on, the time includes the garbage collector, and the pauses that holdfast makes every 4 ms for the other
 * work of its thread. With 100,000 requests even a bare list of promises takes several times as long per request as with 100, so
 * the bound on growth is the list's own growth, or 2 if that is more. */

/** How many requests wait at a time, and how often that is measured per round. */
const SIZES = [
    { size: 1, times: 100 },
    { size: 10, times: 100 },
    { size: 100, times: 50 },
    { size: 1_000, times: 10 },
    { size: 10_000, times: 3 },
    { size: 100_000, times: 1 },
];

const SMALL = 100;
const LARGE = 100_000;

const MOST_GROWTH = 2;
const MOST_OF_TEXTBOOK = 0.5;

/**
 * Makes many requests while this thread holds the lock, releases the lock, and waits until all requests were granted.
 * This thread holds the lock by lock(), or by a pending section if the lock has no lock().
 * @param {import('../contestants.js').Lock} lock @param {Counters} counters @param {number} size
 * @returns {Promise<number>} µs per request: the time to make the requests, plus the time from the first section to
 *     the last. The wake of this thread in between is left out, since it happens only once.
 */
async function drain(lock, counters, size) {
    const { execAsync } = /** @type {Required<typeof lock>} */ (lock);
    const request = execAsync.bind(lock);
    lock.lock?.();
    const release = lock.lock
        ? () => lock.unlock?.()
        : await new Promise((resolve) => {
              void request(() => new Promise((end) => resolve(end)));
          });
    let first = 0;
    let last = 0;
    const section = () => {
        counters.enter();
        last = performance.now();
        first ||= last;
        counters.leave();
    };
    const start = performance.now();
    const requests = Array.from({ length: size }, () => request(section));
    const asked = performance.now();
    release();
    await Promise.all(requests);
    return ((asked - start + (last - first)) * 1000) / size;
}

/**
 * @param {{ key: string, title: string }} contestant @param {typeof SIZES} warmUp
 * @returns {Promise<Record<string, number>>} µs per request, by size, after the warm-up
 */
async function measure({ key, title }, warmUp) {
    const arena = makeArena(1);
    return watched(`queue of ${title}`, arena, 20, async () => {
        const lock = await openLock(key, arena);
        const counters = new Counters(arena, 0);
        /** @type {Record<string, number>} */
        const medians = {};
        for (const { size, times } of [...warmUp, ...SIZES]) {
            const costs = [];
            for (let time = 0; time < times; time += 1) {
                costs.push(await drain(lock, counters, size));
            }
            medians[size] = median(costs);
        }
        checkCounters(arena);
        return medians;
    });
}

/** @type {import('../scenarios.js').Scenario} */
export const queue = {
    name: 'queue',
    title: 'many pending requests of one thread, from asking to the last answer',
    async run({ full, rounds }) {
        const more = ['asyncMutex', 'asyncLock', 'asyncSema', 'multithreading'];
        const rivals = ['textbook', 'listOfPromises', ...(full ? more : [])];
        const { admitted, refused } = await admit(['holdfast', ...rivals], ['waits']);
        // The longest queue needs no warm-up of its own, which would take longer than all others: it runs the same
        // code.
        const warmUp = full ? SIZES : SIZES.filter(({ size }) => size < LARGE);
        const results = await runInTurns(rounds, admitted, (one) => measure(one, warmUp));
        /** @param {string} key @param {(costs: Record<string, number>) => number} of */
        const row = (key, of, title = '') => ({
            title,
            runs: results.filter((one) => one.key === key).flatMap(({ runs }) => runs.map(of)),
        });
        const of = (/** @type {number} */ size) => (/** @type {Record<string, number>} */ costs) =>
            costs[size] ?? NaN;
        const what = (/** @type {number} */ size) => `${size.toLocaleString('en')} requests: each`;
        const growth = (/** @type {Record<string, number>} */ costs) => of(LARGE)(costs) / of(SMALL)(costs);
        const least = (/** @type {Record<string, number>} */ costs) => Math.max(growth(costs), MOST_GROWTH);
        const list = row('listOfPromises', least, `a list of promises, at least ${MOST_GROWTH}:`);
        const figures = [
            ...SIZES.filter(({ size }) => size > SMALL).flatMap(({ size }) =>
                compare(what(size), 'µs', itself, [
                    row('holdfast', of(size)),
                    row('holdfast', of(SMALL), `of ${SMALL}`),
                ]),
            ),
            ...compare(
                `${what(LARGE)}, in times of ${SMALL}`,
                '',
                itself,
                [row('holdfast', growth), list],
                atMost(1),
            ),
            ...compare(what(SMALL), 'µs', of(SMALL), results),
            ...compare(what(LARGE), 'µs', of(LARGE), results, atMost(MOST_OF_TEXTBOOK)),
        ];
        return withAbsent(figures, refused);
    },
};
