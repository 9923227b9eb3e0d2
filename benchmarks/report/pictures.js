/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { looksOf, STOCK, TEXTBOOK } from './looks.js';
import { draw } from './drawing.js';
import { queuePicture } from './queue.js';
import { browsersOf, captionOf, nodeOf } from './runs.js';
import { throughputPicture } from './throughput.js';
import { waitsPicture } from './waits.js';

/* The pictures, and the series that each shows. */

/** @typedef {import('../figures.js').Series} Series */

/**
 * The place of a measurement, if not JavaScript in Node: a panel's name begins with it.
 *
 * @type {Record<string, RegExp>}
 */
const PLACES = { browsers: /^(?:Chromium|Firefox)\b/, c: /^in C\b/, native: /^in native C\b/ };

/** @param {Series} series */
function placeOf({ panel }) {
    return Object.keys(PLACES).find((place) => PLACES[place]?.test(panel));
}

/**
 * @param {Series['picture']} picture
 * @param {string} [place]
 */
function isOf(picture, place) {
    return (/** @type {Series} */ series) => series.picture === picture && placeOf(series) === place;
}

/**
 * @typedef {object} Kind of picture
 * @property {(series: Series) => boolean} has
 * @property {(run: import('./runs.js').Run) => string} [runtimeOf] Node by default
 * @property {(series: Series[], looks: import('./looks.js').Looks, caption: string[]) => import('./drawing.js').Picture} make
 */

/** Others are in the table; this is about what waiting through an event loop comes to with the lock that people write. */
const OF_TEXTBOOK = { rival: TEXTBOOK, what: 'requests wait', axis: 'wait at most this long' };

/** @param {string} who */
function waitsOf(who) {
    return `Waits of ${who} for a lock that workers take again and again.`;
}

/** @type {Record<string, Kind>} by the name of the file */
const KINDS = {
    waits: {
        has: isOf('waits'),
        make: (series, looks, caption) =>
            waitsPicture(series, looks, { ...OF_TEXTBOOK, subtitle: waitsOf('an event loop'), caption }),
    },
    'waits-browsers': {
        has: isOf('waits', 'browsers'),
        runtimeOf: browsersOf,
        make: (series, looks, caption) =>
            waitsPicture(series, looks, {
                ...OF_TEXTBOOK,
                subtitle: waitsOf("a browser's main thread"),
                caption,
            }),
    },
    sqlite: {
        has: ({ picture }) => picture === 'calls',
        runtimeOf: browsersOf,
        make: (series, looks, caption) =>
            waitsPicture(series, looks, {
                rival: STOCK,
                what: 'queries stop the main thread for',
                axis: 'the main thread stands still at most this long',
                subtitle: 'Queries of the main thread, while four threads write to its SQLite connection.',
                caption,
            }),
    },
    throughput: {
        has: isOf('throughput'),
        make: (series, looks, caption) =>
            throughputPicture(series, looks, { where: 'in JavaScript', caption }),
    },
    'throughput-c': {
        has: isOf('throughput', 'c'),
        make: (series, looks, caption) =>
            throughputPicture(series, looks, { where: 'in C, compiled to WebAssembly', caption }),
    },
    'throughput-native': {
        has: isOf('throughput', 'native'),
        make: (series, looks, caption) =>
            throughputPicture(series, looks, { where: 'in C, compiled for this system', caption }),
    },
    queue: { has: isOf('queue'), make: queuePicture },
};

export const PICTURES = Object.keys(KINDS);

/** @param {import('./runs.js').Run[]} runs */
function allSeries(runs) {
    return runs.flatMap((run) =>
        run.scenarios.flatMap(({ series }) =>
            series
                .map((one) => ({
                    ...one,
                    points: one.points.filter((point) => point.every(Number.isFinite)),
                }))
                .filter(({ points }) => points.length > 0)
                .map((one) => ({ ...one, run })),
        ),
    );
}

/**
 * A panel shows one run: the first that has it.
 *
 * @template {Series & { run: import('./runs.js').Run }} T
 * @param {T[]} series
 */
function oneRunAPanel(series) {
    return series.filter(({ panel, run }) => series.find((other) => other.panel === panel)?.run === run);
}

/**
 * @param {import('./runs.js').Run[]} runs
 * @returns {Promise<Map<string, { svg: string, title: string }>>} those that there are series for
 */
export async function drawPictures(runs) {
    const series = allSeries(runs);
    const looks = looksOf(series.map(({ contestant }) => contestant));
    const pictures = new Map();
    for (const [name, { has, make, runtimeOf = nodeOf }] of Object.entries(KINDS)) {
        const shown = oneRunAPanel(series.filter(has));
        if (shown.length > 0) {
            const caption = captionOf([...new Set(shown.map(({ run }) => run))], runtimeOf);
            const picture = make(shown, looks, caption);
            pictures.set(name, { svg: await draw(picture), title: picture.title });
        }
    }
    return pictures;
}
