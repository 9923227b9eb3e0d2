/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { does } from './threads.js';
import * as p from './programs.js';

/* T0, T1, … in a counterexample are the threads in the order given here. */

/**
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../explorer/scenario.js').Thread} Thread
 */

/** @param {Thread} thread */
function mortal(thread) {
    return { ...thread, mayDie: true };
}

/** @param {Thread} thread */
function polling(thread) {
    return { ...thread, polls: true };
}

/** @param {Thread} thread @returns {Thread} */
function busy(thread) {
    return { ...thread, busy: 'at times' };
}

const RELIABLE = /** @type {const} */ ({ slices: 'surely' });
const ANY = { wakesAny: true };
const LONG = { long: true };

const DATA = { is: /** @type {const} */ ('data') };
const MUTEX = { is: /** @type {const} */ ('mutex') };

/* ---- Condition ---- */

const CONDITION = { is: /** @type {const} */ ('condition') };
const CONDITION_AT_WRAP = { ...CONDITION, epoch: 2 ** 28 - 1 };

/**
 * What waiters wait for is a flag that is never taken back. Whoever sets it releases one of them, and each that was
 * released the next: so a release that goes to nobody, or to one that has given up, leaves somebody waiting for ever.
 */
const FLAG = { mutex: MUTEX, condition: CONDITION, flag: DATA };
const FLAG_AT_WRAP = { ...FLAG, condition: CONDITION_AT_WRAP };

const SETS_FLAG = does([p.setsFlag, 1]);
const SETS_FLAG_FOR_ALL = does(p.setsFlag);
const SETS_FLAG_HOLDING = does(p.setsFlagHolding);
const AWAITS = does(p.awaitsFlag);
const MAY_GIVE_UP = does(p.mayGiveUp);
const LOOP = does(p.awaitsFlagAsync);
const LOOP_OF_2 = does(p.awaitsFlagAsync, p.awaitsFlagAsync);
const LOOP_ABORTS = does(p.mayGiveUpAsync);
const LOOP_OF_2_ABORTS = does(p.mayGiveUpAsync, p.awaitsFlagAsync);
const LOOP_OF_2_WITH_ONE_SIGNAL = does([p.mayGiveUpAsync, 'shared'], [p.mayGiveUpAsync, 'shared']);

/**
 * One waits, and is released by a notify. Others come after that notify: none of them may take the release from it,
 * and only when it is through are they released (glibc 25847).
 */
const GROUPS = { ...FLAG, waits: DATA, notified: DATA };
const WAITS_BEFORE = does(p.waitsBefore);
const LOOP_WAITS_BEFORE = does(p.waitsBeforeAsync);
const NOTIFIES_1 = does(p.notifiesOne);

/**
 * Those that wait tell nobody when they are through: one notify has to be enough for them, while others come after it
 * and wait for the next.
 */
const CROWD = { ...GROUPS, through: DATA };
const WAITS_IN_CROWD = does(p.waitsInCrowd);
const LOOP_WAITS_IN_CROWD = does(p.waitsInCrowdAsync);
const MAY_LEAVE_CROWD = does(p.mayLeaveCrowd);
const notifiesCrowd = (/** @type {number} */ waits) => does([p.notifiesCrowd, waits]);
const awaitsNext = does(p.awaitsNext);
const COMES_AFTER = does([p.comesAfter, 'awaitsFlag']);
const COMES_AFTER_AND_MAY_GIVE_UP = does([p.comesAfter, 'mayGiveUp']);
const LOOP_COMES_AFTER = does(p.comesAfterAsync);

/** A queue for one item. */
const QUEUE = { mutex: MUTEX, notFull: CONDITION, notEmpty: CONDITION, items: DATA };
const QUEUE_AT_WRAP = { ...QUEUE, notFull: CONDITION_AT_WRAP, notEmpty: CONDITION_AT_WRAP };
const puts = (/** @type {number} */ count) => does([p.moves, count, true]);
const gets = (/** @type {number} */ count) => does([p.moves, count, false]);
const putsAsync = (/** @type {number} */ count) => does([p.movesAsync, count, true]);
const getsAsync = (/** @type {number} */ count) => does([p.movesAsync, count, false]);

