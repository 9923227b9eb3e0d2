/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { browsersOf, captionOf } from './runs.js';
import { waitsPicture } from './waits.js';

/* The pictures, with the scenario that each shows. */

/** Pictures show holdfast beside the textbook lock; the table has other locks too. */
const OF_TEXTBOOK = { rival: 'textbook', what: 'requests wait', axis: 'wait at most this long' };

/** @typedef {Omit<import('./waits.js').Words, 'caption'>} Words */

/** @type {Record<string, Words & { scenario: string, inBrowsers?: true }>} by the name of the file */
const PICTURES = {
    waits: {
        ...OF_TEXTBOOK,
        scenario: 'page',
        subtitle: 'Waits of an event loop for a lock that workers take again and again.',
    },
    'waits-browsers': {
        ...OF_TEXTBOOK,
        scenario: 'browsers',
        inBrowsers: true,
        subtitle: "Waits of a browser's main thread for a lock that workers take again and again.",
    },
    sqlite: {
        scenario: 'sqlite',
        inBrowsers: true,
        rival: "SQLite's own mutexes",
        what: 'queries stop the main thread for',
        axis: 'the main thread stands still at most this long',
        subtitle: 'Queries of the main thread, while four threads write to its SQLite connection.',
    },
    channel: {
        scenario: 'channel',
        inBrowsers: true,
        rival: 'postMessage',
        what: 'messages arrive after',
        axis: 'a message is at most this old',
        subtitle: 'Messages of 1 kB, of which a worker sends one every 20 µs.',
    },
};

/**
 * @param {import('./runs.js').Run[]} runs of which the first that has the scenario is shown
 * @returns {Map<string, { svg: string, title: string }>} the pictures for which there are series
 */
export function drawPictures(runs) {
    const pictures = new Map();
    for (const [name, { scenario, inBrowsers, ...words }] of Object.entries(PICTURES)) {
        for (const run of runs) {
            const series = run.scenarios.find((result) => result.name === scenario)?.series ?? [];
            if (series.length > 0 && !pictures.has(name)) {
                const caption = captionOf(run, inBrowsers ? browsersOf(run) : run.machine.runtime);
                pictures.set(name, waitsPicture(series, { ...words, caption }));
            }
        }
    }
    return pictures;
}
