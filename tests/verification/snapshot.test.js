/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The explorer takes two states of a thread for one when their snapshots are the same. Here the same things happen to both,
 * and they have to do the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
    STEP_NEXT_DONE,
    STEP_NEXT_SHIFT,
    STEP_NEXT_WAIT_LINE,
    STEP_NEXT_WAIT_TURN,
} from '../../js-glue/memory/layout.js';
import { GlueInstance } from '../../models/explorer/glue-instance.js';
import { identityOf } from '../../models/explorer/symmetry.js';
import { shippedModule } from '../../models/wasm/shipped-module.js';
import { randomOf, seedFor } from '../support/seed.js';

/** @typedef {import('../../models/explorer/glue-instance.js').Job} Job */
/** @typedef {import('../support/seed.js').Random} Random */

const ADDRESS = 1024;
const WALKS = 60;
const JOBS = 12;

const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
const exports = [...shippedModule().exports.keys()];

function newInstance() {
    return new GlueInstance({
        ...{ memory, self: identityOf(0), polls: false, constants: {}, from: undefined, exports },
        setup: {
            objects: [{ name: 'lock', is: 'mutex', address: ADDRESS }],
            tasks: [
                ['requests', 0],
                ['mayAbort', 0, 'a signal'],
                ['requestsForLong', 0],
            ],
            isOld: false,
        },
    });
}

/** Something that other threads might make of a step. @param {Random} random */
function anyOutcome(random) {
    const next = [STEP_NEXT_DONE, STEP_NEXT_WAIT_TURN, STEP_NEXT_WAIT_LINE][random.below(3)] ?? 0;
    return (BigInt(next) << BigInt(STEP_NEXT_SHIFT)) | BigInt(random.below(3));
}

/**
 * @param {import('../../models/explorer/glue-instance.js').Question} question
 * @param {Random} random
 */
function answerOf(question, random) {
    if (question.is !== 'call') {
        return question.is === 'arm' ? random.chance(0.7) : random.below(2);
    }
    switch (question.name) {
        case 'mutex_trylock':
            return random.below(2);
        case 'gate_step':
            return anyOutcome(random);
        case 'mutex_is_mine':
            return 1;
        default:
            return 0;
    }
}

/**
 * Runs a job to its end, with answers by chance. The instance is left in the middle, for it stops at each question.
 *
 * @param {readonly Job[]} history
 * @param {Pick<Job, 'job' | 'which'>} next
 * @param {Random} random
 */
function ran(history, next, random) {
    /** @type {any[]} */
    const answers = [];
    const asked = [];
    for (;;) {
        const instance = newInstance();
        history.forEach((job) => instance.run(job));
        const job = { ...next, answers: [...answers] };
        const { question } = instance.run(job);
        if (!question) {
            return { instance, job, asked };
        }
        asked.push(question);
        answers.push(answerOf(question, random));
    }
}

/**
 * What may happen to it next; what it waits for in the words may be heard of, too.
 *
 * @param {GlueInstance} instance
 */
function offersOf(instance) {
    return instance.offers().map(({ job, which }) => ({ job, which }));
}

test('snapshot: threads whose snapshots are the same do the same whatever comes', (t) => {
    const random = randomOf(seedFor(t));
    /** @type {Map<string, Job[]>} */
    const known = new Map();
    let compared = 0;
    for (let walk = 0; walk < WALKS; walk += 1) {
        /** @type {Job[]} */
        let history = [];
        let offers = offersOf(newInstance());
        for (let count = 0; count < JOBS && offers.length > 0; count += 1) {
            const next = offers[random.below(offers.length)] ?? assert.fail();
            const { instance, job } = ran(history, next, random);
            history = [...history, job];
            offers = offersOf(instance);
            const text = instance.snapshot();
            const other = known.get(text);
            known.set(text, history);
            if (other && offers.length > 0) {
                const then = offers[random.below(offers.length)] ?? assert.fail();
                const seed = random.below(2 ** 30);
                const [one, two] = [history, other].map((each) => ran(each, then, randomOf(seed)));
                assert.deepEqual(one?.asked, two?.asked);
                assert.equal(one?.instance.snapshot(), two?.instance.snapshot());
                compared += 1;
            }
        }
    }
    t.diagnostic(`${compared} pairs`);
    assert.ok(compared > WALKS, `${compared} pairs`);
});