/** @type {Scenario[]} */
const CONDITIONS = [
    { name: '2 wait', objects: FLAG, threads: [SETS_FLAG, AWAITS, AWAITS] },
    { name: '2 wait, notified all', objects: FLAG, threads: [SETS_FLAG_FOR_ALL, AWAITS, AWAITS] },
    {
        name: '2 wait, notified with the mutex held',
        objects: FLAG,
        threads: [SETS_FLAG_HOLDING, AWAITS, AWAITS],
    },
    { name: '2 wait, the epoch wraps', objects: FLAG_AT_WRAP, threads: [SETS_FLAG, AWAITS, AWAITS] },
    { name: '1 waits, 1 loop', objects: FLAG, threads: [SETS_FLAG, AWAITS, LOOP] },
    { name: '2 loops', objects: FLAG, threads: [SETS_FLAG, LOOP, LOOP], ...LONG },
    { name: '1 waits, 1 loop of 2', objects: FLAG, threads: [SETS_FLAG, AWAITS, LOOP_OF_2], ...LONG },
    { name: '1 loop of 2', objects: FLAG, threads: [SETS_FLAG, LOOP_OF_2] },
    { name: '1 waits, 1 may give up', objects: FLAG, threads: [SETS_FLAG, AWAITS, MAY_GIVE_UP], ...LONG },
    {
        name: '1 waits, 1 may give up, any is woken',
        objects: FLAG,
        threads: [SETS_FLAG, AWAITS, MAY_GIVE_UP],
        ...ANY,
        ...LONG,
    },
    {
        name: '1 waits, 1 loop with aborts',
        objects: FLAG,
        threads: [SETS_FLAG, AWAITS, LOOP_ABORTS],
        ...LONG,
    },
    { name: '1 loop with aborts, 1 loop', objects: FLAG, threads: [SETS_FLAG, LOOP_ABORTS, LOOP], ...LONG },
    { name: '1 may give up, 1 loop', objects: FLAG, threads: [SETS_FLAG, MAY_GIVE_UP, LOOP], ...LONG },
    { name: '1 loop of 2 with one signal', objects: FLAG, threads: [SETS_FLAG, LOOP_OF_2_WITH_ONE_SIGNAL] },
    { name: '1 loop of 2, of which 1 aborts', objects: FLAG, threads: [SETS_FLAG, LOOP_OF_2_ABORTS] },
    {
        name: '1 waits, 1 loop of 2, of which 1 aborts',
        objects: FLAG,
        threads: [SETS_FLAG, AWAITS, LOOP_OF_2_ABORTS],
        ...LONG,
    },
    { name: '1 waits, 1 loop without waitAsync', objects: FLAG, threads: [SETS_FLAG, AWAITS, polling(LOOP)] },
    {
        name: '1 waits, 1 loop that is busy, notified all',
        objects: FLAG,
        threads: [SETS_FLAG_FOR_ALL, AWAITS, busy(LOOP)],
        ...LONG,
    },
    {
        name: 'groups, 1 comes after',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, COMES_AFTER],
    },
    {
        name: 'groups, 1 comes after and may give up',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, COMES_AFTER_AND_MAY_GIVE_UP],
    },
    {
        name: 'groups, 1 loop comes after',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, LOOP_COMES_AFTER],
    },
    {
        name: 'groups, a loop before, 1 comes after',
        objects: GROUPS,
        threads: [NOTIFIES_1, LOOP_WAITS_BEFORE, COMES_AFTER],
    },
    {
        name: 'groups, 2 come after',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, COMES_AFTER, COMES_AFTER_AND_MAY_GIVE_UP],
        ...LONG,
    },
    {
        name: 'groups, 1 comes after, any is woken',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, COMES_AFTER],
        ...ANY,
    },
    { name: 'a crowd of 2', objects: CROWD, threads: [notifiesCrowd(2), WAITS_IN_CROWD, WAITS_IN_CROWD] },
    {
        name: 'a crowd of 2 of which 1 is a loop',
        objects: CROWD,
        threads: [notifiesCrowd(2), WAITS_IN_CROWD, LOOP_WAITS_IN_CROWD],
    },
    {
        name: 'a crowd of 2 of which 1 may give up',
        objects: CROWD,
        threads: [notifiesCrowd(2), WAITS_IN_CROWD, MAY_LEAVE_CROWD],
    },
    {
        name: 'a crowd of 3 of which 1 may give up',
        objects: CROWD,
        threads: [notifiesCrowd(3), WAITS_IN_CROWD, WAITS_IN_CROWD, MAY_LEAVE_CROWD],
        ...LONG,
    },
    {
        name: 'a crowd of 3',
        objects: CROWD,
        threads: [notifiesCrowd(3), WAITS_IN_CROWD, WAITS_IN_CROWD, WAITS_IN_CROWD],
        ...LONG,
    },
    {
        name: 'a crowd of 2, 1 comes after',
        objects: CROWD,
        threads: [notifiesCrowd(2), WAITS_IN_CROWD, WAITS_IN_CROWD, awaitsNext],
        ...LONG,
    },
    {
        name: 'a crowd of 2, 1 comes after, any is woken, slices',
        objects: CROWD,
        threads: [notifiesCrowd(2), WAITS_IN_CROWD, WAITS_IN_CROWD, awaitsNext],
        ...ANY,
        ...RELIABLE,
        ...LONG,
    },
    {
        name: '2 wait, 1 dies, slices',
        objects: FLAG,
        threads: [SETS_FLAG_FOR_ALL, AWAITS, mortal(AWAITS)],
        ...RELIABLE,
        ...LONG,
    },
    {
        name: '1 waits, 1 loop dies, slices',
        objects: FLAG,
        threads: [SETS_FLAG_FOR_ALL, AWAITS, mortal(LOOP)],
        ...RELIABLE,
        ...LONG,
    },
    {
        name: '1 loop, 1 waits and dies, slices',
        objects: FLAG,
        threads: [SETS_FLAG_FOR_ALL, LOOP, mortal(AWAITS)],
        ...RELIABLE,
        ...LONG,
    },
    { name: 'queue, 1 puts 2, 2 get', objects: QUEUE, threads: [puts(2), gets(1), gets(1)], ...LONG },
    {
        name: 'queue, 2 put, 1 gets 2, the epochs wrap',
        objects: QUEUE_AT_WRAP,
        threads: [puts(1), puts(1), gets(2)],
        ...LONG,
    },
    {
        name: 'queue, 1 puts 2, 1 gets, 1 loop gets',
        objects: QUEUE,
        threads: [puts(2), gets(1), getsAsync(1)],
        ...LONG,
    },
    {
        name: 'queue, 1 puts, 1 loop puts, 1 gets 2',
        objects: QUEUE,
        threads: [puts(1), putsAsync(1), gets(2)],
        ...LONG,
    },
];

