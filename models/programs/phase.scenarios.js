/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { LATCH_MOST } from '../../js-glue/memory/layout.js';
import { BARRIER_SLEEPS_SHIFT, CONDITION_EPOCH_BITS, EVENT_EPOCH, EVENT_EPOCHS } from '../c/numbers.js';
import * as c from './circumstances.js';
import * as p from './programs.js';
import { does, scenariosOf } from './threads.js';

/* T0, T1, … in a counterexample are the threads in this order. */

/**
 * @typedef {import('../explorer/scenario.js').Scenario} Scenario
 * @typedef {import('../explorer/scenario.js').Thread} Thread
 */

/** @param {Thread} thread */
const mortal = (thread) => ({ ...thread, mayDie: true });

/** @param {Thread} thread */
const polling = (thread) => ({ ...thread, polls: true });

/** @param {Thread} thread @returns {Thread} */
const busy = (thread) => ({ ...thread, busy: 'at times' });

const DATA = { is: /** @type {const} */ ('data') };
const MUTEX = { is: /** @type {const} */ ('mutex') };

/* ---- Condition ---- */

const CONDITION = { is: /** @type {const} */ ('condition') };
const CONDITION_AT_WRAP = { ...CONDITION, epoch: 2 ** CONDITION_EPOCH_BITS - 1 };

/**
 * Waiters wait for a flag, which stays set. The thread that sets it releases one waiter, which releases the
 * next. If a release is lost, or goes to a waiter that has given up, some thread waits for ever.
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

/** A notify releases one waiter. Later waiters may not consume its release (glibc bug 25847). */
const GROUPS = { ...FLAG, waits: DATA, notified: DATA };
const WAITS_BEFORE = does(p.waitsBefore);
const LOOP_WAITS_BEFORE = does(p.waitsBeforeAsync);
const NOTIFIES_1 = does(p.notifiesOne);

/** One notify must be enough for all present waiters, while others come after it and wait for the next. */
const CROWD = { ...GROUPS, through: DATA };
const WAITS_IN_CROWD = does(p.waitsInCrowd);
const LOOP_WAITS_IN_CROWD = does(p.waitsInCrowdAsync);
const MAY_LEAVE_CROWD = does(p.mayLeaveCrowd);
const notifiesCrowd = (/** @type {number} */ waits) => does([p.notifiesCrowd, waits]);
const CROWD_OF_2_AND_NEXT = [notifiesCrowd(2), WAITS_IN_CROWD, WAITS_IN_CROWD, does(p.awaitsNext)];
const COMES_AFTER = does([p.comesAfter, 'awaitsFlag']);
const COMES_AFTER_AND_MAY_GIVE_UP = does([p.comesAfter, 'mayGiveUp']);
const LOOP_COMES_AFTER = does(p.comesAfterAsync);

const ANY_IS_WOKEN_AND_SLICES_END = { ...c.ANY_IS_WOKEN, ...c.SLICES_END };

/** A queue for one item. */
const QUEUE = { mutex: MUTEX, notFull: CONDITION, notEmpty: CONDITION, items: DATA };
const QUEUE_AT_WRAP = { ...QUEUE, notFull: CONDITION_AT_WRAP, notEmpty: CONDITION_AT_WRAP };
const puts = (/** @type {number} */ count) => does([p.moves, count, true]);
const gets = (/** @type {number} */ count) => does([p.moves, count, false]);
const putsAsync = (/** @type {number} */ count) => does([p.movesAsync, count, true]);
const getsAsync = (/** @type {number} */ count) => does([p.movesAsync, count, false]);

