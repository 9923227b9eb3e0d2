/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Servers and displays that tests start end with the tests, however these end. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { spawnTied } from '../../scripts/spawn-tied.mjs';
import { within } from '../support/watchdog.js';

const PROGRAM = fileURLToPath(new URL('../support/children/starts-tied.js', import.meta.url));
const SHARED = 3;

/** @param {number} group */
function endGroup(group) {
    try {
        process.kill(-group, 'SIGKILL');
    } catch {
        // an error is expected: the process has ended
    }
}

for (const way of /** @type {const} */ (['by an error', 'by exit()', 'SIGINT', 'SIGTERM', 'SIGHUP'])) {
    test(`spawn-tied: when a process ends (${way}), its program and the program's children end too`, async () => {
        const starter = spawn(process.execPath, [PROGRAM, way], {
            stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
        });
        const shared = /** @type {import('node:stream').Duplex} */ (starter.stdio[SHARED]);
        const [group] = await within(once(shared, 'data'), 'the start of both', []);
        const allClosed = once(shared.resume(), 'end');
        try {
            if (way === 'by an error' || way === 'by exit()') {
                starter.stdin?.write('end');
            } else {
                starter.kill(way);
            }
            await within(allClosed, 'the end of both', []);
        } catch (error) {
            endGroup(Number(group));
            throw error;
        }
    });
}

for (const [how, script] of [
    ['by itself', 'exit 3'],
    ['by a signal', 'kill -TERM $$'],
]) {
    test(`spawn-tied: after a program has ended (${how}), no signal is sent to its id`, async (t) => {
        const { ended, end } = spawnTied('sh', ['-c', String(script)]);
        await within(ended, 'its end', []);
        const { mock } = t.mock.method(process, 'kill', () => true);
        await end();
        assert.equal(mock.callCount(), 0);
    });
}

const EVENTS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'];
const countListeners = () => EVENTS.map((event) => process.listenerCount(event));

test('spawn-tied: once all programs have ended, no listener of the process is left', async () => {
    const before = countListeners();
    const [one, other] = [spawnTied('sleep', ['600']), spawnTied('sleep', ['600'])];
    const meanwhile = before.map((count) => count + 1);
    assert.deepEqual(countListeners(), meanwhile);
    await within(one.end(), 'the end of one', []);
    assert.deepEqual(countListeners(), meanwhile);
    await within(other.end(), 'the end of the other', []);
    assert.deepEqual(countListeners(), before);
});

test('spawn-tied: a program that cannot be started gives an error, and leaves nothing behind', async () => {
    const before = countListeners();
    const { ended, isRunning } = spawnTied('/none', []);
    assert.equal(isRunning(), false);
    await assert.rejects(within(ended, 'its error', []), { code: 'ENOENT' });
    assert.deepEqual(countListeners(), before);
});