/* ---- Event ---- */

const EVENT = { event: /** @type {const} */ ({ is: 'event' }), waits: DATA };
const EVENT_AT_WRAP = { ...EVENT, event: { ...EVENT.event, epoch: 2 ** 29 - 1 } };

/** Sets it once so many wait, and resets it at once. @param {...number} waits */
const pulses = (...waits) => does([p.pulses, ...waits]);

const waits = (/** @type {number} */ times) => does([p.waits, times]);
const waitsAsync = (/** @type {number} */ times) => does([p.waitsAsync, times]);
const WAITS = waits(1);
const WAITS_AWHILE = does(p.waitsAWhile);
const WAITS_ASYNC = waitsAsync(1);
const SETS_RESETS = does(p.setsAndResets);

/** @type {Scenario[]} */
const EVENTS = [
    { name: 'a pulse, 2 wait', objects: EVENT, threads: [pulses(2), WAITS, WAITS] },
    {
        name: 'a pulse, 3 wait, 1 may give up',
        objects: EVENT,
        threads: [pulses(3), WAITS, WAITS, WAITS_AWHILE],
    },
    {
        name: 'a pulse at the wrap, 1 waits, 1 loop',
        objects: EVENT_AT_WRAP,
        threads: [pulses(2), WAITS, WAITS_ASYNC],
    },
    {
        name: 'a pulse, 1 waits, 1 loop of 2, of which 1 aborts',
        objects: EVENT,
        threads: [pulses(3), WAITS, does(p.waitsAborting, [p.waitsAsync, 1])],
    },
    {
        name: 'a pulse, 1 waits, 1 loop without waitAsync',
        objects: EVENT,
        threads: [pulses(2), WAITS, polling(WAITS_ASYNC)],
    },
    {
        name: '2 pulses, 2 wait twice',
        objects: EVENT,
        threads: [pulses(2, 4), waits(2), waits(2)],
    },
    {
        name: '2 pulses, 1 waits twice, 1 loop waits twice',
        objects: EVENT,
        threads: [pulses(2, 4), waits(2), waitsAsync(2)],
    },
    {
        name: 'set and reset by 2, 2 wait',
        objects: EVENT,
        threads: [SETS_RESETS, SETS_RESETS, WAITS, WAITS_AWHILE],
        ...LONG,
    },
    {
        name: 'set and reset by 2, 1 waits, 1 loop',
        objects: EVENT,
        threads: [SETS_RESETS, SETS_RESETS, WAITS, WAITS_ASYNC],
        ...LONG,
    },
    {
        name: 'a pulse, 2 wait, 1 dies, slices',
        objects: EVENT,
        threads: [pulses(2), WAITS, mortal(WAITS)],
        ...RELIABLE,
    },
    {
        name: 'a pulse, 1 waits, 1 loop dies, slices',
        objects: EVENT,
        threads: [pulses(2), WAITS, mortal(WAITS_ASYNC)],
        ...RELIABLE,
    },
    {
        name: 'a pulse, 1 waits, 1 loop is busy',
        objects: EVENT,
        threads: [pulses(2), WAITS, busy(WAITS_ASYNC)],
    },
];

