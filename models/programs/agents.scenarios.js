/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Scenarios of the table of threads, with a mutex, or with a semaphore that records each thread's permits. */

/**
 * @typedef {import('../explorer/agents-machine.js').AgentsScenario} AgentsScenario
 * @typedef {import('../explorer/agents-thread.js').Agent} Agent
 */

/** @type {Agent} */
const JOINS = { does: [] };
/** @type {Agent} */
const JOINS_AND_LOCKS = { does: ['locks'] };
/** @type {Agent} */
const LOCKS_AND_LEAVES = { does: ['locks', 'leaves'] };
/** @type {Agent} */
const WAITER = { does: ['locks'], begins: 'joined' };
/** @type {Agent} */
const HOLDER = { does: ['locks'], begins: 'inside' };
/** @type {Agent} */
const GIVES_UP = { ...WAITER, givesUp: true };
/** @type {Agent} */
const LEAVES = { does: ['leaves'], begins: 'joined' };
/** @type {Agent} */
const LEAVES_AND_ARMS = { ...LEAVES, does: ['leaves', 'arms too late'] };
/** @type {Agent} */
const LEAVES_INSIDE = { does: ['leaves inside'], begins: 'inside' };

/** @type {Agent} */
const IS_DECLARED_DEAD = { ...JOINS, begins: 'joined', isDeclaredDead: true };
/** @type {Agent} */
const DECLARES_DEAD = { does: ['declares dead'], begins: 'joined' };

/* Enough entries that probes do not use them up, except in scenarios about that. */
const TWO = { entries: 2, hasty: 1 };
const THREE = { entries: 3, hasty: 1 };
const NO_HASTE = { entries: 3, hasty: 0 };
const DECLARATION = { entries: 3, hasty: 0, deaths: 0 };
const USED_UP = { entries: 1, hasty: 3 };

/** @type {AgentsScenario[]} */
const LOCK_SCENARIOS = Object.entries({
    '2 join a slot': { agents: [JOINS, JOINS], slots: 1, ...TWO },
    '3 join a slot': { agents: [JOINS, JOINS, JOINS], slots: 1, ...TWO },
    '3 join a slot, 2 deaths': { agents: [JOINS, JOINS, JOINS], slots: 1, ...TWO, deaths: 2 },
    '3 join 2 slots': { agents: [JOINS, JOINS, JOINS], slots: 2, ...TWO, hasty: 0 },
    'one leaves, 1 joins': { agents: [LEAVES, JOINS], slots: 1, ...TWO },
    'one leaves, 2 join': { agents: [LEAVES, JOINS, JOINS], slots: 1, ...TWO },
    'one leaves and arms too late, 1 joins': { agents: [LEAVES_AND_ARMS, JOINS], slots: 1, ...TWO },
    '2 lock and leave, 1 joins': {
        agents: [LOCKS_AND_LEAVES, LOCKS_AND_LEAVES, JOINS],
        slots: 2,
        ...TWO,
        hasty: 0,
    },
    'one that dies is declared dead, 1 joins': {
        agents: [IS_DECLARED_DEAD, DECLARES_DEAD, JOINS],
        slots: 2,
        ...TWO,
    },
    'a holder, a waiter': { agents: [HOLDER, WAITER], slots: 2, ...THREE },
    'a holder, a waiter, entries are used up': { agents: [HOLDER, WAITER], slots: 2, ...USED_UP },
    'a holder, a waiter for its slot': { agents: [HOLDER, JOINS_AND_LOCKS], slots: 1, ...TWO },
    'a holder, 2 waiters': { agents: [HOLDER, WAITER, WAITER], slots: 3, ...THREE },
    'a holder, 2 waiters, 2 deaths': {
        agents: [HOLDER, WAITER, WAITER],
        slots: 3,
        entries: 4,
        hasty: 1,
        deaths: 2,
    },
    'a holder, 2 waiters, hasty looks': { agents: [HOLDER, WAITER, WAITER], slots: 3, entries: 5, hasty: 3 },
    'a holder, 2 waiters, entries are used up': { agents: [HOLDER, WAITER, WAITER], slots: 3, ...USED_UP },
    'a holder, a waiter that gives up, a waiter': { agents: [HOLDER, GIVES_UP, WAITER], slots: 3, ...THREE },
    'a holder, a waiter, 1 joins': { agents: [HOLDER, WAITER, JOINS], slots: 2, ...THREE },
    'a holder, a waiter, 1 joins and waits': {
        agents: [HOLDER, WAITER, JOINS_AND_LOCKS],
        slots: 2,
        ...NO_HASTE,
    },
    'a holder, 2 join and wait': {
        agents: [HOLDER, JOINS_AND_LOCKS, JOINS_AND_LOCKS],
        slots: 2,
        ...NO_HASTE,
    },
    'a holder, 2 join and wait, a hasty look': {
        agents: [HOLDER, JOINS_AND_LOCKS, JOINS_AND_LOCKS],
        slots: 2,
        entries: 4,
        hasty: 1,
    },
    'a holder leaves, a waiter': { agents: [LEAVES_INSIDE, WAITER], slots: 2, ...THREE },
    'a holder leaves, a waiter, 1 joins': { agents: [LEAVES_INSIDE, WAITER, JOINS], slots: 2, ...THREE },
    'a holder leaves, a waiter, 1 joins and waits': {
        agents: [LEAVES_INSIDE, WAITER, JOINS_AND_LOCKS],
        slots: 2,
        ...NO_HASTE,
    },
}).map(([name, scenario]) => ({ name: `agents, ${name}`, ...scenario }));

