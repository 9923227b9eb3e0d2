/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountingSemaphore, LockSpace, Mutex } from '../../js-glue/index.js';
import { replaceInEnvironment } from '../support/environment.js';
import { MOST_OVERTAKEN, overtakenBy, RETAKINGS } from '../support/retaking.js';
import { messageOf, startThread } from '../support/thread.js';
import { within } from '../support/watchdog.js';

/* How often a waiter is overtaken, counted in rounds of the thread that overtakes it. */

const PATIENCE_MS = 30_000;

for (const retaking of RETAKINGS) {
    for (const ask of retaking.asks) {
        test(`overtaking: a thread that has a request and takes ${retaking.name} overtakes ${ask} a few times only`, async (t) => {
            const overtaken = await overtakenBy(retaking, ask, (task) =>
                messageOf(startThread(t, 'asker', task), 'its asks', [], PATIENCE_MS),
            );
            assert.ok(Math.max(...overtaken) <= MOST_OVERTAKEN, `overtaken ${overtaken} times`);
        });
    }
}

/* Sections of 2 ms, twice as long as a waiter is patient: somebody is next at each release. */

const ENOUGH = 600;

test('overtaking: of five threads that hold a mutex in turn none is left asleep', async (t) => {
    const mutex = new Mutex(new LockSpace());
    const sections = new Int32Array(new SharedArrayBuffer(4));
    const task = { handle: mutex.handle, permits: 0, sections, enough: ENOUGH };
    const most = await Promise.all(
        Array.from({ length: 5 }, () =>
            messageOf(startThread(t, 'tight-holder', task), 'its count', [mutex], PATIENCE_MS),
        ),
    );
    assert.ok(Math.max(...most) <= MOST_OVERTAKEN, `overtaken ${most} times`);
});

for (const { permits, polls } of [
    { permits: 1, polls: false },
    { permits: 1, polls: true },
    { permits: 4, polls: true },
]) {
    const how = polls ? 'looks by timer' : 'is woken';
    test(`overtaking: an event loop that ${how} gets ${permits} of 4 permits beside threads that take 3 each`, async (t) => {
        if (polls) {
            t.after(replaceInEnvironment({ waitAsync: undefined }));
        }
        const semaphore = new CountingSemaphore(new LockSpace(), { max: 4 });
        const sections = new Int32Array(new SharedArrayBuffer(4));
        const task = { handle: semaphore.handle, permits: 3, sections, enough: ENOUGH };
        let isOver = false;
        const done = Promise.all(
            Array.from({ length: 4 }, () =>
                messageOf(startThread(t, 'tight-holder', task), 'its count', [semaphore], PATIENCE_MS),
            ),
        ).finally(() => (isOver = true));
        const overtaken = [];
        while (!isOver) {
            const before = Atomics.load(sections, 0);
            await within(
                semaphore.execAsync(() => {}, { permits }),
                'the event loop',
                [semaphore],
            );
            overtaken.push(Atomics.load(sections, 0) - before);
            await new Promise((resolve) => setTimeout(resolve, 3));
        }
        await done;
        assert.ok(overtaken.length > 5, `${overtaken.length} requests were met`);
        assert.ok(Math.max(...overtaken) <= MOST_OVERTAKEN, `overtaken ${Math.max(...overtaken)} times`);
    });
}
