/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The explorer treats two states of a thread with equal snapshots as one. Here the same events happen to both
 * states, which must then do the same. A snapshot with a field left out fails this test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    STEP_NEXT_DONE,
    STEP_NEXT_SHIFT,
    STEP_NEXT_WAIT_LINE,
    STEP_NEXT_WAIT_TURN,
    STEP_WATCHED_SHIFT,
} from '../../js-glue/memory/layout.js';
import { GlueInstance } from '../../models/explorer/glue-instance.js';
import { identityOf } from '../../models/explorer/symmetry.js';
import { shippedModule } from '../../models/wasm/shipped-module.js';
import { randomOf, seedFor } from '../support/seed.js';

/** @typedef {import('../../models/explorer/glue-instance.js').Job} Job */
/** @typedef {import('../../models/explorer/glue-instance.js').Question} Question */
/** @typedef {Pick<Job, 'job' | 'which'>} Next */
/** @typedef {import('../support/seed.js').Random} Random */
/** @typedef {{ objects: [name: string, is: string][], tasks: [string, ...any[]][], polls?: boolean }} Thread */

const ADDRESS = 1024;
const OBJECT_BYTES = 64;
const WALKS = 12;
/** The most walks in search of the missing fields. */
const MOST_WALKS = 400;
const JOBS = 14;
const WAYS = 8;

/** @type {Thread['tasks']} */
const IN_ANY_WAY = [['asksInAnyWay'], ['asksInAnyWay'], ['asksInAnyWay']];

/** @type {Thread[]} */
const THREADS = [
    {
        objects: [['lock', 'mutex']],
        tasks: [
            ['requests', 0],
            ['mayAbort', 0, 'a signal'],
            ['requestsForLong', 0],
        ],
    },
    {
        objects: [
            ['lock', 'semaphore'],
            ['way', 'data'],
        ],
        tasks: IN_ANY_WAY,
    },
    {
        objects: [
            ['lock', 'mutex'],
            ['way', 'data'],
        ],
        tasks: IN_ANY_WAY,
    },
    {
        objects: [
            ['lock', 'rwlock'],
            ['way', 'data'],
        ],
        tasks: IN_ANY_WAY,
    },
    {
        objects: [
            ['lock', 'semaphore'],
            ['way', 'data'],
        ],
        tasks: IN_ANY_WAY,
        polls: true,
    },
    {
        objects: [
            ['mutex', 'mutex'],
            ['condition', 'condition'],
            ['waits', 'data'],
            ['flag', 'data'],
            ['through', 'data'],
        ],
        tasks: [['mayGiveUpAsync'], ['waitsInCrowdAsync'], ['mayGiveUpAsync', 'shared']],
    },
    {
        objects: [
            ['event', 'event'],
            ['latch', 'latch'],
            ['barrier', 'barrier'],
            ['waits', 'data'],
        ],
        tasks: [['waitsAborting'], ['opensAborting'], ['arrivesAsync', 2]],
    },
];

/**
 * Fields without which the test fails. The other fields are the same in all states (addresses, functions), or
 * repeat information of another field: what a queue watches, and its polls, are alarms too; its requests are
 * among all that wait; an amount is in a request and in its section; a time limit is an alarm and a timer.
 */
const FIELDS = ['is', 'Queue$word', 'Queue$seen', 'ask', 'armed', 'isIdle', 'word'];

const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
const exports = [...shippedModule().exports.keys()];

/** @param {Thread} thread */
function newInstance({ objects, tasks, polls = false }) {
    const placed = objects.map(([name, is], at) => ({ name, is, address: ADDRESS + at * OBJECT_BYTES }));
    return new GlueInstance({
        ...{ memory, self: identityOf(0), polls, constants: {}, from: undefined, exports },
        setup: { objects: placed, tasks, isOld: false },
    });
}

/** An outcome of a step that other threads might cause. @param {Random} random */
function anyOutcome(random) {
    const next = [STEP_NEXT_DONE, STEP_NEXT_WAIT_TURN, STEP_NEXT_WAIT_LINE][random.below(3)] ?? 0;
    const watched = random.chance(0.4) ? 1 + random.below(2) : 0;
    return (
        (BigInt(watched) << BigInt(STEP_WATCHED_SHIFT)) |
        (BigInt(next) << BigInt(STEP_NEXT_SHIFT)) |
        BigInt(random.below(3))
    );
}

/**
 * @param {Question} question
 * @param {Random} random
 */
function answerOf(question, random) {
    if (question.is !== 'call') {
        return question.is === 'arm' ? random.chance(0.7) : random.below(WAYS);
    }
    switch (question.name) {
        case 'mutex_trylock':
        case 'gate_try_after':
        case 'condition_begin':
        case 'event_begin':
            return random.below(2);
        case 'barrier_arrive':
            return BigInt(random.below(2));
        case 'semaphore_max':
            return 2;
        case 'owned_is_by':
            return 1;
        default:
            return question.name.endsWith('_step') ? anyOutcome(random) : 0;
    }
}

/**
 * Runs a job to its end, with random answers. The instance stops at each question.
 *
 * @param {Thread} thread
 * @param {readonly Job[]} history
 * @param {Next} next
 * @param {Random} random
 */