/** @type {Agent} */
const NESTS = { ...WAITER, depth: 2 };
/** @type {Agent} */
const NESTS_TO_3 = { ...WAITER, depth: 3 };
/** @type {Agent} */
const NESTS_TWICE = { ...NESTS, does: ['locks', 'locks'] };
/** @type {Agent} */
const HAS_DEPTH_2 = { ...HOLDER, depth: 2 };
/** @type {Agent} */
const HAS_DEPTH_3 = { ...HOLDER, depth: 3 };
/** @type {Agent} a thread that throws in the middle of a repair */
const NESTS_AND_GIVES_UP = { ...NESTS, givesUp: true };
/** @type {Agent} */
const LOCKS_ONCE = { ...WAITER, depth: 1 };

/**
 * Recursive mutexes, whose owner may die at any depth.
 *
 * @type {AgentsScenario[]}
 */
const DEPTH_SCENARIOS = Object.entries({
    'a holder, a waiter': { agents: [HAS_DEPTH_3, NESTS], slots: 2, ...THREE },
    'a holder, a waiter, 2 deaths': { agents: [HAS_DEPTH_2, NESTS], slots: 2, ...THREE, deaths: 2 },
    '2 that lock it in turn': {
        agents: [NESTS_TWICE, { ...NESTS_TWICE, depth: 3 }],
        slots: 2,
        ...THREE,
    },
    'a holder, 2 waiters, 2 deaths': {
        agents: [HAS_DEPTH_3, NESTS, LOCKS_ONCE],
        slots: 3,
        ...NO_HASTE,
        deaths: 2,
    },
    'a holder, a waiter that gives up, a waiter': {
        agents: [HAS_DEPTH_2, NESTS_AND_GIVES_UP, NESTS_TO_3],
        slots: 3,
        ...NO_HASTE,
    },
}).map(([name, scenario]) => ({ name: `agents, depths, ${name}`, ...scenario }));

/** @type {Agent} */
const READS_UPGRADABLE = { ...WAITER, mode: 'upgradable' };
/** @type {Agent} */
const UPGRADES = { ...WAITER, mode: 'upgrades' };
/** @type {Agent} */
const WRITES = { ...WAITER, mode: 'exclusive' };
/** @type {Agent} */
const READER_INSIDE = { ...HOLDER, mode: 'upgradable' };
/** @type {Agent} */
const UPGRADES_INSIDE = { ...HOLDER, mode: 'upgrades' };
/** @type {Agent} */
const JOINS_AND_UPGRADES = { ...JOINS_AND_LOCKS, mode: 'upgrades' };
/** @type {Agent} */
const UPGRADES_TWICE = { ...UPGRADES, does: ['locks', 'locks'] };

/**
 * A reader-writer lock, whose upgradable reader may die.
 *
 * @type {AgentsScenario[]}
 */
