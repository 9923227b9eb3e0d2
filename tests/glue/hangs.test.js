/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as classes from '../../js-glue/index.js';
import { makeBoard } from '../support/board.js';
import { HANGS } from '../support/hangs.js';
import { startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';

/* Programs that hang, with the reports of each without and with debug(). */

/** Shorter than programs would choose, for quick tests. */
const LIMITS = { waitFor: 3000, heldFor: 1500 };

/** Reports about time, one of which may come before the report of the hang on a loaded machine. */
const OF_TIME = ['HF_LONG_HOLD', 'HF_LONG_WAIT'];

/** How long a program without debug() is watched; it must report nothing in that time. */
const SILENT_MS = 1500;

const MOST_STAGES = 4;

/**
 * @param {import('node:test').TestContext} t
 * @param {import('../support/hangs.js').Hang} hang
 * @param {typeof LIMITS} [options] of debug(); without them, debug() is not called
 */
function start(t, hang, options) {
    const locks = hang.share(classes);
    const handles = Object.fromEntries(Object.entries(locks).map(([name, { handle }]) => [name, handle]));
    const board = makeBoard(MOST_STAGES);
    /** @type {{ code: string, message: string, text: string }[]} */
    const told = [];
    const [firstReport, lastEnd] = [deferred(), deferred()];
    let ended = 0;
    hang.threads.forEach((_, at) => {
        const data = { hang: HANGS.indexOf(hang), at, board, handles, options };
        startThread(t, 'hang', data).on('message', (message) => {
            if (message === 'ended') {
                ended += 1;
                if (ended === hang.threads.length) {
                    lastEnd.resolve(undefined);
                }
            } else {
                told.push(message);
                if (!options || message.code === hang.code || !OF_TIME.includes(message.code)) {
                    firstReport.resolve(message);
                }
            }
        });
    });
    return {
        told,
        first: firstReport.promise,
        ends: lastEnd.promise,
        locks,
        hangs: () => ended < hang.threads.length,
    };
}

function deferred() {
    /** @type {(told: any) => void} */
    let resolve = () => {};
    const promise = new Promise((done) => (resolve = done));
    return { promise, resolve };
}

/** @param {import('node:test').TestContext} t @param {import('../support/hangs.js').Hang} hang */
async function runWithout(t, hang) {
    const { without } = hang;
    const { told, first, ends, locks, hangs } = start(t, hang);
    const comes = without ? first : hang.ends && ends;
    await (comes ? within(comes, without ?? 'the end', Object.values(locks)) : sleep(SILENT_MS));
    assert.deepEqual(
        told.map((one) => one.code),
        without ? [without] : [],
    );
    assert.equal(hangs(), !hang.ends, 'a thread does not end, or ends by an error');
}

/** @param {import('node:test').TestContext} t @param {import('../support/hangs.js').Hang} hang */
async function runWith(t, hang) {
    const { code, says, from = /^/ } = hang;
    const begin = performance.now();
    const { first } = start(t, hang, LIMITS);
    const { code: seen, message, text } = await within(first, 'a report', []);
    t.diagnostic(`told after ${(performance.now() - begin).toFixed()} ms`);
    assert.equal(seen, code, message);
    assert.match(message, says);
    assert.match(text, from);
}

test('hangs: with debug(), each hang is reported as the list says', { concurrency: 4 }, async (t) => {
    const tests = HANGS.flatMap((hang) => [
        t.test(`hangs: ${hang.name}: without debug() ${hang.without ?? 'nothing'} is reported`, (one) =>
            runWithout(one, hang),
        ),
        t.test(`hangs: ${hang.name}: ${hang.code} with debug()`, (one) => runWith(one, hang)),
    ]);
    await Promise.all(tests);
});
