/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_OK, RESULT_TIMEOUT } from '../js-glue/memory/layout.js';
import {
    arriveAndWait,
    arriveAndWaitAsync,
    autoEventWait,
    autoEventWaitAsync,
    call,
    check,
    conditionWait,
    conditionWaitAborting,
    conditionWaitAsync,
    conditionWaitFor,
    countDown,
    countDownTooFar,
    data,
    either,
    eventWait,
    eventWaitAsync,
    latchWait,
    latchWaitAsync,
    lock,
    lockAsync,
    notify,
    repeated,
    reset,
    runOnce,
    runOnceAsync,
    set,
    unlock,
    until,
    untilThrough,
    when,
    whileSo,
} from './program.js';

/* T0, T1, … in a counterexample are the threads in the order given here. */

/**
 * @typedef {import('./program.js').ConditionWait} ConditionWait
 * @typedef {import('./program.js').Program} Program
 * @typedef {import('./program.js').Registers} Registers
 * @typedef {import('./program-scenario.js').Programmed} Programmed
 * @typedef {import('./program-scenario.js').ProgramScenario} ProgramScenario
 */

/** @param {Registers} registers */
const isZero = ({ result }) => result === 0;
/** @param {Registers} registers of one whose last wait was not given up */
const wasMet = ({ outcome }) => outcome === RESULT_OK;

/**
 * @param {...Program} tasks several: an event loop that does them side by side
 * @returns {Programmed}
 */
function does(...tasks) {
    return { tasks };
}

/** @param {Programmed} thread */
function mortal(thread) {
    return { ...thread, mayDie: true };
}

/** @param {Programmed} thread */
function polling(thread) {
    return { ...thread, polls: true };
}