/* ---- The event that resets by itself ---- */

/** Whoever is let through sets it again, for the next; one that gives up does not. */
const AUTO = { event: /** @type {const} */ ({ is: 'auto event' }), sets: DATA };

const SETS = does(p.sets);
const RESETS_AND_SETS = does(p.resetsAndSets);
const PASSES = does(p.passes);
const PASSES_AWHILE = does(p.passesAWhile);
const PASSES_ASYNC = does(p.passesAsync);
const PASSES_ABORTING = does(p.passesAborting);

/** What is set and reset is not set, whoever it was reserved for in between; then each set lets one through. */
const TURNS = { event: AUTO.event, through: DATA };
const RESETS_AND_SETS_FOR_2 = does(p.resetsAndSetsForTwo);
const GOES_THROUGH = does(p.goesThrough);
const GOES_THROUGH_ASYNC = does(p.goesThroughAsync);
const GOES_THROUGH_ABORTING = does(p.goesThroughAborting);

/** One that comes after the reset is let through by the next set, and not before. */
const LATER = { ...TURNS, isReset: DATA, isSetAgain: DATA };
const RESETS_AND_SETS_LATER = does(p.resetsAndSetsLater);
const COMES_AFTER_RESET = does(p.comesAfterReset);

/** @type {Scenario[]} */
const AUTO_EVENTS = [
    { name: '2 wait', objects: AUTO, threads: [SETS, PASSES, PASSES] },
    { name: '3 wait', objects: AUTO, threads: [SETS, PASSES, PASSES, PASSES], ...LONG },
    { name: '1 waits, 1 may give up', objects: AUTO, threads: [SETS, PASSES, PASSES_AWHILE] },
    { name: '1 waits, 1 loop', objects: AUTO, threads: [SETS, PASSES, PASSES_ASYNC] },
    {
        name: '1 waits, 1 loop of 2, of which 1 aborts',
        objects: AUTO,
        threads: [SETS, PASSES, does(p.passesAborting, p.passesAsync)],
    },
    {
        name: '1 waits, 1 loop with aborts, 1 loop',
        objects: AUTO,
        threads: [SETS, PASSES, PASSES_ABORTING, PASSES_ASYNC],
        ...LONG,
    },
    {
        name: '1 waits, 1 loop, reset by another',
        objects: AUTO,
        threads: [RESETS_AND_SETS, PASSES, PASSES_ASYNC],
    },
    {
        name: '1 waits, 1 loop, after a set and a reset',
        objects: AUTO,
        threads: [does(p.setsResetsSets), does([p.passes, 2]), does([p.passesAsync, 2])],
    },
    {
        name: '2 wait, set and reset by 2',
        objects: AUTO,
        threads: [SETS, RESETS_AND_SETS, PASSES, PASSES],
        ...LONG,
    },
    {
        name: 'a reset while 1 waits, 1 loop',
        objects: TURNS,
        threads: [RESETS_AND_SETS_FOR_2, GOES_THROUGH, GOES_THROUGH_ASYNC],
    },
    {
        name: 'a reset while 2 wait',
        objects: TURNS,
        threads: [RESETS_AND_SETS_FOR_2, GOES_THROUGH, GOES_THROUGH],
    },
    {
        name: 'a reset while 1 waits, 1 dies, slices',
        objects: TURNS,
        threads: [RESETS_AND_SETS_FOR_2, GOES_THROUGH, mortal(GOES_THROUGH)],
        ...RELIABLE,
    },
    {
        name: 'a reset while 1 waits, 1 loop dies, slices',
        objects: TURNS,
        threads: [RESETS_AND_SETS_FOR_2, GOES_THROUGH, mortal(GOES_THROUGH_ASYNC)],
        ...RELIABLE,
    },
    {
        name: 'a reset while it is reserved for a loop that aborts, 1 comes after',
        objects: LATER,
        threads: [RESETS_AND_SETS_LATER, busy(GOES_THROUGH_ABORTING), COMES_AFTER_RESET],
    },
    {
        name: 'a reset while it is reserved for a loop that is busy, 1 comes after',
        objects: LATER,
        threads: [RESETS_AND_SETS_LATER, busy(GOES_THROUGH_ASYNC), COMES_AFTER_RESET],
    },
    {
        name: '1 waits, 1 dies, 1 loop, slices',
        objects: AUTO,
        threads: [SETS, PASSES, mortal(PASSES), PASSES_ASYNC],
        ...RELIABLE,
        ...LONG,
    },
];