const CONDITIONS = [
    ...scenariosOf('condition, ', FLAG, c.EVERY_WAKE_COUNTS, {
        '2 wait': [SETS_FLAG, AWAITS, AWAITS],
        '2 wait, notified all': [SETS_FLAG_FOR_ALL, AWAITS, AWAITS],
        '2 wait, notified with the mutex held': [SETS_FLAG_HOLDING, AWAITS, AWAITS],
        '1 waits, 1 loop': [SETS_FLAG, AWAITS, LOOP],
        '2 loops': [SETS_FLAG, LOOP, LOOP],
        '1 waits, 1 loop of 2': [SETS_FLAG, AWAITS, LOOP_OF_2],
        '1 loop of 2': [SETS_FLAG, LOOP_OF_2],
        '1 waits, 1 may give up': [SETS_FLAG, AWAITS, MAY_GIVE_UP],
        '1 waits, 1 loop with aborts': [SETS_FLAG, AWAITS, LOOP_ABORTS],
        '1 loop with aborts, 1 loop': [SETS_FLAG, LOOP_ABORTS, LOOP],
        '1 may give up, 1 loop': [SETS_FLAG, MAY_GIVE_UP, LOOP],
        '1 loop of 2 with one signal': [SETS_FLAG, LOOP_OF_2_WITH_ONE_SIGNAL],
        '1 loop of 2, of which 1 aborts': [SETS_FLAG, LOOP_OF_2_ABORTS],
        '1 waits, 1 loop of 2, of which 1 aborts': [SETS_FLAG, AWAITS, LOOP_OF_2_ABORTS],
        '1 waits, 1 loop without waitAsync': [SETS_FLAG, AWAITS, polling(LOOP)],
        '1 waits, 1 loop that is busy, notified all': [SETS_FLAG_FOR_ALL, AWAITS, busy(LOOP)],
    }),
    ...scenariosOf('condition, ', FLAG_AT_WRAP, c.EVERY_WAKE_COUNTS, {
        '2 wait, the epoch wraps': [SETS_FLAG, AWAITS, AWAITS],
    }),
    ...scenariosOf('condition, ', FLAG, c.ANY_IS_WOKEN, {
        '1 waits, 1 may give up, any is woken': [SETS_FLAG, AWAITS, MAY_GIVE_UP],
    }),
    ...scenariosOf('condition, ', GROUPS, c.EVERY_WAKE_COUNTS, {
        'groups, 1 comes after': [NOTIFIES_1, WAITS_BEFORE, COMES_AFTER],
        'groups, 1 comes after and may give up': [NOTIFIES_1, WAITS_BEFORE, COMES_AFTER_AND_MAY_GIVE_UP],
        'groups, 1 loop comes after': [NOTIFIES_1, WAITS_BEFORE, LOOP_COMES_AFTER],
        'groups, a loop before, 1 comes after': [NOTIFIES_1, LOOP_WAITS_BEFORE, COMES_AFTER],
        'groups, 2 come after': [NOTIFIES_1, WAITS_BEFORE, COMES_AFTER, COMES_AFTER_AND_MAY_GIVE_UP],
    }),
    ...scenariosOf('condition, ', GROUPS, c.ANY_IS_WOKEN, {
        'groups, 1 comes after, any is woken': [NOTIFIES_1, WAITS_BEFORE, COMES_AFTER],
    }),
    ...scenariosOf('condition, ', CROWD, c.EVERY_WAKE_COUNTS, {
        'a crowd of 2': [notifiesCrowd(2), WAITS_IN_CROWD, WAITS_IN_CROWD],
        'a crowd of 2 of which 1 is a loop': [notifiesCrowd(2), WAITS_IN_CROWD, LOOP_WAITS_IN_CROWD],
        'a crowd of 2 of which 1 may give up': [notifiesCrowd(2), WAITS_IN_CROWD, MAY_LEAVE_CROWD],
        'a crowd of 3 of which 1 may give up': [
            notifiesCrowd(3),
            WAITS_IN_CROWD,
            WAITS_IN_CROWD,
            MAY_LEAVE_CROWD,
        ],
        'a crowd of 3': [notifiesCrowd(3), WAITS_IN_CROWD, WAITS_IN_CROWD, WAITS_IN_CROWD],
        'a crowd of 2, 1 comes after': CROWD_OF_2_AND_NEXT,
    }),
    ...scenariosOf('condition, ', CROWD, ANY_IS_WOKEN_AND_SLICES_END, {
        'a crowd of 2, 1 comes after, any is woken, slices': CROWD_OF_2_AND_NEXT,
    }),
    ...scenariosOf('condition, ', FLAG, c.SLICES_END, {
        '2 wait, 1 dies, slices': [SETS_FLAG_FOR_ALL, AWAITS, mortal(AWAITS)],
        '1 waits, 1 loop dies, slices': [SETS_FLAG_FOR_ALL, AWAITS, mortal(LOOP)],
        '1 loop, 1 waits and dies, slices': [SETS_FLAG_FOR_ALL, LOOP, mortal(AWAITS)],
    }),
    ...scenariosOf('condition, ', QUEUE, c.EVERY_WAKE_COUNTS, {
        'queue, 1 puts 2, 2 get': [puts(2), gets(1), gets(1)],
        'queue, 1 puts 2, 1 gets, 1 loop gets': [puts(2), gets(1), getsAsync(1)],
        'queue, 1 puts, 1 loop puts, 1 gets 2': [puts(1), putsAsync(1), gets(2)],
    }),
    ...scenariosOf('condition, ', QUEUE_AT_WRAP, c.EVERY_WAKE_COUNTS, {
        'queue, 2 put, 1 gets 2, the epochs wrap': [puts(1), puts(1), gets(2)],
    }),
];