/** @param {Programmed} thread */
function busy(thread) {
    return { ...thread, busy: true };
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

/** @param {number} [count] */
const setsFlag = (count) =>
    does([...lock('mutex'), data('flag', 1), ...unlock('mutex'), ...notify('condition', count)]);
const SETS_FLAG = setsFlag(1);
const SETS_FLAG_FOR_ALL = setsFlag();
const SETS_FLAG_HOLDING = does([
    ...[...lock('mutex'), data('flag', 1)],
    ...[...notify('condition', 1), ...unlock('mutex')],
]);

/** @typedef {{ wait?: ConditionWait, takes?: Program }} Awaiting how it waits, and how it takes the mutex */

/**
 * @param {Awaiting} [how]
 * @returns {Program}
 */
function awaitsFlag({ wait = conditionWait, takes = lock('mutex') } = {}) {
    return [
        ...[...takes, ...whileSo([data('flag')], isZero, wait('condition', 'mutex'))],
        ...[...unlock('mutex'), ...notify('condition', 1)],
    ];
}

/**
 * Waits once at most, and releases the next one unless it gave up.
 * @param {Awaiting} how
 * @returns {Program}
 */
function mayGiveUp({ wait = conditionWaitFor, takes = lock('mutex') } = {}) {
    const waits = [
        ...[...wait('condition', 'mutex'), ...unlock('mutex')],
        ...when(wasMet, notify('condition', 1)),
    ];
    return [...takes, data('flag'), ...either(isZero, waits, unlock('mutex'))];
}

const ASYNC = { wait: conditionWaitAsync, takes: lockAsync('mutex') };
const ABORTING = { wait: conditionWaitAborting, takes: lockAsync('mutex') };

const AWAITS = does(awaitsFlag());
const MAY_GIVE_UP = does(mayGiveUp());
const LOOP = does(awaitsFlag(ASYNC));
const LOOP_OF_2 = does(awaitsFlag(ASYNC), awaitsFlag(ASYNC));
const LOOP_ABORTS = does(mayGiveUp(ABORTING));
const LOOP_OF_2_ABORTS = does(mayGiveUp(ABORTING), awaitsFlag(ASYNC));

/**
 * One waits, and is released by a notify. Others come after that notify: none of them may take the release from it,
 * and only when it is through are they released (glibc 25847).
 */
const GROUPS = { ...FLAG, waits: DATA, notified: DATA };
const WAITS_BEFORE = does([
    ...[...lock('mutex'), data('waits', 1), ...conditionWait('condition', 'mutex')],
    ...[data('flag', 1), ...unlock('mutex'), ...notify('condition')],
]);
const LOOP_WAITS_BEFORE = does([
    ...[...lockAsync('mutex'), data('waits', 1), ...conditionWaitAsync('condition', 'mutex')],
    ...[data('flag', 1), ...unlock('mutex'), ...notify('condition')],
]);
const NOTIFIES_1 = does([
    ...[until('waits', 1), ...lock('mutex'), ...notify('condition', 1)],
    ...[data('notified', 1), ...unlock('mutex')],
]);

/**
 * Those that wait tell nobody when they are through: one notify has to be enough for them, while others come after it
 * and wait for the next.
 */
const CROWD = { ...GROUPS, through: DATA };
const WAITS_IN_CROWD = does([
    ...[...lock('mutex'), data('waits', 1), ...conditionWait('condition', 'mutex')],
    ...[data('through', 1), ...unlock('mutex')],
]);
const LOOP_WAITS_IN_CROWD = does([
    ...[...lockAsync('mutex'), data('waits', 1), ...conditionWaitAsync('condition', 'mutex')],
    ...[data('through', 1), ...unlock('mutex')],
]);
const MAY_LEAVE_CROWD = does([
    ...[...lock('mutex'), data('waits', 1), ...conditionWaitFor('condition', 'mutex')],
    ...[data('through', 1), ...unlock('mutex')],
]);
/** @param {number} waits */
const notifiesCrowd = (waits) =>
    does([
        ...[until('waits', waits), ...lock('mutex'), ...notify('condition', waits)],
        ...[data('notified', 1), ...unlock('mutex')],
        ...[
            until('through', waits),
            ...lock('mutex'),
            data('flag', 1),
            ...unlock('mutex'),
            ...notify('condition'),
        ],
    ]);
const awaitsNext = does([
    ...[until('notified', 1), ...lock('mutex')],
    ...[...whileSo([data('flag')], isZero, conditionWait('condition', 'mutex')), ...unlock('mutex')],
]);

/** @param {Program} program */
const comesAfter = (program) => does([until('notified', 1), ...program]);

/** A queue for one item. */
const QUEUE = { mutex: MUTEX, notFull: CONDITION, notEmpty: CONDITION, items: DATA };
const QUEUE_AT_WRAP = { ...QUEUE, notFull: CONDITION_AT_WRAP, notEmpty: CONDITION_AT_WRAP };

/**
 * @param {{ takes: Program, wait: ConditionWait }} how
 * @param {{ full: boolean }} waitsWhile
 * @returns {Program}
 */
function moves({ takes, wait }, { full }) {
    const [own, others] = full ? ['notFull', 'notEmpty'] : ['notEmpty', 'notFull'];
    return [
        ...takes,
        ...whileSo([data('items')], ({ result }) => result === Number(full), wait(own, 'mutex')),
        ...[data('items', full ? 1 : -1), ...unlock('mutex'), ...notify(others, 1)],
    ];
}

const BLOCKING = { wait: conditionWait, takes: lock('mutex') };
const puts = (/** @type {number} */ count) => does(repeated(count, moves(BLOCKING, { full: true })));
const gets = (/** @type {number} */ count) => does(repeated(count, moves(BLOCKING, { full: false })));
const putsAsync = (/** @type {number} */ count) => does(repeated(count, moves(ASYNC, { full: true })));
const getsAsync = (/** @type {number} */ count) => does(repeated(count, moves(ASYNC, { full: false })));

/** @type {ProgramScenario[]} */
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
        threads: [NOTIFIES_1, WAITS_BEFORE, comesAfter(awaitsFlag())],
    },
    {
        name: 'groups, 1 comes after and may give up',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, comesAfter(mayGiveUp())],
    },
    {
        name: 'groups, 1 loop comes after',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, comesAfter(awaitsFlag(ASYNC))],
    },
    {
        name: 'groups, a loop before, 1 comes after',
        objects: GROUPS,
        threads: [NOTIFIES_1, LOOP_WAITS_BEFORE, comesAfter(awaitsFlag())],
    },
    {
        name: 'groups, 2 come after',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, comesAfter(awaitsFlag()), comesAfter(mayGiveUp())],
        ...LONG,
    },
    {
        name: 'groups, 1 comes after, any is woken',
        objects: GROUPS,
        threads: [NOTIFIES_1, WAITS_BEFORE, comesAfter(awaitsFlag())],
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

/** @param {Program} wait */
function announced([begin, ...wait]) {
    return begin ? [begin, data('waits', 1), ...wait] : [];
}

/**
 * Sets it once so many wait, and resets it at once.
 * @param {number} waits
 */
const pulses = (waits) => [until('waits', waits), ...set('event'), ...reset('event')];

const WAITS = announced(eventWait('event'));
const WAITS_AWHILE = announced(eventWait('event', true));
const WAITS_ASYNC = announced(eventWaitAsync('event'));
const WAITS_ABORTING = announced(eventWaitAsync('event', true));
const SETS_RESETS = [...set('event'), ...reset('event'), ...set('event')];

/** @type {ProgramScenario[]} */
const EVENTS = [
    { name: 'a pulse, 2 wait', objects: EVENT, threads: [does(pulses(2)), does(WAITS), does(WAITS)] },
    {
        name: 'a pulse, 3 wait, 1 may give up',
        objects: EVENT,
        threads: [does(pulses(3)), does(WAITS), does(WAITS), does(WAITS_AWHILE)],
    },
    {
        name: 'a pulse at the wrap, 1 waits, 1 loop',
        objects: EVENT_AT_WRAP,
        threads: [does(pulses(2)), does(WAITS), does(WAITS_ASYNC)],
    },
    {
        name: 'a pulse, 1 waits, 1 loop of 2, of which 1 aborts',
        objects: EVENT,
        threads: [does(pulses(3)), does(WAITS), does(WAITS_ABORTING, WAITS_ASYNC)],
    },
    {
        name: 'a pulse, 1 waits, 1 loop without waitAsync',
        objects: EVENT,
        threads: [does(pulses(2)), does(WAITS), polling(does(WAITS_ASYNC))],
    },
    {
        name: '2 pulses, 2 wait twice',
        objects: EVENT,
        threads: [does([...pulses(2), ...pulses(4)]), does(repeated(2, WAITS)), does(repeated(2, WAITS))],
    },
    {
        name: '2 pulses, 1 waits twice, 1 loop waits twice',
        objects: EVENT,
        threads: [
            does([...pulses(2), ...pulses(4)]),
            does(repeated(2, WAITS)),
            does(repeated(2, WAITS_ASYNC)),
        ],
    },
    {
        name: 'set and reset by 2, 2 wait',
        objects: EVENT,
        threads: [does(SETS_RESETS), does(SETS_RESETS), does(WAITS), does(WAITS_AWHILE)],
        ...LONG,
    },
    {
        name: 'set and reset by 2, 1 waits, 1 loop',
        objects: EVENT,
        threads: [does(SETS_RESETS), does(SETS_RESETS), does(WAITS), does(WAITS_ASYNC)],
        ...LONG,
    },
    {
        name: 'a pulse, 2 wait, 1 dies, slices',
        objects: EVENT,
        threads: [does(pulses(2)), does(WAITS), mortal(does(WAITS))],
        ...RELIABLE,
    },
    {
        name: 'a pulse, 1 waits, 1 loop dies, slices',
        objects: EVENT,
        threads: [does(pulses(2)), does(WAITS), mortal(does(WAITS_ASYNC))],
        ...RELIABLE,
    },
    {
        name: 'a pulse, 1 waits, 1 loop is busy',
        objects: EVENT,
        threads: [does(pulses(2)), does(WAITS), busy(does(WAITS_ASYNC))],
    },
];

/* ---- The event that resets by itself ---- */

/** Whoever is let through sets it again, for the next; one that gives up does not. */
const AUTO = { event: /** @type {const} */ ({ is: 'auto event' }), sets: DATA };

const WAS_SET = [
    data('sets'),
    check((registers) => !isZero(registers), 'it is let through, and nothing was set'),
];

/** @param {Program} wait */
const andSets = (wait) => [...wait, ...when(wasMet, [...WAS_SET, ...set('event')])];

/** The first step is one of its own, since what only programs see comes with the step before. */
const SETS_IT = [until('sets', 0), data('sets', 1), ...set('event')];
const SETS = does(SETS_IT);
const RESETS_AND_SETS = does([...reset('event'), ...SETS_IT]);
const PASSES = andSets(autoEventWait('event'));
const PASSES_AWHILE = andSets(autoEventWait('event', true));
const PASSES_ASYNC = andSets(autoEventWaitAsync('event'));
const PASSES_ABORTING = andSets(autoEventWaitAsync('event', true));
/** Before anybody waits. */
const SETS_RESETS_SETS = does([
    ...[...SETS_IT, ...reset('event')],
    ...[call('event_is_set', 'event', () => [], { expects: [Number(false)] }), ...SETS_IT],
]);
const waitsAfterThat = (/** @type {Program} */ wait) => does([until('sets', 2), ...wait]);

/** What is set and reset is not set, whoever it was reserved for in between; then each set lets one through. */
const TURNS = { event: AUTO.event, through: DATA };
const IS_NOT_SET = call('event_is_set', 'event', () => [], { expects: [Number(false)] });
const RESETS_AND_SETS_FOR_2 = does([
    ...[...set('event'), ...reset('event'), IS_NOT_SET],
    ...[...set('event'), until('through', 1), ...set('event')],
]);
/** @param {Program} wait */
const goesThrough = (wait) => does([...wait, data('through', 1)]);

/** One that comes after the reset is let through by the next set, and not before. */
const LATER = { ...TURNS, isReset: DATA, isSetAgain: DATA };
const RESETS_AND_SETS_LATER = does([
    ...[...set('event'), ...reset('event'), data('isReset', 1), IS_NOT_SET],
    ...[data('isSetAgain', 1), ...set('event'), until('through', 1), ...set('event')],
]);
const COMES_AFTER_RESET = does([
    ...[until('isReset', 1), ...autoEventWait('event', true)],
    ...when(wasMet, [
        data('isSetAgain'),
        check((registers) => !isZero(registers), 'it is let through by the set before the reset'),
    ]),
    data('through', 1),
]);

/** @type {ProgramScenario[]} */
const AUTO_EVENTS = [
    { name: '2 wait', objects: AUTO, threads: [SETS, does(PASSES), does(PASSES)] },
    { name: '3 wait', objects: AUTO, threads: [SETS, does(PASSES), does(PASSES), does(PASSES)], ...LONG },
    { name: '1 waits, 1 may give up', objects: AUTO, threads: [SETS, does(PASSES), does(PASSES_AWHILE)] },
    { name: '1 waits, 1 loop', objects: AUTO, threads: [SETS, does(PASSES), does(PASSES_ASYNC)] },
    {
        name: '1 waits, 1 loop of 2, of which 1 aborts',
        objects: AUTO,
        threads: [SETS, does(PASSES), does(PASSES_ABORTING, PASSES_ASYNC)],
    },
    {
        name: '1 waits, 1 loop with aborts, 1 loop',
        objects: AUTO,
        threads: [SETS, does(PASSES), does(PASSES_ABORTING), does(PASSES_ASYNC)],
        ...LONG,
    },
    {
        name: '1 waits, 1 loop, reset by another',
        objects: AUTO,
        threads: [RESETS_AND_SETS, does(PASSES), does(PASSES_ASYNC)],
    },
    {
        name: '1 waits, 1 loop, after a set and a reset',
        objects: AUTO,
        threads: [SETS_RESETS_SETS, waitsAfterThat(PASSES), waitsAfterThat(PASSES_ASYNC)],
    },
    {
        name: '2 wait, set and reset by 2',
        objects: AUTO,
        threads: [SETS, RESETS_AND_SETS, does(PASSES), does(PASSES)],
        ...LONG,
    },
    {
        name: 'a reset while 1 waits, 1 loop',
        objects: TURNS,
        threads: [
            RESETS_AND_SETS_FOR_2,
            goesThrough(autoEventWait('event')),
            goesThrough(autoEventWaitAsync('event')),
        ],
    },
    {
        name: 'a reset while 2 wait',
        objects: TURNS,
        threads: [
            RESETS_AND_SETS_FOR_2,
            goesThrough(autoEventWait('event')),
            goesThrough(autoEventWait('event')),
        ],
    },
    {
        name: 'a reset while 1 waits, 1 dies, slices',
        objects: TURNS,
        threads: [
            RESETS_AND_SETS_FOR_2,
            goesThrough(autoEventWait('event')),
            mortal(goesThrough(autoEventWait('event'))),
        ],
        ...RELIABLE,
    },
    {
        name: 'a reset while 1 waits, 1 loop dies, slices',
        objects: TURNS,
        threads: [
            RESETS_AND_SETS_FOR_2,
            goesThrough(autoEventWait('event')),
            mortal(goesThrough(autoEventWaitAsync('event'))),
        ],
        ...RELIABLE,
    },
    {
        name: 'a reset while it is reserved for a loop that aborts, 1 comes after',
        objects: LATER,
        threads: [
            RESETS_AND_SETS_LATER,
            busy(goesThrough(autoEventWaitAsync('event', true))),
            COMES_AFTER_RESET,
        ],
    },
    {
        name: 'a reset while it is reserved for a loop that is busy, 1 comes after',
        objects: LATER,
        threads: [RESETS_AND_SETS_LATER, busy(goesThrough(autoEventWaitAsync('event'))), COMES_AFTER_RESET],
    },
    {
        name: '1 waits, 1 dies, 1 loop, slices',
        objects: AUTO,
        threads: [SETS, does(PASSES), mortal(does(PASSES)), does(PASSES_ASYNC)],
        ...RELIABLE,
        ...LONG,
    },
];

/* ---- Latch ---- */

const MOST = 2 ** 31 - 1;

/** @param {number} count */
const LATCH_OF = (count) => ({ latch: /** @type {const} */ ({ is: 'latch', count }) });

const COUNTS = does(countDown('latch'));
const OPENS = does(latchWait('latch'));
const OPENS_OR_NOT = does(latchWait('latch', true));
const LOOP_OPENS = does(latchWaitAsync('latch'));
const LOOP_OPENS_OR_NOT = does(latchWaitAsync('latch', true), latchWaitAsync('latch'));
const COUNTS_AND_WAITS = does([...countDown('latch'), ...latchWait('latch')]);

/** @type {ProgramScenario[]} */
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
        threads: [does(countDown('latch', MOST - 1)), COUNTS, OPENS, LOOP_OPENS],
    },
    {
        name: 'too far, 2 wait',
        objects: LATCH_OF(1),
        threads: [
            does([...countDownTooFar('latch', 0), ...countDownTooFar('latch', 2), ...countDown('latch')]),
            OPENS,
            OPENS_OR_NOT,
        ],
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

const ARRIVES = arriveAndWait('barrier');
/** Comes back until it is let through. */
const ARRIVES_AWHILE = untilThrough(arriveAndWait('barrier', true));
const ARRIVES_ASYNC = arriveAndWaitAsync('barrier');
const ARRIVES_ABORTING = untilThrough(arriveAndWaitAsync('barrier', true));
/** Another comes in its place if it gives up. */
const MAY_LEAVE = [
    ...arriveAndWait('barrier', true),
    ...either(({ result }) => result === RESULT_TIMEOUT, [data('gone', 1)], []),
    data('came', 1),
];
const REPLACES = [until('came', 1), data('gone'), ...when(({ result }) => result === 1, ARRIVES)];

/** @type {ProgramScenario[]} */
const BARRIERS = [
    {
        name: '3 arrive, 2 rounds',
        objects: BARRIER_OF(3),
        threads: [does(repeated(2, ARRIVES)), does(repeated(2, ARRIVES)), does(repeated(2, ARRIVES))],
    },
    {
        name: '3 arrive, 2 rounds at the wrap',
        objects: BARRIER_OF(3, LAST_ROUND),
        threads: [does(repeated(2, ARRIVES)), does(repeated(2, ARRIVES)), does(repeated(2, ARRIVES_ASYNC))],
    },
    {
        name: '2 of 4 at a time',
        objects: BARRIER_OF(2),
        threads: [does(ARRIVES), does(ARRIVES), does(ARRIVES), does(ARRIVES_ASYNC)],
    },
    {
        name: '2 arrive, 1 may give up, 2 rounds',
        objects: BARRIER_OF(3, LAST_ROUND),
        threads: [does(repeated(2, ARRIVES)), does(repeated(2, ARRIVES)), does(repeated(2, ARRIVES_AWHILE))],
    },
    {
        name: '1 arrives, 1 may give up, 1 loop with aborts, 2 rounds',
        objects: BARRIER_OF(3),
        threads: [
            does(repeated(2, ARRIVES)),
            does(repeated(2, ARRIVES_AWHILE)),
            does(repeated(2, ARRIVES_ABORTING)),
        ],
        ...LONG,
    },
    {
        name: '1 arrives, 1 loop of 2, of which 1 aborts, 2 rounds',
        objects: BARRIER_OF(3),
        threads: [
            does(repeated(2, ARRIVES)),
            does(repeated(2, ARRIVES_ABORTING), repeated(2, ARRIVES_ASYNC)),
        ],
    },
    {
        name: '2 arrive, 1 leaves and another replaces it',
        objects: BARRIER_OF(3),
        threads: [does(ARRIVES), does(ARRIVES), does(MAY_LEAVE), does(REPLACES)],
    },
    {
        name: '2 arrive, 1 loop without waitAsync',
        objects: BARRIER_OF(3),
        threads: [does(ARRIVES), does(ARRIVES), polling(does(ARRIVES_ASYNC))],
    },
    {
        name: '1 arrives, 2 rounds alone',
        objects: BARRIER_OF(1),
        threads: [does(repeated(2, ARRIVES)), does(ARRIVES_ASYNC), does(ARRIVES_AWHILE)],
    },
    {
        name: '3 arrive, 1 dies, slices',
        objects: BARRIER_OF(3),
        threads: [does(ARRIVES), does(ARRIVES), mortal(does(ARRIVES))],
        ...RELIABLE,
    },
    {
        name: '2 arrive, 1 loop dies, slices',
        objects: BARRIER_OF(3),
        threads: [does(ARRIVES), does(ARRIVES), mortal(does(ARRIVES_ASYNC))],
        ...RELIABLE,
    },
    {
        name: '2 arrive, 1 loop is busy',
        objects: BARRIER_OF(3),
        threads: [does(ARRIVES), does(ARRIVES), busy(does(ARRIVES_ASYNC))],
    },
];

/* ---- Once ---- */

const ONCE = { once: /** @type {const} */ ({ is: 'once' }), ran: DATA };
const RUNS = does(runOnce('once', { ran: 'ran' }));
const FAILS = does(runOnce('once', { ran: 'ran', fails: true }));
const RUNS_ASYNC = does(runOnceAsync('once', { ran: 'ran' }));
const FAILS_ASYNC = does(runOnceAsync('once', { ran: 'ran', fails: true }));
const RUNS_ABORTING = does(runOnceAsync('once', { ran: 'ran', aborts: true }));

/** @type {ProgramScenario[]} */
const ONCES = [
    { name: '3 run', objects: ONCE, threads: [RUNS, RUNS, RUNS] },
    { name: '1 fails, 2 run', objects: ONCE, threads: [FAILS, RUNS, RUNS] },
    { name: '1 loop between 2 that block', objects: ONCE, threads: [RUNS, RUNS_ASYNC, RUNS] },
    { name: '1 loop fails between 2 that block', objects: ONCE, threads: [RUNS, FAILS_ASYNC, RUNS] },
    { name: '1 fails, 1 loop with aborts, 1 runs', objects: ONCE, threads: [FAILS, RUNS_ABORTING, RUNS] },
    {
        name: '2 fail, 1 loop of 2',
        objects: ONCE,
        threads: [FAILS, FAILS, does(...RUNS_ASYNC.tasks, ...RUNS_ASYNC.tasks)],
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
 * @param {ProgramScenario[]} scenarios
 */
function of(kind, scenarios) {
    return scenarios.map((scenario) => ({ ...scenario, name: `${kind}, ${scenario.name}` }));
}

/** @type {ProgramScenario[]} */
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
 * @type {ProgramScenario[]}
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
