/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_OK, RESULT_OVERFLOW, RESULT_TIMEOUT } from '../js-glue/memory/layout.js';
import { steppedOf } from '../js-glue/waiting/outcome.js';
import { checkChange, checkShutting, placeOf, usedIn } from './gate-word.js';
import { identityOf } from './symmetry.js';
import { Violation } from './violation.js';

/* What each object promises, told by what calls did to it and by what they returned, not by the bits of its words: a
 * judge keeps what has to be known of the past, which the object may keep in another form, or not at all. */

/**
 * @typedef {import('./program-thread.js').Told} Told
 * @typedef {import('./wasm-interpreter.js').Value} Value
 *
 * @typedef {object} Change of a word
 * @property {number} thread
 * @property {import('./program-thread.js').ProgramCall} call
 * @property {number} address
 * @property {Value} before
 * @property {Value} after
 * @property {boolean} ends whether the call has ended by it
 * @property {Value | undefined} value what it has returned then
 *
 * @typedef {object} Judge its states are plain data, and are never changed
 * @property {() => any} start
 * @property {(state: any, change: Change) => any} changed the same state if it does not matter
 * @property {(state: any, thread: number, told: Told) => any} told a call has ended
 * @property {(state: any, thread: number) => any} died
 * @property {(state: any) => string} leftBehind what is wrong when all are done
 */

const MOST_TASKS = 8;
const LAST = 2 ** 32;

/**
 * A wait has a name: one task of a thread waits for one thing at a time.
 * @param {number} thread
 * @param {number} task
 */
function waitOf(thread, task) {
    return thread * MOST_TASKS + task;
}

/** @param {number} wait */
function textOf(wait) {
    return `T${Math.floor(wait / MOST_TASKS)}, task ${wait % MOST_TASKS}`;
}

/**
 * What a call says that steps, or steps and waits once.
 * @param {string} name
 * @param {Value | undefined} value
 * @returns {'over' | 'given up' | 'goes on'}
 */
function outcomeOf(name, value = 0) {
    if (name.endsWith('_step')) {
        return steppedOf(BigInt(value)).next === 'done' ? 'over' : 'goes on';
    }
    const result = Number(value);
    return result === RESULT_OK ? 'over' : result === RESULT_TIMEOUT ? 'given up' : 'goes on';
}

/**
 * @param {readonly number[]} list
 * @param {number} item
 */
function without(list, item) {
    return list.filter((other) => other !== item);
}

/**
 * @param {readonly number[]} list
 * @param {number} item
 */
function withIt(list, item) {
    return [...list, item].sort((one, other) => one - other);
}

/**
 * What one object's judge does. `wait` names the task that has done it.
 *
 * @template S
 * @typedef {object} Rules
 * @property {() => S} start
 * @property {(state: S, change: Change, wait: number) => S} seen a word of the object was changed
 * @property {(state: S, told: Told, wait: number) => S} heard a call for it has ended
 * @property {(state: S) => S} [died]
 * @property {(state: S) => string} [leftBehind]
 */

/**
 * @template S
 * @param {string} on the name of what it judges
 * @param {Rules<S>} rules
 * @returns {Judge}
 */
function judgeOf(on, { start, seen, heard, died = (state) => state, leftBehind = () => '' }) {
    return {
        start,
        changed: (state, change) =>
            change.call.on === on ? seen(state, change, waitOf(change.thread, change.call.task)) : state,
        told: (state, thread, told) =>
            told.on === on ? heard(state, told, waitOf(thread, told.task)) : state,
        died,
        leftBehind,
    };
}

/** The calls that say whether a gate was passed. */
const PASSING = ['mutex_lock', 'gate_wait', 'gate_step', 'gate_try_after'];

/**
 * A gate keeps the order that it promises at each change of its word, and tells of its passes those who passed. The
 * judge knows those that have passed and have not been told so.
 *
 * @param {string} on
 * @param {object} gate
 * @param {number} gate.address
 * @param {number} gate.capacity
 * @param {boolean} gate.reservationsEnd whether anybody may have watched one for long enough
 */