/* ---- Event ---- */

const EVENT = { event: /** @type {const} */ ({ is: 'event' }), waits: DATA };
const EVENT_AT_WRAP = { ...EVENT, event: { ...EVENT.event, epoch: EVENT_EPOCHS / EVENT_EPOCH } };

/** @param {...number} waits */
const pulses = (...waits) => does([p.pulses, ...waits]);

const waits = (/** @type {number} */ times) => does([p.waits, times]);
const waitsAsync = (/** @type {number} */ times) => does([p.waitsAsync, times]);
const WAITS = waits(1);
const WAITS_AWHILE = does(p.waitsAWhile);
const WAITS_ASYNC = waitsAsync(1);
const SETS_RESETS = does(p.setsAndResets);

const EVENTS = [
    ...scenariosOf('event, ', EVENT, c.EVERY_WAKE_COUNTS, {
        'a pulse, 2 wait': [pulses(2), WAITS, WAITS],
        'a pulse, 3 wait, 1 may give up': [pulses(3), WAITS, WAITS, WAITS_AWHILE],
        'a pulse, 1 waits, 1 loop of 2, of which 1 aborts': [
            pulses(3),
            WAITS,
            does(p.waitsAborting, [p.waitsAsync, 1]),
        ],
        'a pulse, 1 waits, 1 loop without waitAsync': [pulses(2), WAITS, polling(WAITS_ASYNC)],
        '2 pulses, 2 wait twice': [pulses(2, 4), waits(2), waits(2)],
        '2 pulses, 1 waits twice, 1 loop waits twice': [pulses(2, 4), waits(2), waitsAsync(2)],
        'set and reset by 2, 2 wait': [SETS_RESETS, SETS_RESETS, WAITS, WAITS_AWHILE],
        'set and reset by 2, 1 waits, 1 loop': [SETS_RESETS, SETS_RESETS, WAITS, WAITS_ASYNC],
        'a pulse, 1 waits, 1 loop is busy': [pulses(2), WAITS, busy(WAITS_ASYNC)],
    }),
    ...scenariosOf('event, ', EVENT_AT_WRAP, c.EVERY_WAKE_COUNTS, {
        'a pulse at the wrap, 1 waits, 1 loop': [pulses(2), WAITS, WAITS_ASYNC],
    }),
    ...scenariosOf('event, ', EVENT, c.SLICES_END, {
        'a pulse, 2 wait, 1 dies, slices': [pulses(2), WAITS, mortal(WAITS)],
        'a pulse, 1 waits, 1 loop dies, slices': [pulses(2), WAITS, mortal(WAITS_ASYNC)],
    }),
];

/* ---- The automatic event ---- */

/** A thread whose wait was granted sets the event for the next; a thread that gives up does not. */
const AUTO = { event: /** @type {const} */ ({ is: 'auto event' }), sets: DATA };

