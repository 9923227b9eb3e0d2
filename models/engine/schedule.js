/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { holderOf, machineOf } from '../explorer/scenario.js';
import { Violation } from '../explorer/violation.js';

/* Runs one schedule on the engine's threads, controlled by the models' machine. After each step the words in the threads' memory
 * have to equal the machine's. */

/**
 * @typedef {import('./engine.js').Engine} Engine
 * @typedef {import('../explorer/machine.js').Machine} Machine
 * @typedef {import('../explorer/machine.js').World} World
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 *
 * @typedef {object} Outcome
 * @property {string} failure or ''
 * @property {string[]} inEngine what the engine shows without the models
 * @property {number} steps
 * @property {string} path the same for the same steps
 * @property {() => string[]} schedule one step a line
 * @property {string[]} end the world at the end
 */

/** A schedule with more steps counts as a livelock. */
const MOST_STEPS = 5000;

const ASLEEP = 'somebody is left asleep';
const TWO_INSIDE = 'two threads are in the section at once';

/** @param {Engine} engine @param {Scenario} scenario */
export function engineMachine(engine, scenario) {
    return machineOf(engine.module, scenario, (at) => engine.runnerOf(at), { isOneWay: true });
}

/**
 * @param {Engine} engine
 * @param {Scenario} scenario
 * @param {import('./choosers.js').Chooser} choose
 * @param {Machine} [machine] of an earlier run: it remembers the states that it has seen
 * @returns {Outcome}
 */
export function runSchedule(engine, scenario, choose, machine = engineMachine(engine, scenario)) {
    const [word, , own] = machine.firstWords;
    engine.reset(BigInt(word ?? 0), Number(own), holderOf(scenario));
    const isForOne = Object.values(scenario.objects)[0]?.is === 'mutex';
    let world = machine.start();
    /** @type {[World, import('../explorer/waiting-threads.js').Move][]} */
    const taken = [];
    let path = '';
    let failure = '';

    while (!failure && !machine.isDone(world)) {
        const moves = machine.movesOf(world);
        if (!moves.some((move) => move.due)) {
            failure = machine.isServed(world) ? '' : ASLEEP;
            break;
        }
        const move = choose(machine, world, moves);
        if (!move || taken.length === MOST_STEPS) {
            failure = `no end within ${taken.length} steps`;
            break;
        }
        path += String.fromCharCode(moves.indexOf(move));
        taken.push([world, move]);
        try {
            world = machine.apply(world, move);
            failure = disagreement(engine, world, isForOne);
        } catch (error) {
            if (!(error instanceof Violation)) {
                throw error;
            }
            failure = error.message;
        }
    }
    return {
        failure: failure || leftBehind(engine, machine, world, isForOne),
        inEngine: whatTheEngineShows(engine),
        steps: taken.length,
        path,
        schedule: () => taken.map(([before, move]) => machine.describe(before, move)),
        end: machine.describeWorld(world),
    };
}

/**
 * @param {Engine} engine
 * @param {World} expected
 * @param {boolean} isForOne false: several threads may be in the section
 */
function disagreement({ word, own, sections }, expected, isForOne) {
    const [expectedWord, , expectedOwn] = expected.words;
    if (word !== expectedWord) {
        return `the engine has the word ${hex(word)} where the model has ${hex(BigInt(expectedWord ?? 0))}`;
    }
    if (own !== expectedOwn) {
        return `the engine has ${own} as the gate's own word where the model has ${expectedOwn}`;
    }
    return isForOne && sections.hadTwoInside ? TWO_INSIDE : '';
}

/** @param {bigint} word */
function hex(word) {
    return `0x${BigInt.asUintN(64, word).toString(16)}`;
}

/**
 * @type {(engine: Engine, machine: Machine, world: World, isForOne: boolean) => string} called if there is no
 *     other failure
 */
function leftBehind({ words, sections, calls }, machine, world, isForOne) {
    const { left, counted } = sections.counts;
    if (isForOne && left !== counted) {
        return `${left} sections were left, but the counter says ${counted}`;
    }
    if (!machine.isDone(world) || world.deaths > 0) {
        return '';
    }
    const complaint = machine.leftBehind(world);
    if (complaint) {
        return `${complaint}: ${words.map(hex).join(' ')}`;
    }
    const open = calls.findIndex(Boolean);
    return open >= 0 ? `all are done, but T${open} has not returned from ${calls[open]}` : '';
}

/** @param {Engine} engine */
function whatTheEngineShows({ words, sections, calls }) {
    return [
        `words: ${words.map(hex).join(' ')}`,
        ...(sections.hadTwoInside ? [TWO_INSIDE] : []),
        ...calls.flatMap((call, at) => (call ? [`T${at} stands in ${call}`] : [])),
    ];
}
