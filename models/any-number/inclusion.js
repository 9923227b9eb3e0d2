/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Violation } from '../explorer/violation.js';
import { Worlds } from './worlds.js';

/* Searches among worlds of a few threads, nearest first. */

/**
 * @typedef {import('./worlds.js').World} World
 * @typedef {import('./worlds.js').Step} Step
 *
 * @typedef {{ world: World, before: Path | undefined, step: Step | undefined }} Path to a world
 */

/**
 * Searches until something is found.
 *
 * @param {Worlds} worlds
 * @param {number} most worlds
 * @param {(world: World) => string} judge returns the finding in a new world, or ''
 * @param {(violation: string) => boolean} [isWanted] whether a violation by a step is the wanted one; by
 *     default none is
 * @param {(step: Step) => boolean} [isTaken] whether to try a step; by default all
 * @returns {{ found: string, count: number, path: Path | undefined, step: Step | undefined }} `step`: the
 *     step after the path, if the finding is a step's violation
 */
function search(worlds, most, judge, isWanted, isTaken = () => true) {
    const start = { world: worlds.start(), before: undefined, step: undefined };
    const known = new Set([worlds.keyOf(start.world)]);
    /** @type {Path[]} */
    const open = [start];
    for (let at = 0; at < open.length && known.size < most; at += 1) {
        const path = /** @type {Path} */ (open[at]);
        for (const step of worlds.stepsOf(path.world).filter(isTaken)) {
            /** @type {World} */
            let world;
            try {
                world = step.apply();
            } catch (error) {
                if (!(error instanceof Violation) || !isWanted) {
                    throw error;
                }
                if (isWanted(error.message)) {
                    return { found: error.message, count: known.size, path, step };
                }
                continue; // this path ends here: another violation is searched for
            }
            const key = worlds.keyOf(world);
            if (!known.has(key)) {
                known.add(key);
                const next = { world, before: path, step };
                open.push(next);
                const found = judge(world);
                if (found) {
                    return { found, count: known.size, path: next, step: undefined };
                }
            }
        }
    }
    return { found: '', count: known.size, path: undefined, step: undefined };
}

/**
 * Searches for a world of a few threads that the fixpoint lacks.
 *
 * @param {import('./fixpoint.js').Fixpoint} fixpoint
 * @param {number} threads
 * @param {number} most worlds
 * @returns {{ missing: string, count: number }} the first missing world, or ''; and the number of worlds
 *     tried
 */
export function firstMissing(fixpoint, threads, most) {
    const worlds = new Worlds(fixpoint.clients, fixpoint.names, new Array(threads).fill(false));
    const { found, count } = search(worlds, most, (world) => fixpoint.lacks(worlds.abstracted(world)));
    return { missing: found, count };
}

/**
 * Makes a report of the fixpoint concrete: finds the same failure with a few threads, one by one.
 *
 * @param {import('./fixpoint.js').Fixpoint} fixpoint
 * @param {string} failure
 * @param {number} threads
 * @param {number} most worlds
 * @param {readonly string[]} [choices] of the clients; absent: all
 * @returns {{ schedule: string[], count: number }} `schedule`: empty if the failure was not found
 */
export function concreteOf(fixpoint, failure, threads, most, choices) {
    const worlds = new Worlds(fixpoint.clients, fixpoint.names, new Array(threads).fill(false));
    const isWanted = (/** @type {string} */ wrong) => wrong === failure;
    const judge = (/** @type {World} */ world) => {
        const wrong = worlds.wrongIn(world);
        return isWanted(wrong) ? wrong : '';
    };
    const isTaken = (/** @type {Step} */ { choice }) => !choice || !choices || choices.includes(choice);
    const { path, step, count } = search(worlds, most, judge, isWanted, isTaken);
    const lines = step ? [`T${step.thread} ${step.what}: ${failure}`] : [];
    for (let at = path; at?.step; at = at.before) {
        lines.unshift(`T${at.step.thread} ${at.step.what}\n        -> ${worlds.describe(at.world)}`);
    }
    return { schedule: lines, count };
}