const SETS = does(p.sets);
const RESETS_AND_SETS = does(p.resetsAndSets);
const PASSES = does(p.passes);
const PASSES_AWHILE = does(p.passesAWhile);
const PASSES_ASYNC = does(p.passesAsync);
const PASSES_ABORTING = does(p.passesAborting);

/**
 * An event that is set and reset is not set, even if it was reserved in between. Then each set releases one
 * waiter.
 */
const TURNS = { event: AUTO.event, through: DATA };
const RESETS_AND_SETS_FOR_2 = does(p.resetsAndSetsForTwo);
const GOES_THROUGH = does(p.goesThrough);
const GOES_THROUGH_ASYNC = does(p.goesThroughAsync);
const GOES_THROUGH_ABORTING = does(p.goesThroughAborting);

/** A waiter that comes after the reset is released only by the next set. */
const LATER = { ...TURNS, isReset: DATA, isSetAgain: DATA };
const RESETS_AND_SETS_LATER = does(p.resetsAndSetsLater);
const COMES_AFTER_RESET = does(p.comesAfterReset);

const AUTO_EVENTS = [
    ...scenariosOf('automatic event, ', AUTO, c.EVERY_WAKE_COUNTS, {
        '2 wait': [SETS, PASSES, PASSES],
        '3 wait': [SETS, PASSES, PASSES, PASSES],
        '1 waits, 1 may give up': [SETS, PASSES, PASSES_AWHILE],
        '1 waits, 1 loop': [SETS, PASSES, PASSES_ASYNC],
        '1 waits, 1 loop of 2, of which 1 aborts': [SETS, PASSES, does(p.passesAborting, p.passesAsync)],
        '1 waits, 1 loop with aborts, 1 loop': [SETS, PASSES, PASSES_ABORTING, PASSES_ASYNC],
        '1 waits, 1 loop, reset by another': [RESETS_AND_SETS, PASSES, PASSES_ASYNC],
        '1 waits, 1 loop, after a set and a reset': [
            does(p.setsResetsSets),
            does([p.passes, 2]),
            does([p.passesAsync, 2]),
        ],
        '2 wait, set and reset by 2': [SETS, RESETS_AND_SETS, PASSES, PASSES],
    }),
    ...scenariosOf('automatic event, ', TURNS, c.EVERY_WAKE_COUNTS, {
        'a reset while 1 waits, 1 loop': [RESETS_AND_SETS_FOR_2, GOES_THROUGH, GOES_THROUGH_ASYNC],
        'a reset while 2 wait': [RESETS_AND_SETS_FOR_2, GOES_THROUGH, GOES_THROUGH],
    }),
    ...scenariosOf('automatic event, ', TURNS, c.SLICES_END, {
        'a reset while 1 waits, 1 dies, slices': [RESETS_AND_SETS_FOR_2, GOES_THROUGH, mortal(GOES_THROUGH)],
        'a reset while 1 waits, 1 loop dies, slices': [
            RESETS_AND_SETS_FOR_2,
            GOES_THROUGH,
            mortal(GOES_THROUGH_ASYNC),
        ],
    }),
    ...scenariosOf('automatic event, ', LATER, c.EVERY_WAKE_COUNTS, {
        'a reset while it is reserved for a loop that aborts, 1 comes after': [
            RESETS_AND_SETS_LATER,
            busy(GOES_THROUGH_ABORTING),
            COMES_AFTER_RESET,
        ],
        'a reset while it is reserved for a loop that is busy, 1 comes after': [
            RESETS_AND_SETS_LATER,
            busy(GOES_THROUGH_ASYNC),
            COMES_AFTER_RESET,
        ],
    }),
    ...scenariosOf('automatic event, ', AUTO, c.SLICES_END, {
        '1 waits, 1 dies, 1 loop, slices': [SETS, PASSES, mortal(PASSES), PASSES_ASYNC],
    }),
];

/* ---- Latch ---- */

/** @param {number} count */
const LATCH_OF = (count) => ({ latch: /** @type {const} */ ({ is: 'latch', count }) });

