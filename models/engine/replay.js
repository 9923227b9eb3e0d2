/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { listedChooser } from './choosers.js';
import { runSchedule } from './schedule.js';

/** The explorer's message for a deadlock. The engine reports a deadlock by other messages. */
const CUT_OFF = 'from here, some thread can never end';
const NO_END = /^somebody is left asleep$|^no end within/;

/** Finds the steps in the output of the explorer or of a failing schedule. @param {string[]} lines */
function stepsIn(lines) {
    const trimmed = lines.map((line) => line.trim());
    const end = trimmed.findIndex((line) => line.startsWith('words: '));
    return trimmed.slice(0, end < 0 ? undefined : end).filter((line) => /^T\d+ /.test(line));
}

/**
 * @typedef {Omit<import('./schedule.js').Outcome, 'schedule'> & { schedule: string[], reached: string[] }} Replayed
 *     reached: the world after the listed steps
 */

/**
 * Takes the listed steps, then due moves.
 * @param {import('./engine.js').Engine} engine
 * @param {import('../explorer/scenario.js').Scenario} scenario
 * @param {string[]} lines
 * @returns {Replayed}
 */
export function replay(engine, scenario, lines) {
    const steps = stepsIn(lines);
    const listed = listedChooser(steps);
    /** @type {string[] | undefined} */
    let reached;
    let taken = 0;
    const outcome = runSchedule(engine, scenario, (machine, world, moves) => {
        if (taken === steps.length) {
            reached = machine.describeWorld(world);
        }
        taken += 1;
        return listed(machine, world, moves);
    });
    return { ...outcome, schedule: outcome.schedule(), reached: reached ?? outcome.end };
}

/** The difference between the engine and the explorer, or ''. @param
 * {import('../explorer/explore.js').Exploration} explored @param {Replayed} replayed */
export function differenceOf({ failure, schedule }, replayed) {
    const steps = stepsIn(schedule);
    const seen = [...replayed.schedule.slice(0, steps.length), ...replayed.reached];
    const at = schedule.findIndex((line, place) => line !== seen[place]);
    if (at >= 0) {
        return `the explorer has: ${schedule[at]}; the engine has: ${seen[at] ?? 'nothing'}`;
    }
    const fails = failure === CUT_OFF ? NO_END.test(replayed.failure) : replayed.failure.startsWith(failure);
    return fails ? '' : `the explorer says: ${failure}; the engine says: ${replayed.failure || 'nothing'}`;
}
