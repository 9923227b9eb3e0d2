/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clearAlarm, setAlarm } from '../../js-glue/thread/event-loop.js';
import { environment } from '../../js-glue/thread/environment.js';
import { LONGEST_DELAY_MS } from '../../js-glue/thread/times.js';
import { replaceInEnvironment } from '../support/environment.js';

/** A clock and timers that stand still until they are told. */
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

test('alarms: they ring in the order of their times even if the timer is late, and share one timer', (t) => {
    const { clock, timers, goTo, restore } = stillTime();
    t.after(restore);
    /** @type {number[]} */
    const rung = [];
    const start = clock.time;
    // Two are of one time. They ring in the order made.
    const alarms = [5, 1, 3, 3.5, 9, 2].map((mark) => {
        const alarm = { time: start + Math.floor(mark), ring: () => void rung.push(mark) };
        setAlarm(alarm);
        assert.equal(timers.size, 1);
        return alarm;
    });
    goTo(start + 1);
    assert.deepEqual(rung, [1]);
    clearAlarm(/** @type {any} */ (alarms[0]));
    goTo(start + 6);
    assert.deepEqual(rung, [1, 2, 3, 3.5]);
    goTo(start + 9);
    assert.deepEqual(rung, [1, 2, 3, 3.5, 9]);
    assert.equal(timers.size, 0);
});

test('alarms: a cleared alarm leaves no timer, and clearing one that rang is harmless', (t) => {
    const { clock, timers, goTo, restore } = stillTime();
    t.after(restore);
    const alarm = { time: clock.time + 1, ring() {} };
    setAlarm(alarm);
    clearAlarm(alarm);
    assert.equal(timers.size, 0);
    setAlarm(alarm);
    goTo(alarm.time);
    clearAlarm(alarm);
    assert.equal(timers.size, 0);
});

test('alarms: an alarm may be set further ahead than the longest timer', (t) => {
    const { clock, timers, goTo, restore } = stillTime();
    t.after(restore);
    let rung = 0;
    const far = clock.time + 2 * LONGEST_DELAY_MS + 1000;
    setAlarm({ time: far, ring: () => (rung += 1) });
    for (let time = clock.time; time < far; time += LONGEST_DELAY_MS) {
        goTo(time);
        assert.equal(rung, 0);
    }
    goTo(far);
    assert.equal(rung, 1);
    assert.equal(timers.size, 0);
});
