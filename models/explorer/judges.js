/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_LINE_OFFSET,
    RESULT_OK,
    RESULT_OVERFLOW,
    RESULT_TIMEOUT,
    RWLOCK_SHARED,
    RWLOCK_UPGRADABLE,
} from '../../js-glue/memory/layout.js';
import { outcomeOf as steppedOf } from '../../js-glue/waiting/outcome.js';
import { BARRIER_LAST_SHIFT, BARRIER_SLEEPS_SHIFT, CONDITION_LOOPS_SHIFT } from '../c/numbers.js';
import { checkChange, checkOldest, checkShutting, checkUpgrade, slotOf, usedIn } from './gate-word.js';
import { Violation } from './violation.js';
import { UPGRADABLE, WHOLE } from './whole.js';

/* Checks each object's promises by its calls and their results, not by the bits of its words. A judge
 * remembers only the past that it needs. */

/**
 * @typedef {import('./shipped-thread.js').Told} Told
 * @typedef {import('../wasm/interpreter.js').Value} Value
 * @typedef {import('./symmetry.js').Renaming} Renaming
 *
 * @typedef {object} Change a change of a word by a call, with the call's result if the change ends it
 * @property {number} thread
 * @property {import('./shipped-thread.js').RunningCall} call
 * @property {number} address
 * @property {Value} before
 * @property {Value} after
 * @property {boolean} ends
 * @property {Value | undefined} value
 * @property {(address: number) => Value} wordAt the present value of a word
 *
 * @typedef {object} Judge its states are plain data, and never changed
 * @property {() => any} start
 * @property {(state: any, change: Change) => any} changed
 * @property {(state: any, thread: number, told: Told) => any} told
 * @property {(state: any, thread: number) => any} died
 * @property {(state: any) => string} leftBehind the defect after all threads are done, or ''
 * @property {(state: any, renaming: Renaming) => any} renamed
 */

const MOST_THREADS = 8;
const LAST = 2 ** BARRIER_LAST_SHIFT;

/**
 * The number of a wait: its thread and token. Waits of one thread with the same token are alike.
 * @param {number} thread
 * @param {Value | undefined} [token]
 */
function waitOf(thread, token = 0) {
    return thread + MOST_THREADS * (Number(token) >>> 0);
}

/** @param {number} wait */
function textOf(wait) {
    return `T${wait % MOST_THREADS}, token ${Math.floor(wait / MOST_THREADS)}`;
}

/** @param {number} wait @param {Renaming} renaming */
function renamedWait(wait, { to }) {
    const thread = wait % MOST_THREADS;
    return wait - thread + (to[thread] ?? thread);
}

/** @param {readonly number[]} waits @param {Renaming} renaming */
function renamedAll(waits, renaming) {
    return waits.map((wait) => renamedWait(wait, renaming)).sort((one, other) => one - other);
}

/**
 * The outcome of a call that steps, or steps and waits once.
 * @param {string} name
 * @param {Value | undefined} value
 * @returns {'over' | 'given up' | 'goes on'}
 */
function outcomeOf(name, value = 0) {
    if (name.endsWith('_step')) {
        return steppedOf(BigInt(value)).word === undefined ? 'over' : 'goes on';
    }
    const result = Number(value);
    return result === RESULT_OK ? 'over' : result === RESULT_TIMEOUT ? 'given up' : 'goes on';
}

/**
 * The outcome of any call. A call that does not wait `goes on`.
 *
 * @param {string} name
 * @param {Value | undefined} value
 */
function outcomeOfWait(name, value) {
    return /_(step|wait)$/.test(name) ? outcomeOf(name, value) : 'goes on';
}

/** @param {readonly number[]} list @param {number} item */
function without(list, item) {
    const place = list.indexOf(item);
    return place < 0 ? list : list.filter((_, at) => at !== place);
}

/** @param {readonly number[]} list @param {number} item */
function withIt(list, item) {
    return [...list, item].sort((one, other) => one - other);
}

/**
 * @template S
 * @typedef {object} Rules of one object
 * @property {() => S} start
 * @property {(state: S, change: Change) => S} [seen] a word of the object was changed
 * @property {(state: S, told: Told, thread: number) => S} heard a call for the object has ended, or a section begins or ends
 * @property {(state: S, thread: number) => S} [died]
 * @property {(state: S) => string} [leftBehind]
 * @property {(state: S, renaming: Renaming) => S} renamed
 */

