/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Features of programs that once showed a defect. Each switch is named after its feature, and is `on` once
 * the defect is mended. `npm test` leaves out features that are off; `--with` includes them. */

/**
 * @typedef {object} Switch
 * @property {number[]} defects their numbers in the issue that lists them
 * @property {boolean} on
 * @property {string} makes
 */

/** @type {Record<string, Switch>} */
export const SWITCHES = {
    sharedSignals: {
        defects: [1],
        on: true,
        makes: 'one signal for several requests that ask for different things',
    },
    contexts: {
        defects: [2],
        on: true,
        makes: 'requests in async contexts of their own, which callbacks look at',
    },
    loopContests: {
        defects: [3],
        on: true,
        makes: 'event loops that ask again and again, one of them for more',
    },
    asyncPredicates: { defects: [5], on: true, makes: 'predicates that return promises' },
    resets: {
        defects: [6],
        on: true,
        makes: 'resets of events that are reserved for a busy or dead thread',
    },
    dirtyMemory: { defects: [12], on: true, makes: 'objects made by at() where memory was not zero' },
    strayWords: { defects: [12], on: true, makes: 'words of an object in use that are overwritten' },
    deadHeirs: {
        defects: [13],
        on: true,
        makes: 'threads that die while they wait beside room for others',
    },
    freedWithRequests: {
        defects: [14],
        on: true,
        makes: 'locks freed while this thread has requests for them',
    },
    freedWhileHeld: {
        defects: [14],
        on: true,
        makes: 'locks freed while held, and the guard used afterwards',
    },
    ownRequests: {
        defects: [19],
        on: true,
        makes: 'threads that take again what a request of theirs waits for',
    },
    crowds: { defects: [20], on: true, makes: 'thousands of requests that are met or ended at once' },
};

/** @typedef {Record<string, boolean>} On which are on */

/**
 * @param {string[]} names of switches to turn on as well; `all`: all of them
 * @returns {On}
 */
export function switchesWith(names) {
    const unknown = names.filter((name) => name !== 'all' && !(name in SWITCHES));
    if (unknown.length > 0) {
        throw new Error(
            `no switch is called ${unknown.join(', ')}; there are ${Object.keys(SWITCHES).join(', ')}`,
        );
    }
    const isOn = (/** @type {string} */ name) =>
        SWITCHES[name]?.on || names.includes('all') || names.includes(name);
    return Object.fromEntries(Object.keys(SWITCHES).map((name) => [name, Boolean(isOn(name))]));
}
