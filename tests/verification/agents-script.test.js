/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The models of the table of threads play a script in place of js-glue/thread/presence.js. Here the calls of
 * both are recorded: they arm, count and leave in the same order. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { appear } from '../../js-glue/thread/presence.js';
import { AgentThread, ARM, HEARS } from '../../models/explorer/agents-thread.js';
import { replaceInEnvironment } from '../support/environment.js';

const SLOT = 64;
const SELF = 3;

/** @type {(() => void)[]} */
const takeBack = [];
afterEach(() => takeBack.splice(0).forEach((undo) => undo()));

let lastId = 0n;

/**
 * Returns the calls of presence.js when the thread appears, and when one of its entries is woken.
 *
 * @param {boolean} mayArm
 */
async function callsOfPresence(mayArm) {
    /** @type {string[]} */
    const calls = [];
    /** @type {((value: string) => void)[]} */
    const wakes = [];
    const waitAsync = () => {
        calls.push(ARM);
        return { async: true, value: new Promise((resolve) => wakes.push(resolve)) };
    };
    takeBack.push(replaceInEnvironment({ waitAsync }));
    const exports = {
        agents_slot: () => SLOT,
        agent_arms: () => (calls.push('agent_arms'), Number(mayArm)),
        agent_credit: (/** @type {number[]} */ ...[, , entries]) => calls.push(`agent_credit ${entries}`),
    };
    const memory = { buffer: new SharedArrayBuffer(1024) };
    const words = new Int32Array(memory.buffer);
    const attachment = /** @type {any} */ ({ exports, self: SELF, table: 1, words, memory });
    appear(attachment, (lastId -= 1n));
    wakes[0]?.('ok');
    await turn();
    return calls;
}

/**
 * Returns the calls of a thread in the models when it appears, and when an entry is woken, if it has entries.
 *
 * @param {boolean} mayArm
 */
function callsOfModel(mayArm) {
    /** @type {string[]} */
    const calls = [];
    const answer = (/** @type {string} */ name) =>
        name === 'agents_join' ? SELF : name === 'agent_arms' ? Number(mayArm) : SLOT;
    let value = 0;
    const runner = /** @type {any} */ ({
        call: (/** @type {string} */ name) => ({ value: (value = answer(name)) }),
        resume: () => ({ value }),
    });
    const thread = new AgentThread(
        runner,
        { does: [] },
        { table: 1, first: SLOT, mutex: 8, permits: 0, entries: 2 },
    );
    const untilItStops = (/** @type {ReturnType<typeof thread.start>} */ from) => {
        let state = from;
        while (state.hears || state.at !== 'done') {
            const { atomic, call } = thread.view(state);
            calls.push(atomic?.name ?? call.replace(/\(.*?(\d+)\)$/, ' $1'));
            state = thread.after(state, 0);
        }
        return state;
    };
    const there = untilItStops(thread.start());
    if (mayArm) {
        untilItStops(thread.after(there, HEARS));
    }
    return calls;
}

/**
 * @param {string[]} calls
 * @returns {string} the calls, with the numbers of entries armed and counted at a time
 */
function inShort(calls) {
    return calls
        .map((call) => call.replace(/^(agent_arms) .*/, '$1'))
        .filter((call) => /^(agent_|waitAsync)/.test(call))
        .join(' ')
        .replaceAll(/(?:waitAsync ?)+(?=agent_credit (\d+))/g, (armed, count) => {
            assert.equal(armed.trim().split(' ').length, Number(count));
            return 'waits, ';
        })
        .replaceAll(/agent_credit \d+/g, 'credit;');
}

test('agents: a thread that joins or was probed arms its entries, and counts them, in the order of the models', async () => {
    const presence = inShort(await callsOfPresence(true));
    assert.match(presence, /^(agent_arms waits, credit; ?){3}$/); // the first entry, then the others, then those after the wake
    assert.match(inShort(callsOfModel(true)), /^(agent_arms waits, credit; ?){2}$/);
});

test('agents: a thread that may not arm entries makes no further call, as in the models', async () => {
    assert.match(inShort(await callsOfPresence(false)), /^(agent_arms ?){2}$/);
    assert.equal(inShort(callsOfModel(false)), 'agent_arms');
});
