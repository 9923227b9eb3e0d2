/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { makeArena } from '../arena.js';
import { admit, openLock } from '../contestants.js';
import { checkCounters, Counters } from '../counters.js';
import { gather } from '../crew.js';
import { Drain } from '../drain.js';
import { atMost, figureOf } from '../figures.js';
import { interleave, median } from '../rounds.js';
import { watched } from '../watchdog.js';

/** How many requests wait at a time, and how often that is measured in a round. */
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

/** @typedef {Record<number, number[]>} Costs µs a request, by size and round */

/**
 * @param {Drain} drain
 * @param {{ size: number, times: number }} queue
 */
async function costOf(drain, { size, times }) {
    const costs = [];
    for (let time = 0; time < times; time += 1) {
        costs.push(await drain.run(size));
    }
    return median(costs);
}

/**
 * @param {{ key: string, title: string, shares: boolean }} contestant
 * @param {typeof SIZES} warmUp
 * @returns {Promise<Costs>} of one round, after that which warms up
 */
async function measure({ key, title, shares }, warmUp) {
    const arena = makeArena(1);
    const times = [...warmUp, ...SIZES].reduce((sum, queue) => sum + queue.times, 0);
    return watched(`queue of ${title}`, arena, 20, async () => {
        const crew = shares
            ? await gather([{ job: 'hold', arena, thread: 0, options: { contestant: key, times } }])
            : undefined;
        const drain = new Drain(await openLock(key, arena), new Counters(arena, 0), arena, shares);
        crew?.go();
        const measureAll = (/** @type {typeof SIZES} */ queues) =>
            interleave(
                1,
                Object.fromEntries(queues.map((queue) => [queue.size, () => costOf(drain, queue)])),
            );
        await measureAll(warmUp);
        const costs = await measureAll(SIZES);
        await crew?.ended;
        checkCounters(arena);
        return costs;
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const queue = {
    name: 'queue',
    title: 'many pending requests of one thread, from asking to the last answer',
    async run({ full, rounds, against }) {
        const rivals = [
            'textbook',
            ...(full ? ['listOfPromises', 'asyncMutex', 'asyncLock', 'asyncSema', 'multithreading'] : []),
        ];
        const keys = ['holdfast', ...(against ?? rivals)];
        const { admitted, refused } = await admit(keys, ['waits']);
        const { admitted: sharing } = await admit(keys, ['waits', 'shares', 'blocks']);
        // The longest queue runs the code that the others have warmed up, and takes more time than all of them.
        const warmUp = full ? SIZES : SIZES.filter(({ size }) => size < LARGE);
        const results = await interleave(
            rounds,
            Object.fromEntries(
                admitted.map(({ key, title }) => {
                    const shares = sharing.some((one) => one.key === key);
                    return [key, () => measure({ key, title, shares }, warmUp)];
                }),
            ),
        );
        /** @param {string} key @param {number} size */
        const costs = (key, size) => (results[key] ?? []).flatMap((round) => round[size] ?? []);
        const figures = SIZES.filter(({ size }) => size > SMALL).map(({ size }) =>
            figureOf(
                `${size.toLocaleString('en')} requests: each`,
                'µs',
                costs('holdfast', size),
                { name: `of ${SMALL}`, rounds: costs('holdfast', SMALL) },
                size === LARGE ? atMost(MOST_GROWTH) : undefined,
            ),
        );
        for (const { key, title } of admitted.slice(1)) {
            const bound = key === 'textbook' ? atMost(MOST_OF_TEXTBOOK) : undefined;
            figures.push(
                ...[SMALL, LARGE].map((size) =>
                    figureOf(
                        `${size.toLocaleString('en')} requests: each`,
                        'µs',
                        costs('holdfast', size),
                        { name: title, rounds: costs(key, size) },
                        size === LARGE ? bound : undefined,
                    ),
                ),
            );
        }
        figures.push(
            ...refused.map((other) => figureOf('100 requests: each', 'µs', costs('holdfast', SMALL), other)),
        );
        return {
            figures,
            series: admitted.map(({ key, title }) => ({
                picture: /** @type {const} */ ('queue'),
                panel: '',
                contestant: title,
                points: SIZES.map(
                    ({ size }) => /** @type {[number, number]} */ ([size, median(costs(key, size))]),
                ),
            })),
        };
    },
};
