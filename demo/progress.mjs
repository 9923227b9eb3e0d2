/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import logUpdate from 'log-update';
import { titleOf } from './contestants.js';

const LINE_EVERY_MS = 1000;

/** @param {import('./contest.mjs').Progress} progress */
function lineOf({ name, elapsedMs, sections, made, unanswered }) {
    const time = `${(elapsedMs / 1000).toFixed(1)} s`;
    const answered = `${made - unanswered} of ${made} requests answered`;
    return `${titleOf(name).padEnd(18)} ${time}   ${sections} sections   ${answered}`;
}

/**
 * Shows how a run goes: one line that is written over on a terminal, a line a second elsewhere.
 */
export class ProgressLine {
    #nextLineMs = LINE_EVERY_MS;

    /** @param {import('./contest.mjs').Progress} progress */
    show(progress) {
        if (process.stdout.isTTY) {
            logUpdate(lineOf(progress));
        } else if (progress.elapsedMs >= this.#nextLineMs) {
            this.#nextLineMs += LINE_EVERY_MS;
            console.log(lineOf(progress));
        }
    }

    end() {
        logUpdate.done();
    }
}
