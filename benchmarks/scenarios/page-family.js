/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { admit } from '../contestants.js';
import { runContended } from '../contended-run.js';
import { askEvery } from '../event-loop.js';
import { figureOf } from '../figures.js';
import { throughput } from '../rates.js';
import { runInTurns } from '../rounds.js';
import { percentiles, waitBound } from './page-bounds.js';
import { ASK_EVERY_MS, LEAST_SECONDS } from './page-runs.js';

/* The runs of `page`, with other things to wait for than a mutex. */

const LOAD = { workers: 2, sectionMs: 0.05 };

/** A thread's first waits run code that the engine has not compiled yet; such a run does not count. */
const WARM_UP = { askEveryMs: 1, partOfARun: 1 / 4 };

/**
 * @typedef {object} Setting
 * @property {string} what
 * @property {string[]} keys of the contestants as the event loop uses them, holdfast's first
 * @property {number} [readsIn100] of the workers; none: what they take is exclusive
 * @property {true} [inFull] not in the quick run
 */

/** @type {readonly Setting[]} */
const SETTINGS = [
    { what: 'a semaphore', keys: ['binarySemaphore', 'multithreadingBinarySemaphore'], inFull: true },
    { what: 'an rwlock, both write', keys: ['rwLock', 'multithreadingRwLock'], inFull: true },
    {
        what: 'an rwlock, the workers read and the event loop writes',
        keys: ['rwLock', 'multithreadingRwLock'],
        readsIn100: 100,
    },
    {
        what: 'an rwlock, the workers write and the event loop reads',
        keys: ['rwLockReader', 'multithreadingRwLockReader'],
        inFull: true,
    },
];

/**
 * @param {{ setting: Setting, key: string }} variant
 * @param {number} seconds
 * @param {number} everyMs
 */
function runOne({ setting: { readsIn100 }, key: contestant }, seconds, everyMs) {
    return runContended({
        ...LOAD,
        contestant,
        ...(readsIn100 !== undefined && { readsIn100, job: () => /** @type {const} */ ('readWrite') }),
        seconds,
        start: (asker) => askEvery(asker, everyMs),
    });
}

/** @type {import('./scenarios.js').Scenario} */
export const pageFamily = {
    name: 'page-family',
    title: 'how long the event loop waits for a semaphore or an rwlock, asking every 4 ms, while 2 workers hammer it',
    async run({ full, rounds, seconds }) {
        const settings = SETTINGS.filter(({ inFull }) => full || !inFull);
        const variants = [];
        for (const setting of settings) {
            const { admitted } = await admit(full ? setting.keys : setting.keys.slice(0, 1), ['waits']);
            variants.push(...admitted.map((contestant) => ({ setting, ...contestant })));
        }
        for (const variant of variants) {
            await runOne(variant, seconds * WARM_UP.partOfARun, WARM_UP.askEveryMs);
        }
        const measured = await runInTurns(rounds, variants, (variant) =>
            runOne(variant, Math.max(seconds, LEAST_SECONDS), ASK_EVERY_MS),
        );
        return {
            figures: settings.flatMap((setting) => {
                const [ours, theirs] = measured.filter((one) => one.setting === setting);
                const runs = ours?.runs ?? [];
                const beside = (/** @type {(runs: Measured[]) => number[]} */ of) =>
                    theirs && { name: theirs.title, rounds: of(theirs.runs) };
                const waits = (/** @type {Measured[]} */ of) => percentiles(of, 'all');
                const forLock = (/** @type {Measured[]} */ of) => percentiles(of, 'forLock');
                const rates = (/** @type {Measured[]} */ of) => of.map(throughput);
                return [
                    figureOf(
                        `${setting.what}: wait, 99th percentile`,
                        'ms',
                        waits(runs),
                        beside(waits),
                        waitBound(LOAD),
                    ),
                    figureOf(
                        `${setting.what}: the same, without the time in which it only lacked a core`,
                        'ms',
                        forLock(runs),
                        beside(forLock),
                    ),
                    figureOf(`${setting.what}: sections of both workers`, '/s', rates(runs), beside(rates)),
                ];
            }),
        };
    },
};

/** @typedef {import('../contended-run.js').Measured} Measured */