export function gateJudge(on, { address: ofGate, capacity, reservationsEnd }) {
    /** @type {Rules<readonly number[]>} */
    const rules = {
        start: () => [],
        seen(passed, { thread, call, address, before, after }, wait) {
            if (address !== ofGate) {
                return passed;
            }
            const [was, is] = [BigInt(before), BigInt(after)];
            if (call.name === 'event_reset') {
                checkShutting(was, is);
                return passed;
            }
            const place = placeOf(identityOf(thread), call.name);
            checkChange(was, is, place, { capacity, opensAt: 0 }, reservationsEnd);
            return usedIn(is) > usedIn(was) ? withIt(passed, wait) : passed;
        },
        heard(passed, { name, value }, wait) {
            if (!PASSING.includes(name)) {
                return passed;
            }
            if ((outcomeOf(name, value) === 'over') !== passed.includes(wait)) {
                throw new Violation(`${name} returned ${value}, which is not what it did`);
            }
            return without(passed, wait);
        },
        leftBehind: ([first]) => (first === undefined ? '' : `${textOf(first)} has passed and was not told`),
    };
    return judgeOf(on, rules);
}

/** In the time line of a condition: one that waits may be released. Numbers above are waits. */
const GRANT = -1;

/**
 * A notify releases as many as it says of those that wait, and only such that began before it.
 *
 * @typedef {object} Notified
 * @property {readonly number[]} line those that wait in the order in which they began, and the releases that notifies
 *     have brought: such a release is for one that stands before it. Those between two releases are in any order.
 * @property {boolean} lost a thread has died: one that waits may be nobody, so a release may be for one that came later
 */

/** @param {string} on */
export function conditionJudge(on) {
    /** @type {Rules<Notified>} */
    const rules = {
        start: () => ({ line: [], lost: false }),
        seen(state, { call, value, ends }, wait) {
            switch (call.name) {
                case 'condition_begin':
                    return { ...state, line: begun(state.line, wait) };
                case 'condition_notify':
                    return { ...state, line: notified(state.line, Number(call.parameters[0]) >>> 0) };
                default:
                    return left(state, wait, ends && outcomeOf(call.name, value) === 'over');
            }
        },
        heard(state, { name, value }, wait) {
            const isWait = name === 'condition_wait' || name === 'condition_step';
            if (isWait && outcomeOf(name, value) !== 'goes on' && state.line.includes(wait)) {
                throw new Violation(`${name} says that a wait is over that is not`);
            }
            return state;
        },
        died: (state) => ({ ...state, lost: true }),
        leftBehind: ({ line }) => (line.length > 0 ? 'a notify has released nobody' : ''),
    };
    return judgeOf(on, rules);
}

/**
 * @param {Notified} state
 * @param {number} wait
 * @param {boolean} isReleased
 */
function left({ line, lost }, wait, isReleased) {
    const place = line.indexOf(wait);
    if (place < 0) {
        throw new Violation(`${textOf(wait)} leaves, and does not wait`);
    }
    const grant = line.indexOf(GRANT, place);
    if (isReleased !== grant >= 0 && !lost) {
        const words = isReleased ? 'is released by no notify' : 'gives up although it may be released';
        throw new Violation(`${textOf(wait)} ${words}`);
    }
    const used = isReleased ? grant : -1;
    return { line: line.filter((_, at) => at !== place && at !== used), lost };
}

/**
 * @param {readonly number[]} line
 * @param {number} wait
 */
function begun(line, wait) {
    const last = line.lastIndexOf(GRANT) + 1;
    return [...line.slice(0, last), ...withIt(line.slice(last), wait)];
}

/**
 * @param {readonly number[]} line
 * @param {number} count
 */
function notified(line, count) {
    const grants = line.filter((item) => item === GRANT).length;
    const more = Math.min(count, line.length - 2 * grants);
    return [...line, ...Array.from({ length: more }, () => GRANT)];
}

/** In place of a call: a request was given up that needed none. */
export const ABORTED = 'aborted';

/**
 * Whoever has begun to wait when it is set, or looks while it is set, is let through; nobody else is.
 *
 * @typedef {object} SetOrNot
 * @property {boolean} isSet
 * @property {readonly number[]} waits since which it has not been set
 */