const COUNTS = does(p.counts);
const OPENS = does(p.opens);
const OPENS_OR_NOT = does(p.opensOrNot);
const LOOP_OPENS = does(p.opensAsync);
const LOOP_OPENS_OR_NOT = does(p.opensAborting, p.opensAsync);
const COUNTS_AND_WAITS = does(p.countsAndWaits);

const LATCHES = [
    ...scenariosOf('latch, ', LATCH_OF(2), c.EVERY_WAKE_COUNTS, {
        '2 count, 2 wait': [COUNTS, COUNTS, OPENS, OPENS],
        '2 count, 1 may give up, 1 loop of 2, of which 1 aborts': [
            COUNTS,
            COUNTS,
            OPENS_OR_NOT,
            LOOP_OPENS_OR_NOT,
        ],
        '2 count, 1 waits, 1 loop without waitAsync': [COUNTS, COUNTS, OPENS, polling(LOOP_OPENS)],
        '2 count, 1 waits, 1 loop is busy': [COUNTS, COUNTS, OPENS, busy(LOOP_OPENS)],
    }),
    ...scenariosOf('latch, ', LATCH_OF(3), c.EVERY_WAKE_COUNTS, {
        '3 count and wait, 1 loop': [COUNTS_AND_WAITS, COUNTS_AND_WAITS, COUNTS_AND_WAITS, LOOP_OPENS],
    }),
    ...scenariosOf('latch, ', LATCH_OF(LATCH_MOST), c.EVERY_WAKE_COUNTS, {
        'the most, counted at once and in two, 2 wait': [
            does([p.counts, LATCH_MOST - 1]),
            COUNTS,
            OPENS,
            LOOP_OPENS,
        ],
    }),
    ...scenariosOf('latch, ', LATCH_OF(1), c.EVERY_WAKE_COUNTS, {
        'too far, 2 wait': [does(p.countsTooFar), OPENS, OPENS_OR_NOT],
    }),
    ...scenariosOf('latch, ', LATCH_OF(2), c.SLICES_END, {
        '2 count, 2 wait, 1 dies, slices': [COUNTS, COUNTS, OPENS, mortal(OPENS)],
        '2 count, 1 waits, 1 loop dies, slices': [COUNTS, COUNTS, OPENS, mortal(LOOP_OPENS)],
    }),
];

/* ---- Barrier ---- */

const LAST_ROUND = 2 ** BARRIER_SLEEPS_SHIFT - 1;

/** @param {number} parties @param {number} [round] */
const BARRIER_OF = (parties, round = 0) => ({
    barrier: /** @type {const} */ ({ is: 'barrier', parties, round }),
    gone: DATA,
    came: DATA,
});

const arrives = (/** @type {number} */ rounds) => does([p.arrives, rounds]);
const arrivesAWhile = (/** @type {number} */ rounds) => does([p.arrivesAWhile, rounds]);
const arrivesAsync = (/** @type {number} */ rounds) => does([p.arrivesAsync, rounds]);
const arrivesAborting = (/** @type {number} */ rounds) => does([p.arrivesAborting, rounds]);
const MAY_LEAVE = does(p.mayLeave);
const REPLACES = does(p.replaces);

