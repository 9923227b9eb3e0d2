/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { inOpenBrowsers } from '../browser/driver.js';
import { contestantOf } from '../contestants.js';
import { atLeast, atMost, compare, valueAtLeast, valueAtMost } from '../figures.js';
import { exchange } from '../messages-run.js';
import { quantile, runInTurns } from '../rounds.js';

/* Compares a channel with postMessage, called once for each message. postMessage has no bound, so its senders stop
 * after a number of messages. A channel's senders wait when the channel is full. */

/**
 * @typedef {import('../messages-run.js').MessageRun} MessageRun
 * @typedef {import('../messages-run.js').Exchanged} Exchanged
 * @typedef {import('../scenarios.js').Options} Options
 * @typedef {object} Place
 * @property {string} title
 * @property {'main' | 'page'} loop
 * @property {number} mostPosted the number of messages that make a backlog of some tenths of a second
 * @property {(run: MessageRun) => Promise<Exchanged>} run
 */

const OTHER = 'postMessage';
const TIMES = 4000;
const PERCENTILES = /** @type {const} */ ([
    ['median', 0.5],
    ['99th percentile', 0.99],
]);

const [TO_LOOP, FROM_LOOP, BETWEEN] = /** @type {const} */ (['to loop', 'from loop', 'between']);
const WAYS = [TO_LOOP, FROM_LOOP, BETWEEN];
const SIZES = [16, 1024];

/**
 * Rivals between two workers, with messages of 16 B: the contestant of ours that each is compared with, and
 * the bound of the ratio. The ring has bytes, not messages: its program joins them, and takes them apart again.
 * @type {{ key: string, ours: string, least?: number }[]}
 */
const RIVALS = [
    { key: 'ring', ours: 'channelJoined', least: 1 },
    { key: 'ring', ours: 'channelBatches' },
    { key: 'multithreadingChannel', ours: 'channel', least: 5 },
];

const FLOOD = { way: TO_LOOP, size: 1024, isFlood: true };
const FLOOD_SECONDS = 2;
const FLOOD_EVERY_MS = 0.02;
const MOST_AGE_MS = 300;
const LEAST_FRAMES = 55;

const IDLE_SECONDS = 2;
const MOST_IDLE_PERCENT = 0.5;

/** @param {Place} place @param {Pick<MessageRun, 'way' | 'size' | 'senders'>} run */
function describe({ title, loop }, { way, size, senders = 1 }) {
    const workers = senders === 1 ? 'worker' : `${senders} workers`;
    const ends = {
        'to loop': `${workers} → ${loop}`,
        'from loop': `${loop} → worker`,
        between: `${workers} → worker`,
    };
    return `${title}, ${ends[way]}, ${size} B`;
}

/** @param {Place} place @param {Pick<MessageRun, 'way' | 'size'>} run */
function leastRatio({ loop }, { way, size }) {
    if (loop === 'page' && way !== BETWEEN) {
        return 3;
    }
    return way === TO_LOOP && size > 16 ? 1.2 : 2;
}

/**
 * In each round, makes one run of each contestant, holdfast's first.
 * @param {Place} place @param {number} rounds @param {Omit<MessageRun, 'key'>} run @param {number} [mostPosted]
 */
async function inTurns(place, rounds, run, keys = ['channel', OTHER], mostPosted) {
    const contestants = await Promise.all(
        keys.map(async (key) => ({ key, title: (await contestantOf(key)).title })),
    );
    return runInTurns(rounds, contestants, ({ key }) =>
        place.run({ ...run, key, ...(key === OTHER && { most: mostPosted }) }),
    );
}

/** @param {Place} place @param {Options} options */
async function rates(place, { full, rounds, seconds }) {
    const settings = WAYS.flatMap((way) =>
        SIZES.flatMap((size) =>
            (full && way !== FROM_LOOP ? [1, 4] : [1]).map((senders) => ({ way, size, senders, seconds })),
        ),
    );
    const figures = [];
    for (const run of settings) {
        const least = leastRatio(place, run);
        const hasRivals = run.way === BETWEEN && run.size === 16 && run.senders === 1;
        const pairs = [
            { key: OTHER, ours: 'channel', least },
            { key: OTHER, ours: 'channelBatches', least },
            ...(run.size > 16 ? [{ key: OTHER, ours: 'channelInPlace', least }] : []),
            ...(hasRivals ? RIVALS : []),
        ];
        const keys = new Set(pairs.flatMap(({ key, ours }) => [ours, key]));
        const results = await inTurns(place, rounds, run, [...keys], place.mostPosted);
        for (const { key, ours, least } of pairs) {
            const both = [ours, key].flatMap((name) => results.filter((one) => one.key === name));
            const what = `${describe(place, run)}: messages ${both[0]?.title}`;
            const bound = least ? atLeast(least) : undefined;
            figures.push(...compare(what, '/s', ({ rate }) => rate, both, bound));
        }
    }
    return figures;
}

