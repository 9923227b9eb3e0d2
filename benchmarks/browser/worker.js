/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { CONTROL, controlOf } from '../arena.js';
import { contestantOf } from '../contestants.js';
import { sections } from '../jobs/sections.js';

/* The worker of a page: it says that it is ready, waits for the start, and locks until told to stop. */

/** @param {import('./crew.js').Task} task */
async function perform(task) {
    await contestantOf(task.options.contestant); // loaded before the run, not in it
    postMessage({ ready: true });
    Atomics.wait(controlOf(task.arena), CONTROL.GO, 0);
    await sections(task);
}

self.onmessage = async ({ data: task }) => {
    try {
        await perform(task);
        postMessage({ done: true });
    } catch (error) {
        postMessage({ error });
    }
};