/** @template S @param {string} on @param {Rules<S>} rules @returns {Judge} */
function judgeOf(on, rules) {
    const { start, heard, seen = (state) => state, died = (state) => state, leftBehind = () => '' } = rules;
    return {
        start,
        changed: (state, change) => (change.call.on === on ? seen(state, change) : state),
        told: (state, thread, told) => (told.on === on ? heard(state, told, thread) : state),
        died,
        leftBehind,
        renamed: rules.renamed,
    };
}

/**
 * Calls whose result says whether a gate was passed, with the index of the amount among their parameters.
 * @type {Record<string, number>}
 */
const PASSING = { mutex_lock_for_a_time: 0, mutex_trylock: 0, gate_wait: 3, gate_step: 3, gate_try_after: 2 };
/** Calls whose result says whether an amount was released, with the index of the amount among their
 * parameters. @type {Record<string, number>} */
const GIVING_BACK = { mutex_unlock: 0, semaphore_leave: 0, rwlock_unlock: 0, rwlock_downgrade: 0 };
const DOWNGRADE = 'rwlock_downgrade';

/** Calls of an upgrade, whose parameter is the writer's identity. */
const UPGRADING = ['rwlock_try_upgrade', 'rwlock_upgrade_step', 'rwlock_upgrade_wait'];

/** The change of the amount in use by a step of an upgrade. @param {Told} told */
function upgradeGainsOf({ name, value, parameters: [writer = 0] }) {
    const outcome = outcomeOf(name, value);
    const waits = outcome === 'given up' ? -RWLOCK_UPGRADABLE : RWLOCK_UPGRADABLE;
    const isTry = name === 'rwlock_try_upgrade';
    return outcome === 'over'
        ? [writer - RWLOCK_UPGRADABLE, ...(isTry ? [] : [writer - 2 * RWLOCK_UPGRADABLE])]
        : [0, ...(isTry ? [] : [waits])];
}

/** The change of the amount in use by a call, as its result says. @param {Told} told */
function gainsOf(told) {
    const { name, value, parameters } = told;
    if (UPGRADING.includes(name)) {
        return upgradeGainsOf(told);
    }
    const [taken, given] = [PASSING, GIVING_BACK].map((places) => parameters[places[name] ?? -1] ?? 0);
    if (taken) {
        return [outcomeOf(name, value) === 'over' ? taken : 0];
    }
    if (!given || Number(value) !== RESULT_OK) {
        return [0];
    }
    return name === DOWNGRADE ? [given, RWLOCK_UPGRADABLE].map((held) => RWLOCK_SHARED - held) : [-given];
}

/**
 * Judges a gate: each change of its word keeps the order, and its calls do what their results say. The state
 * is what the calls have done.
 * @param {string} on
 * @param {object} gate
 * @param {number} gate.address
 * @param {import('./gate-word.js').GateUse} gate.use
 * @param {boolean} gate.reservationsEnd
 * @param {readonly number[]} gate.identities
 */
export function gateJudge(on, { address: ofGate, use, reservationsEnd, identities }) {
    /** @type {Rules<readonly number[]>} */
    const rules = {
        start: () => [],
        seen(gains, { thread, call, address, before, after, wordAt }) {
            if (address !== ofGate) {
                return gains;
            }
            const [was, is] = [BigInt(before), BigInt(after)];
            if (call.name === 'event_reset') {
                checkShutting(was, is);
                return gains;
            }
            const identity = identities[thread] ?? 0;
            const slot = slotOf(identity, call.name);
            if (UPGRADING.includes(call.name)) {
                checkUpgrade(was, is, identity, use);
            } else {
                checkChange(was, is, slot, use, reservationsEnd);
            }
            checkOldest(was, is, slot, Number(wordAt(ofGate + GATE_LINE_OFFSET)), call);
            const gain = usedIn(is) - usedIn(was);
            return call.name === 'event_set' ? gains : withGain(gains, thread, (gains[thread] ?? 0) + gain);
        },
        heard(gains, told, thread) {
            const gain = gains[thread] ?? 0;
            if (isCrossing(told)) {
                return gains;
            }
            if (!gainsOf(told).includes(gain)) {
                throw new Violation(`${told.name} returned ${told.value}, which is not what it did`);
            }
            return withGain(gains, thread, 0);
        },
        renamed: (gains, { from }) => trimmed(from.map((thread) => gains[thread] ?? 0)),
    };
    return judgeOf(on, rules);
}

