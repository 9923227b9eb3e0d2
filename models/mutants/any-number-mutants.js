/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { SOURCE_MUTANTS } from './mutants.js';

/* What a mutex of any number of blocking threads (models/any-number/) says of mistakes in what it stands on. Nobody has looked yet at
 * those that are in no list here. */

/** @type {import('./mutants.js').SourceMutant[]} */
export const ANY_NUMBER_MUTANTS = SOURCE_MUTANTS.filter(({ file }) =>
    ['c-src/gate.c', 'c-src/senior.h', 'c-src/mutex.c'].includes(file),
);

/** Reported, and a few threads do it: by the same check, or so that the explorer finds it. */
const REPORTED = [
    'who watched a reservation takes the lock also when it is held',
    'who comes by passes also when there is no room',
    'an open gate lets nobody in who wants more than it has',
    'a gate has room only while nothing is in use',
    'any reservation may be taken away',
    'a reservation counts as outlasted when the time of the caller was up',
    'the successor does not know its own place',
    'nobody minds a successor',
    'two calls of one thread are the same',
    'a place has the number of its call',
    'who passes leaves the call to the next',
    'a woken sleeper does not answer for the others',
    'a release wakes no sleeper',
    'wakes are for the word as it is now',
    'a gate that opens for anybody keeps its flags',
];

/** Reported, but no few threads do it, each with the reason. @type {Record<string, string>} */
const SPURIOUS = {};

/** Blocking threads do otherwise, and nothing is reported. @type {{ reason: string, mutants: string[] }[]} */
const SILENT = [
    {
        reason: 'nobody has to pass by a successor that neither dies nor is busy',
        mutants: ['a reservation is never taken away'],
    },
];

/** Blocking threads do with a mutex what they do with the shipped module. */
const THE_SAME = [
    'the last of what there is cannot be taken',
    'one more than there is can be taken',
    'what is asked for does not count',
    'a place that was watched may be taken as if it had been called',
    'a call that looks like nobody counts for nobody',
];

/** @type {Record<string, readonly string[]>} */
const LISTS = {
    reported: REPORTED,
    spurious: Object.keys(SPURIOUS),
    silent: SILENT.flatMap(({ mutants }) => mutants),
    'the same': THE_SAME,
};

/** All that are in a list. */
export const NAMED = Object.values(LISTS).flat();

/** @param {string} name of a mutant @returns {string | undefined} */
export function expectedOf(name) {
    return Object.keys(LISTS).find((list) => LISTS[list]?.includes(name));
}