const BARRIERS = [
    ...scenariosOf('barrier, ', BARRIER_OF(3), c.EVERY_WAKE_COUNTS, {
        '3 arrive, 2 rounds': [arrives(2), arrives(2), arrives(2)],
        '1 arrives, 1 may give up, 1 loop with aborts, 2 rounds': [
            arrives(2),
            arrivesAWhile(2),
            arrivesAborting(2),
        ],
        '1 arrives, 1 loop of 2, of which 1 aborts, 2 rounds': [
            arrives(2),
            does([p.arrivesAborting, 2], [p.arrivesAsync, 2]),
        ],
        '2 arrive, 1 leaves and another replaces it': [arrives(1), arrives(1), MAY_LEAVE, REPLACES],
        '2 arrive, 1 loop without waitAsync': [arrives(1), arrives(1), polling(arrivesAsync(1))],
        '2 arrive, 1 loop is busy': [arrives(1), arrives(1), busy(arrivesAsync(1))],
    }),
    ...scenariosOf('barrier, ', BARRIER_OF(3, LAST_ROUND), c.EVERY_WAKE_COUNTS, {
        '3 arrive, 2 rounds at the wrap': [arrives(2), arrives(2), arrivesAsync(2)],
        '2 arrive, 1 may give up, 2 rounds': [arrives(2), arrives(2), arrivesAWhile(2)],
    }),
    ...scenariosOf('barrier, ', BARRIER_OF(2), c.EVERY_WAKE_COUNTS, {
        '2 of 4 at a time': [arrives(1), arrives(1), arrives(1), arrivesAsync(1)],
    }),
    ...scenariosOf('barrier, ', BARRIER_OF(1), c.EVERY_WAKE_COUNTS, {
        '1 arrives, 2 rounds alone': [arrives(2), arrivesAsync(1), arrivesAWhile(1)],
    }),
    ...scenariosOf('barrier, ', BARRIER_OF(3), c.SLICES_END, {
        '3 arrive, 1 dies, slices': [arrives(1), arrives(1), mortal(arrives(1))],
        '2 arrive, 1 loop dies, slices': [arrives(1), arrives(1), mortal(arrivesAsync(1))],
    }),
];

/* ---- Barrier of C threads ---- */

/**
 * Barriers with the calls that only C programs make: tokens, drops, completions, destroying.
 * @param {number} parties
 * @param {{ left?: number, completions?: number, again?: number }} [end]
 * @param {number} [lasts] the expected number of last arrivals, if all threads count theirs
 */
const C_BARRIER_OF = (parties, end = {}, lasts = undefined) => ({
    barrier: /** @type {const} */ ({ is: 'c barrier', parties, ...end }),
    arrived: DATA,
    lasts: { ...DATA, ...(lasts !== undefined && { end: lasts }) },
    seen: DATA,
    made: DATA,
});

const inC = (/** @type {number[]} */ ...least) => does([p.arrivesInC, ...least]);
const withToken = (/** @type {number[]} */ ...least) => does([p.arrivesWithToken, ...least]);
const drops = (/** @type {number[]} */ ...least) => does([p.dropsInC, ...least]);
const completes = (/** @type {number[]} */ ...least) => does([p.completes, ...least]);
const completesWithToken = (/** @type {number[]} */ ...least) => does([p.completesWithToken, ...least]);
const completesOrAgain = (/** @type {number} */ arrivals) => does([p.completesOrAgain, arrivals]);
const completesAfterGivingUp = (/** @type {number} */ arrivals) => does([p.completesAfterGivingUp, arrivals]);
const DROPS_AND_COMPLETES = does(p.dropsAndCompletes);

/** @param {number} rounds @param {number} parties */
const lastMakesAnew = (rounds, parties) => does([p.makesAnew, rounds, parties, true, false]);
/** @param {number} rounds @param {number} parties @param {boolean} isMaker */
const oneMakesAnew = (rounds, parties, isMaker) => does([p.makesAnew, rounds, parties, false, isMaker]);

