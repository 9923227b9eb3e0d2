/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Defects that were mended, put back: the fuzzer, or a test, has to notice each. `edits` undo the mend, in the glue as it
 * is now; without any, the defect is still there. */

/**
 * @typedef {{ file: string, from: string, to: string }} Edit what stands in the file exactly once
 *
 * @typedef {object} PutBack
 * @property {number} defect its number in the issue that lists them
 * @property {string} name
 * @property {Edit[]} edits
 * @property {string[]} switches of the fuzzer: those that the defect needs
 * @property {string[]} tests files of tests/ that notice it, without their ending
 */

/** @type {PutBack[]} */
export const PUT_BACK = [
    { defect: 1, name: 'one signal ends requests twice', edits: [], switches: ['sharedSignals'], tests: [] },
    {
        defect: 2,
        name: "callbacks run in another one's context",
        edits: [],
        switches: ['contexts'],
        tests: [],
    },
    {
        defect: 3,
        name: 'event loops starve among themselves',
        edits: [],
        switches: ['loopContests'],
        tests: [],
    },
    {
        defect: 5,
        name: 'an async predicate counts as true',
        edits: [],
        switches: ['asyncPredicates'],
        tests: [],
    },
    {
        defect: 6,
        name: 'a reset does nothing while an event is reserved',
        edits: [],
        switches: ['resets'],
        tests: [],
    },
    {
        defect: 8,
        name: 'a signal whose method throws stops a queue',
        edits: [],
        switches: ['throwingSignals'],
        tests: [],
    },
    { defect: 12, name: 'inits leave words as they were', edits: [], switches: ['dirtyMemory'], tests: [] },
    {
        defect: 12,
        name: 'a loop has no end where a word is wrong',
        edits: [],
        switches: ['strayWords'],
        tests: [],
    },
    {
        defect: 13,
        name: 'a dead successor blocks what has room',
        edits: [],
        switches: ['deadSuccessors'],
        tests: [],
    },
    { defect: 14, name: 'a freed lock has requests', edits: [], switches: ['freedWithRequests'], tests: [] },
    { defect: 14, name: 'a freed lock is released', edits: [], switches: ['freedWhileHeld'], tests: [] },
    {
        defect: 19,
        name: 'a request lets its thread pass for ever',
        edits: [],
        switches: ['ownRequests'],
        tests: [],
    },
    { defect: 20, name: 'a burst has no end', edits: [], switches: ['crowds'], tests: [] },
];