/** @param {readonly number[]} gains @param {number} thread @param {number} gain */
function withGain(gains, thread, gain) {
    const length = Math.max(gains.length, thread + 1);
    return trimmed(Array.from({ length }, (_, at) => (at === thread ? gain : (gains[at] ?? 0))));
}

/** Drops trailing zeros, so that equal states are equal as data. @param {readonly number[]} gains */
function trimmed(gains) {
    return gains.slice(0, gains.findLastIndex((gain) => gain !== 0) + 1);
}

/** @param {Told} told */
function isCrossing({ name }) {
    return ['enters', 'leaves', 'downgrades', 'upgrades'].includes(name);
}

/**
 * Judges sections: the amounts inside, as the programs report them, never sum to more than `most`.
 * @typedef {readonly { thread: number, amount: number }[]} Inside
 *
 * @param {string} on
 * @param {object} room
 * @param {number} room.most
 * @param {Inside} room.first
 * @param {boolean} [room.again] whether a thread inside may enter again
 */
export function sectionJudge(on, { most, first, again = false }) {
    /** @type {Rules<Inside>} */
    const rules = {
        start: () => first,
        heard(inside, told, thread) {
            if (!isCrossing(told)) {
                return inside;
            }
            const [amount = 0] = told.parameters;
            const place = inside.findIndex((one) => one.thread === thread && one.amount === amount);
            if (told.name === 'leaves') {
                return place < 0 ? inside : inside.filter((_, at) => at !== place);
            }
            const mine = inside.findIndex((one) => one.thread === thread && one.amount !== RWLOCK_SHARED);
            if (told.name === 'downgrades') {
                return mine < 0 ? inside : inside.with(mine, { thread, amount: RWLOCK_SHARED });
            }
            const others = told.name === 'upgrades' ? inside.filter((_, at) => at !== mine) : inside;
            const has = told.name === 'upgrades' ? WHOLE : amount;
            if (told.name === 'upgrades' && inside[mine]?.amount !== UPGRADABLE) {
                throw new Violation('a thread upgrades that is not the upgradable reader');
            }
            const after = [...others, { thread, amount: has }].sort(byThread);
            if (again && after.every((one) => one.thread === thread)) {
                return after;
            }
            if (after.reduce((sum, one) => sum + one.amount, 0) > most) {
                throw new Violation('the threads inside hold more permits than exist');
            }
            return after;
        },
        renamed: (inside, { to }) =>
            inside.map(({ thread, amount }) => ({ thread: to[thread] ?? thread, amount })).sort(byThread),
    };
    return judgeOf(on, rules);
}

/** @param {Inside[number]} one @param {Inside[number]} other */
function byThread(one, other) {
    return one.thread - other.thread || one.amount - other.amount;
}

/** Stands for a release in a condition's list of waits; all other numbers there are waits. */
const GRANT = -1;

/**
 * A notify releases as many waits as it returns, and only waits that began before it.
 * @typedef {object} Notified
 * @property {readonly number[]} line the waits in the order in which they began, and the releases by notifies, each for a wait
 *     before it. Waits between two releases have no order.
 * @property {readonly number[]} left waits that have ended, but whose call has not returned yet
 * @property {readonly number[]} released how many waits each thread's running notify has released
 * @property {boolean} lost whether a thread has died, so that a later wait may get its release
 */

/** A flag of a condition's word: event loops may wait (c-src/condition.c). */
const LOOPS = 1n << BigInt(CONDITION_LOOPS_SHIFT);

/** @param {string} on */
export function conditionJudge(on) {
    /** @type {Rules<Notified>} */
    const rules = {
        start: () => ({ line: [], left: [], released: [], lost: false }),
        seen(state, change) {
            if (isFlagAlone(change, LOOPS)) {
                return state;
            }
            const { thread, call, value, ends } = change;
            switch (call.name) {
                case 'condition_begin':
                    return { ...state, line: begun(state.line, waitOf(thread, value)) };
                case 'condition_notify':
                    return notified(state, thread, Number(call.parameters[0]) >>> 0);
                default:
                    return left(
                        state,
                        waitOf(thread, call.parameters[0]),
                        ends && outcomeOf(call.name, value) === 'over',
                    );
            }
        },
        heard(state, { name, value, parameters: [token] }, thread) {
            if (name === 'condition_notify') {
                return toldReleased(state, thread, Number(value));
            }
            if (outcomeOfWait(name, value) === 'goes on') {
                return state;
            }
            const wait = waitOf(thread, token);
            if (!state.left.includes(wait)) {
                throw new Violation(`${name} says that a pending wait is over`);
            }
            return { ...state, left: without(state.left, wait) };
        },
        died: (state, thread) => ({ ...state, released: withGain(state.released, thread, 0), lost: true }),
        renamed: ({ line, left: gone, released, lost }, renaming) => ({
            line: inSegments(line.map((item) => (item === GRANT ? item : renamedWait(item, renaming)))),
            left: renamedAll(gone, renaming),
            released: trimmed(renaming.from.map((thread) => released[thread] ?? 0)),
            lost,
        }),
        leftBehind: ({ line }) => (line.length > 0 ? 'a notify has released nobody' : ''),
    };
    return judgeOf(on, rules);
}