const C_BARRIERS = [
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(2, {}, 3), c.EVERY_WAKE_COUNTS, {
        '2 arrive, 3 rounds': [inC(2, 4, 6), inC(2, 4, 6)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(2), c.EVERY_WAKE_COUNTS, {
        '1 arrives, 1 with a token, 2 rounds': [inC(2, 4), withToken(2, 4)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(2, { left: 1 }), c.EVERY_WAKE_COUNTS, {
        '1 drops in the second round, 1 arrives': [drops(2), inC(2, 4, 5)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(2), c.EVERY_WAKE_COUNTS, {
        '2 with tokens, 2 rounds': [withToken(2, 4), withToken(2, 4)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(3), c.EVERY_WAKE_COUNTS, {
        '3 with tokens': [withToken(3), withToken(3), withToken(3)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(3, { left: 2 }), c.EVERY_WAKE_COUNTS, {
        '1 drops, 2 arrive twice': [drops(), inC(3, 5), inC(3, 5)],
        '1 drops, 1 arrives twice, 1 with a token': [drops(), inC(3, 5), withToken(3, 5)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(3, { left: 1 }), c.EVERY_WAKE_COUNTS, {
        '2 drop, 1 goes on': [drops(), drops(), inC(3, 4, 5)],
        '3 drop': [drops(), drops(), drops()],
        '2 drop in different rounds, 1 goes on': [drops(), drops(3), inC(3, 5, 6)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(2, { completions: 2 }, 2), c.EVERY_WAKE_COUNTS, {
        'completions, 2 arrive, 2 rounds': [completes(2, 4), completes(2, 4)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(3, { completions: 1 }), c.EVERY_WAKE_COUNTS, {
        'completions, 2 arrive, 1 with a token': [completes(3), completes(3), completesWithToken(3)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(2, { completions: 1, again: 1 }, 1), c.EVERY_WAKE_COUNTS, {
        'completions, 1 arrives, 1 gives up at first': [completesOrAgain(2), completesAfterGivingUp(2)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(3, { completions: 1, again: 1 }, 1), c.EVERY_WAKE_COUNTS, {
        'completions, 2 arrive, 1 gives up at first': [
            completesOrAgain(3),
            completesOrAgain(3),
            completesAfterGivingUp(3),
        ],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(3, { left: 2, completions: 2 }), c.EVERY_WAKE_COUNTS, {
        'completions, 1 drops, 2 arrive twice': [DROPS_AND_COMPLETES, completes(3, 5), completes(3, 5)],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(3), c.EVERY_WAKE_COUNTS, {
        'the last destroys it, 3 arrive, 2 rounds': [
            lastMakesAnew(2, 3),
            lastMakesAnew(2, 3),
            lastMakesAnew(2, 3),
        ],
        'one destroys it, 3 arrive, 2 rounds': [
            oneMakesAnew(2, 3, true),
            oneMakesAnew(2, 3, false),
            oneMakesAnew(2, 3, false),
        ],
    }),
    ...scenariosOf('barrier of C, ', C_BARRIER_OF(2), c.SLICES_MAY_END, {
        'the last destroys it, 2 arrive, 2 rounds, slices': [lastMakesAnew(2, 2), lastMakesAnew(2, 2)],
    }),
];

/* ---- Once ---- */

const ONCE = { once: /** @type {const} */ ({ is: 'once' }), ran: DATA };
const RUNS = does(p.runs);
const FAILS = does(p.runsAndFails);
const RUNS_ASYNC = does(p.runsAsync);
const FAILS_ASYNC = does(p.runsAndFailsAsync);
const RUNS_ABORTING = does(p.runsAborting);

const ONCES = [
    ...scenariosOf('once, ', ONCE, c.EVERY_WAKE_COUNTS, {
        '3 run': [RUNS, RUNS, RUNS],
        '1 fails, 2 run': [FAILS, RUNS, RUNS],
        '1 loop between 2 that block': [RUNS, RUNS_ASYNC, RUNS],
        '1 loop fails between 2 that block': [RUNS, FAILS_ASYNC, RUNS],
        '1 fails, 1 loop with aborts, 1 runs': [FAILS, RUNS_ABORTING, RUNS],
        '2 fail, 1 loop of 2': [FAILS, FAILS, does(p.runsAsync, p.runsAsync)],
    }),
    ...scenariosOf('once, ', ONCE, c.SLICES_END, {
        '2 run, 1 dies, slices': [RUNS, RUNS, mortal(RUNS)],
        '2 run, 1 loop dies, slices': [RUNS, RUNS, mortal(RUNS_ASYNC)],
    }),
];

/** @type {Scenario[]} */
export const PHASE_SCENARIOS = [CONDITIONS, EVENTS, AUTO_EVENTS, LATCHES, BARRIERS, C_BARRIERS, ONCES].flat();

/** A known defect (README.md): `npm run model` checks that the explorer still finds it. */
export const KNOWN = scenariosOf('condition, ', CROWD, c.ANY_IS_WOKEN, {
    'a crowd of 2, 1 comes after, any is woken': CROWD_OF_2_AND_NEXT,
});