const UPGRADABLE_SCENARIOS = Object.entries({
    'a reader, a writer': { agents: [READER_INSIDE, WRITES], slots: 2, ...THREE },
    'a reader, 1 that upgrades': { agents: [READER_INSIDE, UPGRADES], slots: 2, ...THREE },
    'a reader, 1 that upgrades, 1 more reader': {
        agents: [READER_INSIDE, UPGRADES, READS_UPGRADABLE],
        slots: 3,
        ...THREE,
    },
    '1 that upgrades, a reader, a writer, 2 deaths': {
        agents: [UPGRADES_INSIDE, READS_UPGRADABLE, WRITES],
        slots: 3,
        ...NO_HASTE,
        deaths: 2,
    },
    '2 that upgrade in turn, 2 deaths': {
        agents: [UPGRADES_TWICE, UPGRADES_TWICE],
        slots: 2,
        ...NO_HASTE,
        deaths: 2,
    },
    'a reader, 1 that upgrades for its slot': {
        agents: [READER_INSIDE, JOINS_AND_UPGRADES],
        slots: 1,
        ...TWO,
    },
}).map(([name, scenario]) => ({ name: `agents, upgradable, ${name}`, ...scenario }));

/** @type {Agent} */
const TAKES_2 = { ...WAITER, amount: 2 };
/** @type {Agent} */
const TAKES_TWICE = { does: ['locks', 'locks'], begins: 'joined' };
/** @type {Agent} */
const DECLARED_DEAD = { ...TAKES_TWICE, isDeclaredDead: true };
/** @type {Agent} */
const DECLARED_DEAD_INSIDE = { ...DECLARED_DEAD, begins: 'inside' };
/** @type {Agent} */
const DECLARES_AND_TAKES = { does: ['declares dead', 'locks'], begins: 'joined' };
/** @type {Agent} */
const HAS_2 = { ...HOLDER, amount: 2 };

/**
 * Semaphores with holds.
 *
 * @type {AgentsScenario[]}
 */
const HOLDS_SCENARIOS = Object.entries({
    'a holder, a waiter': { agents: [HOLDER, WAITER], permits: 1, slots: 2, ...THREE },
    'a holder of 2, a waiter': { agents: [HAS_2, WAITER], permits: 2, slots: 2, ...THREE },
    'a holder of 2, 2 waiters': { agents: [HAS_2, WAITER, WAITER], permits: 2, slots: 3, ...NO_HASTE },
    'a holder of 2, a waiter for 2': { agents: [HAS_2, TAKES_2], permits: 3, slots: 2, ...THREE },
    'a holder, 2 waiters for 2': {
        agents: [HOLDER, TAKES_2, TAKES_2],
        permits: 2,
        slots: 3,
        entries: 4,
        hasty: 1,
    },
    '2 holders, a waiter for 2': { agents: [HOLDER, HOLDER, TAKES_2], permits: 2, slots: 3, ...NO_HASTE },
    '2 that take in turn': {
        agents: [TAKES_TWICE, TAKES_TWICE],
        permits: 1,
        slots: 2,
        ...THREE,
    },
    'a holder, a waiter for its slot': { agents: [HOLDER, JOINS_AND_LOCKS], permits: 1, slots: 1, ...TWO },
    'a holder, a waiter, 1 joins and waits': {
        agents: [HOLDER, WAITER, JOINS_AND_LOCKS],
        permits: 1,
        slots: 2,
        ...NO_HASTE,
    },
    'a holder, a waiter, deaths anywhere': {
        agents: [HOLDER, WAITER],
        permits: 2,
        slots: 2,
        ...THREE,
        diesAnywhere: true,
    },
    '2 that take in turn, deaths anywhere': {
        agents: [TAKES_TWICE, TAKES_TWICE],
        permits: 2,
        slots: 2,
        ...THREE,
        deaths: 2,
        diesAnywhere: true,
    },
    'one that goes on is declared dead': {
        agents: [DECLARED_DEAD, DECLARES_DEAD, WAITER],
        permits: 1,
        slots: 3,
        ...DECLARATION,
    },
    'a holder that goes on is declared dead': {
        agents: [DECLARED_DEAD_INSIDE, DECLARES_AND_TAKES, HOLDER],
        permits: 2,
        slots: 3,
        ...DECLARATION,
    },
    'a holder that goes on is declared dead, 1 joins and takes': {
        agents: [DECLARED_DEAD_INSIDE, DECLARES_DEAD, JOINS_AND_LOCKS],
        permits: 2,
        slots: 2,
        ...DECLARATION,
    },
}).map(([name, scenario]) => ({ name: `holds, ${name}`, ...scenario }));

export const AGENTS_SCENARIOS = [
    ...LOCK_SCENARIOS,
    ...DEPTH_SCENARIOS,
    ...UPGRADABLE_SCENARIOS,
    ...HOLDS_SCENARIOS,
];