/** @param {Notified} state @param {number} wait @param {boolean} isReleased */
function left(state, wait, isReleased) {
    const { line, left: gone, lost } = state;
    const place = line.indexOf(wait);
    if (place < 0) {
        throw new Violation(`${textOf(wait)} leaves, but does not wait`);
    }
    const grant = line.indexOf(GRANT, place);
    if (isReleased !== grant >= 0 && !lost) {
        const words = isReleased ? 'is released by no notify' : 'gives up, but a notify may have released it';
        throw new Violation(`${textOf(wait)} ${words}`);
    }
    const used = isReleased ? grant : -1;
    return {
        ...state,
        line: line.filter((_, at) => at !== place && at !== used),
        left: withIt(gone, wait),
    };
}

/** @param {readonly number[]} line @param {number} wait */
function begun(line, wait) {
    const last = line.lastIndexOf(GRANT) + 1;
    return [...line.slice(0, last), ...withIt(line.slice(last), wait)];
}

/** Sorts the waits between two releases. @param {readonly number[]} line @returns {number[]} */
function inSegments(line) {
    const last = line.indexOf(GRANT);
    const end = last < 0 ? line.length : last;
    const first = line.slice(0, end).sort((one, other) => one - other);
    return last < 0 ? first : [...first, GRANT, ...inSegments(line.slice(end + 1))];
}

/** @param {Notified} state @param {number} thread @param {number} count */
function notified(state, thread, count) {
    const { line, released } = state;
    const grants = line.filter((item) => item === GRANT).length;
    const more = Math.min(count, line.length - 2 * grants);
    return {
        ...state,
        line: [...line, ...Array.from({ length: more }, () => GRANT)],
        released: withGain(released, thread, more),
    };
}

/** @param {Notified} state @param {number} thread @param {number} told */
function toldReleased(state, thread, told) {
    const released = state.released[thread] ?? 0;
    if (told !== released) {
        throw new Violation(`condition_notify returned ${told} and has released ${released}`);
    }
    return { ...state, released: withGain(state.released, thread, 0) };
}

/**
 * A wait may return if it began before a set, or checks while the event is set.
 * @typedef {{ isSet: boolean, waits: readonly number[] }} SetOrNot `waits`: those that began after the last
 *     set
 */

/** @param {string} on */
export function eventJudge(on) {
    /** @type {Rules<SetOrNot>} */
    const rules = {
        start: () => ({ isSet: false, waits: [] }),
        renamed: ({ isSet, waits }, renaming) => ({ isSet, waits: renamedAll(waits, renaming) }),
        seen(state, { call: { name } }) {
            if (name === 'event_set') {
                return { isSet: true, waits: [] };
            }
            return name === 'event_reset' ? { ...state, isSet: false } : state;
        },
        heard({ isSet, waits }, { name, value, parameters: [token] }, thread) {
            if (name === 'event_begin') {
                return { isSet, waits: withIt(waits, waitOf(thread, value)) };
            }
            const wait = waitOf(thread, token);
            const outcome = outcomeOfWait(name, value);
            const mayPass = isSet || !waits.includes(wait);
            if (outcome === 'over' && !mayPass) {
                throw new Violation(`${textOf(wait)} returns, but the event was not set`);
            }
            if (outcome === 'given up' && mayPass) {
                throw new Violation(`${textOf(wait)} gives up, but the event was set`);
            }
            return { isSet, waits: outcome === 'goes on' ? waits : without(waits, wait) };
        },
    };
    return judgeOf(on, rules);
}

