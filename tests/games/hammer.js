/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace } from '../../js-glue/index.js';
import { Member } from '../stress/member.js';
import { work } from '../support/board.js';
import { Detector } from '../support/detector.js';
import { within } from '../support/watchdog.js';
import { assertAtRest, restOf } from '../support/words.js';
import { contestNamed } from './contests.js';
import { makeWords } from './play.js';

/* Two workers acquire an object again and again without a pause, and an event loop still gets its turns. */

const SECTION_MS = 0.05;
const HAMMERS = 2;
const STOP = 0;
/** The first of the counts, one for each worker: how often it has acquired the object. */
const COUNTS = 1;
const WORDS = COUNTS + HAMMERS;

/** @typedef {{ name: string, handle: any, words: Int32Array, pair: SharedArrayBuffer, index: number }} HammerPart */

/**
 * The part of a hammering worker.
 *
 * @param {HammerPart} part
 * @returns {number} how often it saw another's section half done
 */
export function hammer({ name, handle, words, pair, index }) {
    const contest = contestNamed(name);
    const { take, giveBack } = contest.worker(handle);
    const detector = new Detector(pair, 0);
    while (Atomics.load(words, STOP) === 0) {
        take();
        if (contest.excludesWorkers) {
            detector.section(SECTION_MS);
        } else {
            const before = detector.total;
            work(SECTION_MS);
            detector.torn += detector.total === before ? 0 : 1;
        }
        Atomics.add(words, COUNTS + index, 1);
        giveBack();
    }
    return detector.torn;
}

/**
 * @param {object} options
 * @param {string} options.name of the contest
 * @param {import('../stress/member.js').StartThread} options.startThread
 * @param {number} options.asks the number of the event loop's requests
 * @param {() => Promise<unknown>} options.pause between two requests
 */
export async function askAmongHammers({ name, startThread, asks, pause }) {
    const { make, loop, excludes } = contestNamed(name);
    const space = new LockSpace();
    const object = make(space);
    const rest = restOf(object);
    const { handle } = object;
    const words = makeWords(WORDS);
    const pair = new SharedArrayBuffer(Detector.BYTES);
    const detector = new Detector(pair, 0);
    const members = Array.from({ length: HAMMERS }, () => new Member(startThread, true));
    const sections = () =>
        words.subarray(COUNTS).reduce((sum, _, index) => sum + Atomics.load(words, COUNTS + index), 0);
    try {
        const begin = (/** @type {Member} */ member) =>
            member.ask('begin', { words: member.words.shared, space: space.handle });
        await Promise.all(members.map(begin));
        const hammers = members.map((member, index) =>
            member.ask('hammer', { name, handle, words, pair, index }),
        );
        const all = Promise.all(hammers);
        while (!words.subarray(COUNTS).every((_, index) => Atomics.load(words, COUNTS + index) > 0)) {
            await Promise.race([pause(), all]);
        }
        /** @type {number[]} */
        const waits = [];
        /** @type {number[]} */
        const overtaken = [];
        let longestPause = 0;
        for (let ask = 0; ask < asks; ask += 1) {
            const asked = performance.now();
            const before = sections();
            const section = () => {
                waits.push(performance.now() - asked);
                overtaken.push(sections() - before);
                const { total } = detector;
                if (excludes) {
                    detector.section(0);
                } else {
                    work(SECTION_MS);
                    detector.torn += detector.total === total ? 0 : 1;
                }
            };
            await within(loop(handle, section), `ask ${ask} among hammers`, [object]);
            const met = performance.now();
            await pause();
            longestPause = Math.max(longestPause, performance.now() - met);
        }
        Atomics.store(words, STOP, 1);
        const torn = await within(all, 'the hammers', [object]);
        assertAtRest(object, rest);
        waits.sort((a, b) => a - b);
        return {
            answered: waits.length,
            median: waits[waits.length >> 1] ?? Infinity,
            longestPause,
            worst: waits.at(-1) ?? Infinity,
            overtaken: overtaken.sort((a, b) => b - a), // the most first
            torn: torn.reduce((sum, count) => sum + count, detector.torn),
            sections: sections(),
        };
    } finally {
        await Promise.all(members.map((member) => member.terminate()));
    }
}
