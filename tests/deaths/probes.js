/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LockSpace, Mutex } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { AGENT_PRESENCE_OFFSET, THREAD_MARK } from '../../js-glue/memory/layout.js';
import { makeBoard, reach, reached } from '../support/board.js';
import { randomOf } from '../support/seed.js';
import { within } from '../support/watchdog.js';
import { Member } from '../stress/member.js';
import { GO_ON, READY } from './mortal.js';

/* Probes living threads (c-src/agents.h): none may be declared dead. The probes have a clock of their own, so
 * that none is too early. */

/** Longer than the time between any two probes. */
const STEP_MS = 1_000_000;
/** The count of a thread's entries is in the word before its presence word, above the count of probes. */
const LOOKING_BITS = 12;
const STATES = /** @type {const} */ (['idle', 'blocked', 'computing', 'collecting']);
const THREADS_OF_EACH = 2;
/** More probes than a thread has entries, so that some find no entry. */
const LOOKS = 70;
/** Some states last this long. */
const LONG_MS = 3000;
const LONG_PART = 0.04;
const CYCLE_MS = 30;

class Subject {
    board = makeBoard(2);
    looks = 0;
    unknown = 0;
    dead = 0;
    #cycles = 0;
    #clock = 0;
    #member;
    #mutex;

    /**
     * @param {import('../stress/member.js').StartThread} startThread
     * @param {LockSpace} space
     * @param {import('./mortal.js').State} state
     */
    constructor(startThread, space, state) {
        this.state = state;
        this.#mutex = new Mutex({ space });
        this.#member = new Member(startThread, true);
        const { board } = this;
        this.failed = this.#member.ask('live', { handle: this.#mutex.handle, board, state });
        this.failed.catch(() => {});
    }

    /** Waits until the thread is in its state. */
    begin() {
        this.#cycles += 1;
        const ready = Promise.race([reached(this.board, READY, this.#cycles), this.failed]);
        return within(ready, `a thread that is ${this.state}`, [this.#mutex]);
    }

    look() {
        const { exports, table, words } = attach(this.#mutex.memory);
        const { byteOffset } = this.#mutex;
        const self = exports.owner_probe(byteOffset, table, 0, 0);
        const presence = (exports.agents_slot(table, self) + AGENT_PRESENCE_OFFSET) / 4;
        const isKnown = Atomics.load(words, presence - 1) >>> LOOKING_BITS > 0;
        this.#clock += STEP_MS;
        exports.owner_probe(byteOffset, table, self, this.#clock >>> 0);
        const left = exports.owner_probe(byteOffset, table, 0, 0);
        this.dead += left === self && (self & THREAD_MARK) === 0 ? 0 : 1;
        this[isKnown ? 'looks' : 'unknown'] += 1;
    }

    /** Lets the thread's event loop have a turn. */
    goOn() {
        reach(this.board, GO_ON);
    }

    terminate() {
        return this.#member.terminate();
    }
}

/**
 * @param {object} options
 * @param {number} options.probes
 * @param {import('../stress/member.js').StartThread} options.startThread
 * @param {number} options.seed
 * @param {(line: string) => void} options.tell
 * @returns {Promise<{ state: string, looks: number, unknown: number, dead: number }[]>}
 */
export async function probe({ probes, startThread, seed, tell }) {
    if (probes === 0) {
        return [];
    }
    const random = randomOf(seed);
    const space = new LockSpace();
    const subjects = STATES.flatMap((state) =>
        Array.from({ length: THREADS_OF_EACH }, () => new Subject(startThread, space, state)),
    );
    const sum = (/** @type {'looks' | 'unknown' | 'dead'} */ what, some = subjects) =>
        some.reduce((all, subject) => all + subject[what], 0);
    while (sum('looks') < probes && sum('dead') === 0) {
        const lasts = random.chance(LONG_PART) ? LONG_MS : CYCLE_MS * random.next();
        for (const subject of subjects) {
            await subject.begin();
        }
        for (let look = 0; look < LOOKS; look += 1) {
            subjects.forEach((subject) => subject.look());
            if (look % 10 === 0) {
                await new Promise((resolve) => setTimeout(resolve, lasts / 7));
            }
        }
        subjects.forEach((subject) => subject.goOn());
    }
    await Promise.all(subjects.map((subject) => subject.terminate()));
    const result = STATES.map((state) => {
        const some = subjects.filter((subject) => subject.state === state);
        const counts = { looks: sum('looks', some), unknown: sum('unknown', some), dead: sum('dead', some) };
        return { state, ...counts };
    });
    tell(`looks at living threads: ${JSON.stringify(result)}`);
    return result;
}