/** Questions and answers: by messages, and by calls that block. */
const QUESTIONS = [
    { way: FROM_LOOP, what: 'loop asks worker', keys: ['channel', OTHER], most: [1.15, 1] },
    { way: TO_LOOP, what: 'worker calls loop, and blocks', keys: ['calls', 'postAndWait'], most: [1.3] },
    { way: BETWEEN, what: 'worker asks worker', keys: ['channel', OTHER], most: [1.15, 1] },
];

/** @param {Place} place @param {Options} options */
async function latencies(place, { full, rounds }) {
    const figures = [];
    for (const { way, what, keys, most } of QUESTIONS.slice(0, full ? 3 : 2)) {
        const run = { way, size: 16, seconds: 0, questions: TIMES };
        const both = await inTurns(place, rounds, run, keys);
        for (const [index, [name, part]] of PERCENTILES.entries()) {
            const title = `${place.title}, ${what.replace('loop', place.loop)}, 16 B: ${name}`;
            const bound = most[index] === undefined ? undefined : atMost(most[index]);
            figures.push(...compare(title, 'µs', ({ waits }) => quantile(waits, part) * 1000, both, bound));
        }
    }
    return figures;
}

/** @param {Place} place @param {Options} options */
async function floods(place, { full, rounds, seconds }) {
    const flood = { ...FLOOD, seconds: full ? FLOOD_SECONDS : seconds };
    const both = await inTurns(place, full ? Math.min(rounds, 3) : 1, { ...flood, everyMs: FLOOD_EVERY_MS });
    const what = `${place.title}, a worker sends 1 kB every 20 µs`;
    const last = `${what}: age of the last message`;
    const figures = compare(last, 'ms', ({ lastAge }) => lastAge, both, valueAtMost(MOST_AGE_MS));
    if (place.loop === 'page') {
        const frames = (/** @type {Exchanged} */ run) => run.frames;
        const drained = { title: 'holdfast', runs: [await place.run({ ...flood, key: 'channel' })] };
        const whole = `${place.title}, a worker fills the channel without a pause: frames`;
        figures.push(
            ...compare(`${what}: frames`, '/s', frames, both),
            ...compare(whole, '/s', frames, [drained], valueAtLeast(LEAST_FRAMES)),
        );
    } else {
        figures.push(...compare(`${what}: growth of the process`, 'MB', ({ megabytes }) => megabytes, both));
    }
    const series = both.map(({ key, runs }) => ({
        panel: place.title,
        contestant: key === OTHER ? OTHER : 'holdfast',
        points: runs[0]?.ages ?? [],
    }));
    return { figures, series };
}

/** @param {Place} place @param {Options} options */
async function idle(place, { rounds }) {
    const run = { way: FROM_LOOP, size: 16, seconds: IDLE_SECONDS, questions: 1 };
    const both = await inTurns(place, Math.min(rounds, 2), run);
    const what = `${place.title}, main and a worker wait for messages: processor time`;
    return compare(what, '% of a core', (one) => one.idle * 100, both, valueAtMost(MOST_IDLE_PERCENT));
}

/** @param {Place} place @param {Options} options */
async function measure(place, options) {
    const { figures, series } = await floods(place, options);
    return {
        figures: [
            ...(await rates(place, options)),
            ...(await latencies(place, options)),
            ...figures,
            ...(place.loop === 'main' ? await idle(place, options) : []),
        ],
        series,
    };
}

/** @type {import('../scenarios.js').Scenario} */
export const channel = {
    name: 'channel',
    inOtherProcesses: true,
    title: 'messages between threads by a channel: how many, how late, and what a flood does',
    async run(options) {
        const node = {
            title: 'Node.js',
            loop: /** @type {const} */ ('main'),
            mostPosted: 100_000,
            run: exchange,
        };
        const inNode = await measure(node, options);
        const { figures, series } = await inOpenBrowsers(options, ({ title, version, run }) =>
            measure({ title: `${title} ${version}`, loop: 'page', mostPosted: 20_000, run }, options),
        );
        return { figures: [...inNode.figures, ...figures], series: [...inNode.series, ...series] };
    },
};
