/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearAlarm, setAlarm } from '../../js-glue/thread/event-loop.js';
import { environment } from '../../js-glue/thread/environment.js';
import { replaceInEnvironment } from '../support/environment.js';

/** A clock and timers that move only when told. */
function stillTime() {
    /** @type {Map<number, { callback: () => void, time: number }>} */
    const timers = new Map();
    let last = 0;
    const clock = { time: Math.ceil(environment.now()) + 1000 };
    const restore = replaceInEnvironment({
        now: () => clock.time,
        setTimeout: (/** @type {() => void} */ callback, /** @type {number} */ delay) => {
            last += 1;
            timers.set(last, { callback, time: clock.time + delay });
            return last;
        },
        clearTimeout: (/** @type {number} */ handle) => timers.delete(handle),
    });
    const goTo = (/** @type {number} */ time) => {
        clock.time = time;
        for (const [handle, timer] of timers) {
            if (timer.time <= time) {
                timers.delete(handle);
                timer.callback();
            }
        }
    };
    return { clock, timers, goTo, restore };
}

test('alarms: all alarms share one timer, and each rings at its time or later', (t) => {
    const { clock, timers, goTo, restore } = stillTime();
    t.after(restore);
    /** @type {number[]} */
    const rung = [];
    const start = clock.time;
    const alarms = [5, 1, 3, 3, 9, 2].map((delay, mark) => {
        const alarm = { ring: () => void rung.push(mark) };
        setAlarm(alarm, start + delay);
        assert.equal(timers.size, 1);
        return alarm;
    });
    goTo(start + 1);
    assert.deepEqual(rung, [1]);
    clearAlarm(/** @type {any} */ (alarms[0]));
    goTo(start + 6);
    assert.deepEqual(rung.sort(), [1, 2, 3, 5]);
    goTo(start + 9);
    assert.deepEqual(rung.sort(), [1, 2, 3, 4, 5]);
    assert.equal(timers.size, 0);
});

test('alarms: an alarm may be set again, even while it rings, and rings at the new time', (t) => {
    const { clock, timers, goTo, restore } = stillTime();
    t.after(restore);
    const start = clock.time;
    let rung = 0;
    const alarm = {
        ring() {
            rung += 1;
            if (rung === 1) {
                setAlarm(alarm, clock.time + 2);
            }
        },
    };
    setAlarm(alarm, start + 1);
    setAlarm(alarm, start + 3);
    goTo(start + 2);
    assert.equal(rung, 0);
    goTo(start + 3);
    goTo(start + 4);
    assert.equal(rung, 1);
    goTo(start + 5);
    assert.equal(rung, 2);
    assert.equal(timers.size, 0);
});

test('alarms: a cleared alarm leaves no timer, and clearing an alarm that has rung is harmless', (t) => {
    const { clock, timers, goTo, restore } = stillTime();
    t.after(restore);
    let rung = 0;
    const alarm = { ring: () => (rung += 1) };
    setAlarm(alarm, clock.time + 1);
    clearAlarm(alarm);
    assert.equal(timers.size, 0);
    setAlarm(alarm, clock.time + 1);
    goTo(clock.time + 1);
    clearAlarm(alarm);
    assert.equal(rung, 1);
    assert.equal(timers.size, 0);
});