/** Judges a latch: no wait ends before the count is 0. @param {string} on @param {number} first */
export function latchJudge(on, first) {
    /** @type {Rules<number>} */
    const rules = {
        start: () => first,
        renamed: (count) => count,
        seen(count, { call: { name, parameters } }) {
            const rest = name === 'latch_count_down' ? count - (parameters[0] ?? 0) : count;
            if (rest < 0) {
                throw new Violation('the countdowns exceed the count');
            }
            return rest;
        },
        heard(count, { name, value, parameters: [by = 0] }, thread) {
            const isRefused = name === 'latch_count_down' && Number(value) === RESULT_OVERFLOW;
            if (isRefused && by !== 0 && by <= count) {
                throw new Violation(`${name} returned ${value} with ${count} left`);
            }
            const outcome = outcomeOfWait(name, value);
            if ((outcome === 'over' && count !== 0) || (outcome === 'given up' && count === 0)) {
                throw new Violation(`T${thread}: its wait is ${outcome} with ${count} left`);
            }
            return count;
        },
    };
    return judgeOf(on, rules);
}

/**
 * Judges a barrier that C threads use: after a destroy no thread touches it until it is made again.
 * @param {string} on
 */
export function lifetimeJudge(on) {
    /** @type {Rules<boolean>} */
    const rules = {
        start: () => false,
        renamed: (isDestroyed) => isDestroyed,
        seen(isDestroyed, { thread, call: { name } }) {
            if (isDestroyed && name !== 'barrier_init') {
                throw new Violation(`T${thread} is in ${name} of a barrier that was destroyed`);
            }
            return isDestroyed;
        },
        heard: (isDestroyed, { name }) =>
            name === 'c_barrier_destroy' || (isDestroyed && name !== 'barrier_init'),
    };
    return judgeOf(on, rules);
}

/**
 * Judges a barrier: a round ends when enough threads have arrived, and exactly one of them is the last.
 * @typedef {object} Rounds
 * @property {readonly number[]} arrived in the round that is not over
 * @property {readonly number[]} gone threads that have taken their arrival back, but whose call has not
 *     returned
 * @property {readonly number[]} through threads whose round is over, but whose call has not returned
 * @property {readonly number[]} last the same, for threads that completed a round
 */

/** A flag of a barrier's word: threads may sleep (c-src/barrier.c). */
const SLEEPS = 1n << BigInt(BARRIER_SLEEPS_SHIFT);

/** True if a change of a 64-bit word changes this flag alone. @param {Change} change @param {bigint} flag */
function isFlagAlone({ before, after }, flag) {
    return (BigInt(before) ^ BigInt(after)) === flag;
}

/** @param {string} on @param {number} ofBarrier its address @param {number} parties */
export function barrierJudge(on, ofBarrier, parties) {
    /** @type {Rules<Rounds>} */
    const rules = {
        start: () => ({ arrived: [], gone: [], through: [], last: [] }),
        renamed: ({ arrived, gone, through, last }, renaming) => ({
            arrived: renamedAll(arrived, renaming),
            gone: renamedAll(gone, renaming),
            through: renamedAll(through, renaming),
            last: renamedAll(last, renaming),
        }),
        seen(rounds, change) {
            if (change.address !== ofBarrier || isFlagAlone(change, SLEEPS)) {
                return rounds;
            }
            const { thread, call, value } = change;
            const { name, parameters } = call;
            const { arrived, gone, through, last } = rounds;
            if (name !== 'barrier_arrive') {
                const wait = waitOf(thread, parameters[0]);
                return { ...rounds, arrived: without(arrived, wait), gone: withIt(gone, wait) };
            }
            if (arrived.length + 1 < parties) {
                return { ...rounds, arrived: withIt(arrived, waitOf(thread, value)) };
            }
            return {
                ...{ arrived: [], gone, through: arrived.reduce(withIt, through) },
                last: withIt(last, thread),
            };
        },
        heard(rounds, { name, value, parameters: [round] }, thread) {
            const { gone, through, last } = rounds;
            if (name === 'barrier_arrive') {
                if (Number(value) >= LAST !== last.includes(thread)) {
                    throw new Violation(`T${thread} is told of the wrong round that it was the last`);
                }
                return { ...rounds, last: without(last, thread) };
            }
            const wait = waitOf(thread, round);
            const outcome = outcomeOfWait(name, value);
            if (outcome === 'over' && !through.includes(wait)) {
                throw new Violation(`${textOf(wait)} returns before the others have arrived`);
            }
            if (outcome === 'given up' && !gone.includes(wait)) {
                throw new Violation(`${textOf(wait)} gives up, but its arrival counts`);
            }
            return {
                ...rounds,
                through: outcome === 'over' ? without(through, wait) : through,
                gone: outcome === 'given up' ? without(gone, wait) : gone,
            };
        },
    };
    return judgeOf(on, rules);
}
