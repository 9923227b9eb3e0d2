/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { listedChooser } from './choosers.js';
import { runSchedule } from './schedule.js';

/**
 * The steps in what the explorer or a failing schedule printed, without what stands around them.
 * @param {string[]} lines
 */
export function stepsIn(lines) {
    const trimmed = lines.map((line) => line.trim());
    const end = trimmed.findIndex((line) => line.startsWith('word: '));
    return trimmed.slice(0, end < 0 ? undefined : end).filter((line) => /^T\d+ /.test(line));
}

/**
 * Takes the listed steps in the engine, and then what is due until nothing is.
 * @param {import('./engine.js').Engine} engine
 * @param {import('../scenario.js').Scenario} scenario
 * @param {string[]} lines
 * @returns {{ outcome: import('./schedule.js').Outcome, reached: string[] }} `reached`: the words and the threads
 *     after the listed steps
 */
export function replay(engine, scenario, lines) {
    const steps = stepsIn(lines);
    /** @type {string[] | undefined} */
    let reached;
    const listed = listedChooser(steps);
    let taken = 0;
    const outcome = runSchedule(engine, scenario, (machine, world, moves) => {
        if (taken === steps.length) {
            reached = machine.describeWorld(world);
        }
        taken += 1;
        return listed(machine, world, moves);
    });
    return { outcome, reached: reached ?? outcome.end };
}