function ran(thread, history, next, random) {
    /** @type {any[]} */
    const answers = [];
    const asked = [];
    for (;;) {
        const instance = newInstance(thread);
        history.forEach((job) => instance.run(job));
        const job = { ...next, answers: [...answers] };
        const { question } = instance.run(job);
        if (!question) {
            return { instance, job, asked };
        }
        instance.end();
        asked.push(question);
        answers.push(answerOf(question, random));
    }
}

/**
 * The events that may happen next. A pending wait may be woken, too.
 *
 * @param {GlueInstance} instance
 * @returns {Next[]}
 */
function offersOf(instance) {
    const [, entries = ''] = /runtime:.*?entries:m\[(.*?)\]clocks:/.exec(instance.snapshot()) ?? [];
    const addresses = [...entries.matchAll(/(\d{4,}),Object/g)];
    return [
        ...instance.offers().map(({ job, which }) => ({ job, which })),
        ...addresses.map(([, address]) => ({ job: /** @type {const} */ ('hears'), which: Number(address) })),
    ];
}

/**
 * Runs the same events on two threads that should be the same.
 *
 * @param {Thread} thread
 * @param {readonly Job[]} history
 * @param {readonly Job[]} other
 * @param {Next} then
 * @param {number} seed
 * @param {Set<string>} [hidden] fields that are left out
 * @returns {[any[], any[]]} for each thread: its questions, its possible moves, its snapshot
 */
function futures(thread, history, other, then, seed, hidden) {
    const futureOf = (/** @type {readonly Job[]} */ each) => {
        const { instance, asked } = ran(thread, each, then, randomOf(seed));
        return [asked, instance.offers(), instance.standing(), instance.snapshot(hidden)];
    };
    return [futureOf(history), futureOf(other)];
}

/**
 * Random states of each thread in turn.
 *
 * @param {Random} random
 * @param {number} walks of each thread
 */
function* statesOf(random, walks) {
    for (let walk = 0; walk < walks * THREADS.length; walk += 1) {
        const thread = THREADS[walk % THREADS.length] ?? assert.fail();
        /** @type {Job[]} */
        let history = [];
        let offers = offersOf(newInstance(thread));
        while (history.length < JOBS && offers.length > 0) {
            const next = offers[random.below(offers.length)] ?? assert.fail();
            const { instance, job } = ran(thread, history, next, random);
            history = [...history, job];
            offers = offersOf(instance);
            yield { thread, history, instance, offers };
        }
    }
}

test('snapshot: a restarted thread has the snapshot of a new one', (t) => {
    const snapshots = THREADS.map((thread) => newInstance(thread).snapshot());
    for (const { thread, instance } of statesOf(randomOf(seedFor(t)), WALKS)) {
        assert.notEqual(instance.snapshot(), snapshots[THREADS.indexOf(thread)]);
        instance.end();
        assert.equal(newInstance(thread).snapshot(), snapshots[THREADS.indexOf(thread)]);
    }
});

test('snapshot: threads with equal snapshots behave the same, whatever happens next', (t) => {
    const random = randomOf(seedFor(t));
    /** @type {Map<string, Job[]>} */
    const known = new Map();
    let compared = 0;
    for (const { thread, history, instance, offers } of statesOf(random, WALKS)) {
        const text = `${THREADS.indexOf(thread)} ${instance.snapshot()}`;
        const other = known.get(text);
        known.set(text, history);
        const then = offers[random.below(offers.length)];
        if (other && then) {
            const [one, two] = futures(thread, history, other, then, random.below(2 ** 30));
            assert.deepEqual(one, two);
            compared += 1;
        }
    }
    t.diagnostic(`${compared} pairs`);
    assert.ok(compared > WALKS * THREADS.length, `${compared} pairs`);
});

test('snapshot: leaving a field out of the snapshot is noticed', (t) => {
    const random = randomOf(seedFor(t));
    let left = FIELDS;
    /** @type {Map<string, { text: string, history: Job[] }>} */
    const known = new Map();
    for (const { thread, history, instance, offers } of statesOf(random, MOST_WALKS)) {
        const text = instance.snapshot();
        left = left.filter((field) => {
            const hidden = new Set([field]);
            const key = `${field} ${THREADS.indexOf(thread)} ${instance.snapshot(hidden)}`;
            const other = known.get(key);
            known.set(key, other ?? { text, history });
            return (
                !other ||
                other.text === text ||
                offers.every((then) => isSame(thread, [history, other.history], then, hidden, random))
            );
        });
        if (left.length === 0) {
            break;
        }
    }
    assert.deepEqual(left, []);
});

/**
 * @param {Thread} thread
 * @param {[Job[], Job[]]} histories
 * @param {Next} then
 * @param {Set<string>} hidden
 * @param {Random} random
 */
function isSame(thread, [one, other], then, hidden, random) {
    try {
        assert.deepEqual(...futures(thread, one, other, then, random.below(2 ** 30), hidden));
        return true;
    } catch {
        return false; // only one of the two threads can take this event
    }
}