/* ---- Latch ---- */

const MOST = 2 ** 31 - 1;

/** @param {number} count */
const LATCH_OF = (count) => ({ latch: /** @type {const} */ ({ is: 'latch', count }) });

const COUNTS = does(p.counts);
const OPENS = does(p.opens);
const OPENS_OR_NOT = does(p.opensOrNot);
const LOOP_OPENS = does(p.opensAsync);
const LOOP_OPENS_OR_NOT = does(p.opensAborting, p.opensAsync);
const COUNTS_AND_WAITS = does(p.countsAndWaits);

/** @type {Scenario[]} */
const LATCHES = [
    { name: '2 count, 2 wait', objects: LATCH_OF(2), threads: [COUNTS, COUNTS, OPENS, OPENS] },
    {
        name: '3 count and wait, 1 loop',
        objects: LATCH_OF(3),
        threads: [COUNTS_AND_WAITS, COUNTS_AND_WAITS, COUNTS_AND_WAITS, LOOP_OPENS],
    },
    {
        name: '2 count, 1 may give up, 1 loop of 2, of which 1 aborts',
        objects: LATCH_OF(2),
        threads: [COUNTS, COUNTS, OPENS_OR_NOT, LOOP_OPENS_OR_NOT],
    },
    {
        name: '2 count, 1 waits, 1 loop without waitAsync',
        objects: LATCH_OF(2),
        threads: [COUNTS, COUNTS, OPENS, polling(LOOP_OPENS)],
    },
    {
        name: 'the most, counted at once and in two, 2 wait',
        objects: LATCH_OF(MOST),
        threads: [does([p.counts, MOST - 1]), COUNTS, OPENS, LOOP_OPENS],
    },
    {
        name: 'too far, 2 wait',
        objects: LATCH_OF(1),
        threads: [does(p.countsTooFar), OPENS, OPENS_OR_NOT],
    },
    {
        name: '2 count, 2 wait, 1 dies, slices',
        objects: LATCH_OF(2),
        threads: [COUNTS, COUNTS, OPENS, mortal(OPENS)],
        ...RELIABLE,
    },
    {
        name: '2 count, 1 waits, 1 loop dies, slices',
        objects: LATCH_OF(2),
        threads: [COUNTS, COUNTS, OPENS, mortal(LOOP_OPENS)],
        ...RELIABLE,
    },
    {
        name: '2 count, 1 waits, 1 loop is busy',
        objects: LATCH_OF(2),
        threads: [COUNTS, COUNTS, OPENS, busy(LOOP_OPENS)],
    },
];