/** @param {string} on */
export function eventJudge(on) {
    /** @type {Rules<SetOrNot>} */
    const rules = {
        start: () => ({ isSet: false, waits: [] }),
        seen(state, { call: { name } }) {
            if (name === 'event_set') {
                return { isSet: true, waits: [] };
            }
            return name === 'event_reset' ? { ...state, isSet: false } : state;
        },
        heard({ isSet, waits }, { name, value }, wait) {
            if (name === 'event_begin') {
                return { isSet, waits: withIt(without(waits, wait), wait) };
            }
            const isWait = name === 'event_wait' || name === 'event_step';
            const outcome = isWait ? outcomeOf(name, value) : 'goes on';
            const mayPass = isSet || !waits.includes(wait);
            if (outcome === 'over' && !mayPass) {
                throw new Violation(`${textOf(wait)} is let through by an event that was not set`);
            }
            if (outcome === 'given up' && mayPass) {
                throw new Violation(`${textOf(wait)} gives up although the event was set`);
            }
            const isOver = outcome !== 'goes on' || name === ABORTED;
            return { isSet, waits: isOver ? without(waits, wait) : waits };
        },
    };
    return judgeOf(on, rules);
}

/**
 * Nobody is let through before the count is 0. The judge counts, too.
 *
 * @param {string} on
 * @param {number} first
 */
export function latchJudge(on, first) {
    /** @type {Rules<number>} */
    const rules = {
        start: () => first,
        seen(count, { call: { name, parameters } }) {
            const rest = name === 'latch_count_down' ? count - (parameters[0] ?? 0) : count;
            if (rest < 0) {
                throw new Violation('more is counted down than there was');
            }
            return rest;
        },
        heard(count, { name, value, parameters: [by = 0] }, wait) {
            const isRefused = name === 'latch_count_down' && Number(value) === RESULT_OVERFLOW;
            if (isRefused && by !== 0 && by <= count) {
                throw new Violation(`${name} returned ${value} with ${count} left`);
            }
            const isWait = name === 'latch_wait' || name === 'latch_step';
            const outcome = isWait ? outcomeOf(name, value) : 'goes on';
            if ((outcome === 'over' && count !== 0) || (outcome === 'given up' && count === 0)) {
                throw new Violation(`${textOf(wait)}: its wait is ${outcome} with ${count} left`);
            }
            return count;
        },
    };
    return judgeOf(on, rules);
}

/**
 * A round lets those through that have arrived in it, when they are enough, and tells one that it was the last.
 *
 * @typedef {object} Rounds
 * @property {readonly number[]} arrived in the round that is not over
 * @property {readonly number[]} through whose round is over, and who have not been told
 * @property {readonly number[]} last the same, of those that completed a round
 */

/**
 * @param {string} on
 * @param {number} parties
 */
export function barrierJudge(on, parties) {
    /** @type {Rules<Rounds>} */
    const rules = {
        start: () => ({ arrived: [], through: [], last: [] }),
        seen({ arrived, through, last }, { call: { name } }, wait) {
            if (name !== 'barrier_arrive') {
                return { arrived: without(arrived, wait), through, last };
            }
            if (arrived.length + 1 < parties) {
                return { arrived: withIt(arrived, wait), through, last };
            }
            return { arrived: [], through: arrived.reduce(withIt, through), last: withIt(last, wait) };
        },
        heard(rounds, { name, value }, wait) {
            const { arrived, through, last } = rounds;
            if (name === 'barrier_arrive') {
                if (Number(value) >= LAST !== last.includes(wait)) {
                    throw new Violation(`${textOf(wait)} is told of the wrong round that it was the last`);
                }
                return { arrived, through, last: without(last, wait) };
            }
            const outcome = outcomeOf(name, value);
            if (outcome === 'over' && !through.includes(wait)) {
                throw new Violation(`${textOf(wait)} is let through before the others have arrived`);
            }
            if (outcome === 'given up' && (through.includes(wait) || arrived.includes(wait))) {
                throw new Violation(`${textOf(wait)} gives up, and has arrived all the same`);
            }
            return outcome === 'over' ? { arrived, through: without(through, wait), last } : rounds;
        },
    };
    return judgeOf(on, rules);
}