/* ---- Barrier ---- */

const LAST_ROUND = 2 ** 32 - 1;

/**
 * @param {number} parties
 * @param {number} [round]
 */
const BARRIER_OF = (parties, round = 0) => ({
    barrier: /** @type {const} */ ({ is: 'barrier', parties, round }),
    gone: DATA,
    came: DATA,
});

const arrives = (/** @type {number} */ rounds) => does([p.arrives, rounds]);
/** Comes back until it is let through. */
const arrivesAWhile = (/** @type {number} */ rounds) => does([p.arrivesAWhile, rounds]);
const arrivesAsync = (/** @type {number} */ rounds) => does([p.arrivesAsync, rounds]);
const arrivesAborting = (/** @type {number} */ rounds) => does([p.arrivesAborting, rounds]);
/** Another comes in its place if it gives up. */
const MAY_LEAVE = does(p.mayLeave);
const REPLACES = does(p.replaces);

/** @type {Scenario[]} */
const BARRIERS = [
    {
        name: '3 arrive, 2 rounds',
        objects: BARRIER_OF(3),
        threads: [arrives(2), arrives(2), arrives(2)],
    },
    {
        name: '3 arrive, 2 rounds at the wrap',
        objects: BARRIER_OF(3, LAST_ROUND),
        threads: [arrives(2), arrives(2), arrivesAsync(2)],
    },
    {
        name: '2 of 4 at a time',
        objects: BARRIER_OF(2),
        threads: [arrives(1), arrives(1), arrives(1), arrivesAsync(1)],
    },
    {
        name: '2 arrive, 1 may give up, 2 rounds',
        objects: BARRIER_OF(3, LAST_ROUND),
        threads: [arrives(2), arrives(2), arrivesAWhile(2)],
    },
    {
        name: '1 arrives, 1 may give up, 1 loop with aborts, 2 rounds',
        objects: BARRIER_OF(3),
        threads: [arrives(2), arrivesAWhile(2), arrivesAborting(2)],
        ...LONG,
    },
    {
        name: '1 arrives, 1 loop of 2, of which 1 aborts, 2 rounds',
        objects: BARRIER_OF(3),
        threads: [arrives(2), does([p.arrivesAborting, 2], [p.arrivesAsync, 2])],
    },
    {
        name: '2 arrive, 1 leaves and another replaces it',
        objects: BARRIER_OF(3),
        threads: [arrives(1), arrives(1), MAY_LEAVE, REPLACES],
    },
    {
        name: '2 arrive, 1 loop without waitAsync',
        objects: BARRIER_OF(3),
        threads: [arrives(1), arrives(1), polling(arrivesAsync(1))],
    },
    {
        name: '1 arrives, 2 rounds alone',
        objects: BARRIER_OF(1),
        threads: [arrives(2), arrivesAsync(1), arrivesAWhile(1)],
    },
    {
        name: '3 arrive, 1 dies, slices',
        objects: BARRIER_OF(3),
        threads: [arrives(1), arrives(1), mortal(arrives(1))],
        ...RELIABLE,
    },
    {
        name: '2 arrive, 1 loop dies, slices',
        objects: BARRIER_OF(3),
        threads: [arrives(1), arrives(1), mortal(arrivesAsync(1))],
        ...RELIABLE,
    },
    {
        name: '2 arrive, 1 loop is busy',
        objects: BARRIER_OF(3),
        threads: [arrives(1), arrives(1), busy(arrivesAsync(1))],
    },
];

/* ---- Once ---- */

const ONCE = { once: /** @type {const} */ ({ is: 'once' }), ran: DATA };
const RUNS = does(p.runs);
const FAILS = does(p.runsAndFails);
const RUNS_ASYNC = does(p.runsAsync);
const FAILS_ASYNC = does(p.runsAndFailsAsync);
const RUNS_ABORTING = does(p.runsAborting);

/** @type {Scenario[]} */
const ONCES = [
    { name: '3 run', objects: ONCE, threads: [RUNS, RUNS, RUNS] },
    { name: '1 fails, 2 run', objects: ONCE, threads: [FAILS, RUNS, RUNS] },
    { name: '1 loop between 2 that block', objects: ONCE, threads: [RUNS, RUNS_ASYNC, RUNS] },
    { name: '1 loop fails between 2 that block', objects: ONCE, threads: [RUNS, FAILS_ASYNC, RUNS] },
    { name: '1 fails, 1 loop with aborts, 1 runs', objects: ONCE, threads: [FAILS, RUNS_ABORTING, RUNS] },
    {
        name: '2 fail, 1 loop of 2',
        objects: ONCE,
        threads: [FAILS, FAILS, does(p.runsAsync, p.runsAsync)],
    },
    { name: '2 run, 1 dies, slices', objects: ONCE, threads: [RUNS, RUNS, mortal(RUNS)], ...RELIABLE },
    {
        name: '2 run, 1 loop dies, slices',
        objects: ONCE,
        threads: [RUNS, RUNS, mortal(RUNS_ASYNC)],
        ...RELIABLE,
    },
];

/**
 * @param {string} kind
 * @param {Scenario[]} scenarios
 */
function of(kind, scenarios) {
    return scenarios.map((scenario) => ({ ...scenario, name: `${kind}, ${scenario.name}` }));
}

/** @type {Scenario[]} */
export const PHASE_SCENARIOS = [
    ...of('condition', CONDITIONS),
    ...of('event', EVENTS),
    ...of('automatic event', AUTO_EVENTS),
    ...of('latch', LATCHES),
    ...of('barrier', BARRIERS),
    ...of('once', ONCES),
];

/**
 * What the explorer finds, and what is known of it (README.md): a test says that it still does.
 * @type {Scenario[]}
 */
export const KNOWN = [
    {
        name: 'condition, a crowd of 2, 1 comes after, any is woken',
        objects: CROWD,
        threads: [notifiesCrowd(2), WAITS_IN_CROWD, WAITS_IN_CROWD, awaitsNext],
        ...ANY,
        ...LONG,
    },
];
