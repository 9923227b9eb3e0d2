/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
/* Draws wait distributions as SVG, a panel per setting. The x axis is the percentile of the requests, the y axis their wait, on a
 * logarithmic scale. All positions are fixed pixels: text is not measured, since this machine need not have the reader's fonts. */

/** @typedef {import('../figures.js').Series} Series */

const WIDTH = 800;
const HEAD = 94;
const MARGIN = 16;
const LEFT = MARGIN + 52; // left of the first panel, with room for its axis
const GAP = 28;
const HEIGHT = 170;
const ROW = HEIGHT + 72; // with room for the axis, and for the next row's title
const CAPTION = 15;

const INK = '#24292f';
const PALE = '#59636e';
const GRID = '#e6e9ed';

/** A background of its own, so that one file serves light pages and dark ones. */
const BACKGROUND = '#ffffff';

const HOLDFAST = 'holdfast';

/** Colour-blind people can tell blue and orange apart, too. @param {string} contestant */
function looksOf(contestant) {
    return contestant === HOLDFAST ? { colour: '#0b57d0', width: 3.5 } : { colour: '#c4570c', width: 2.5 };
}

/** @param {string} contestant */
function nameOf(contestant) {
    return contestant === 'textbook' ? 'textbook lock' : contestant;
}

const RAREST = 3;
const FRACTIONS = { '50%': 0.5, '90%': 0.9, '99%': 0.99, '99.9%': 0.999 };
const DECADES = [0.01, 0.1, 1, 10, 100, 1000, 10_000, 100_000];
const FRAME_MS = 1000 / 60;
const TOLD = 0.99;

/** Room for the name of the highest line. */
const ROOM_ABOVE = 3;

/** Points closer than this in the picture are merged. */
const FINEST_STEP = 0.02;

/** @param {number} fraction mapped so that each further 9 has the same width */
function rarity(fraction) {
    return -Math.log10(1 - fraction);
}

/** @param {readonly [number, number][]} points */
function pathOf(points) {
    const path = [];
    let last = -Infinity;
    for (const [fraction, ms] of points) {
        const x = rarity(fraction);
        if (x <= RAREST && x - last >= FINEST_STEP && ms > 0) {
            path.push({ x, ms });
            last = x;
        }
    }
    return path;
}

/** The fraction of all requests that is named, and the ms within which they were answered. @param {Series} series */
function told({ points }) {
    return points.find(([some]) => some >= TOLD - 1e-9)?.[1] ?? NaN;
}

/** @param {number} ms */
function span(ms) {
    const [value, unit] = ms >= 999.5 ? [ms / 1000, 's'] : [ms, 'ms'];
    return `${value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(1) : value.toPrecision(2)} ${unit}`;
}

/** @param {number} value */
function round(value) {
    return Math.round(value * 10) / 10;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {{ size?: number, fill?: string, weight?: number, anchor?: string, halo?: boolean }} [look] `halo`: makes it readable on
 *     any background
 */
function text(x, y, words, { size = 12, fill = PALE, weight = 400, anchor = 'start', halo = false } = {}) {
    const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const around = halo ? ` stroke="${BACKGROUND}" stroke-width="4" paint-order="stroke"` : '';
    const place = `x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"`;
    return `<text ${place} font-size="${size}px" font-weight="${weight}" fill="${fill}"${around}>${escaped}</text>`;
}

/** @param {string} path @param {string} stroke @param {string} [more] attributes */
function line(path, stroke, more = '') {
    return `<path fill="none" stroke="${stroke}"${more} d="${path}"/>`;
}

/**
 * @param {readonly Series[]} series
 * @param {{ left: number, top: number, width: number, domain: [number, number], isLeft: boolean, axis: string }} place
 */
function panelOf(series, { left, top, width, domain: [least, most], isLeft, axis }) {
    const xOf = (/** @type {number} */ x) => round(left + (width * x) / RAREST);
    const yOf = (/** @type {number} */ ms) =>
        round(top + HEIGHT * (1 - Math.log(ms / least) / Math.log(most / least)));
    const [right, bottom] = [left + width, top + HEIGHT];
    const decades = DECADES.filter((ms) => ms >= least && ms <= most);
    const lowest = series.toSorted((a, b) => told(a) - told(b))[0];
    return [
        text(left, top - 16, series[0]?.panel ?? '', { size: 13, fill: INK, weight: 600 }),
        ...decades.map((ms) => line(`M${left},${yOf(ms)}H${right}`, GRID)),
        ...decades
            .filter(() => isLeft)
            .map((ms) =>
                text(left - 6, yOf(ms) + 4, ms >= 1000 ? `${ms / 1000} s` : `${ms} ms`, { anchor: 'end' }),
            ),
        ...Object.entries(FRACTIONS).flatMap(([label, fraction]) => {
            const x = xOf(rarity(fraction));
            const anchor = fraction > TOLD ? 'end' : 'middle';
            return [line(`M${x},${top}V${bottom}`, GRID), text(x, bottom + 17, label, { anchor })];
        }),
        text(left + width / 2, bottom + 37, axis, { anchor: 'middle' }),
        line(`M${left},${yOf(FRAME_MS)}H${right}`, '#8c959f', ' stroke-dasharray="2,3"'),
        // Draws the rival first, so that holdfast's line is on top.
        ...series.toReversed().map(({ contestant, points }) => {
            const { colour, width: stroke } = looksOf(contestant);
            const path = pathOf(points).map(({ x, ms }) => `${xOf(x)},${yOf(ms)}`);
            return line(`M${path.join('L')}`, colour, ` stroke-width="${stroke}"`);
        }),
        ...series.flatMap((one) => {
            const [x, y] = [xOf(rarity(TOLD)), yOf(told(one))];
            const { colour: fill } = looksOf(one.contestant);
            const look = { fill, weight: 600, halo: true };
            const words = `${nameOf(one.contestant)} ${span(told(one))}`;
            return [
                `<circle cx="${x}" cy="${y}" r="4.4" fill="${fill}"/>`,
                one === lowest // no line is below, so there is room for the name
                    ? text(x, y + 20, words, { ...look, anchor: 'middle' })
                    : text(x + 6, y - 12, words, { ...look, anchor: 'end' }),
            ];
        }),
    ];
}

/**
 * @typedef {object} Words
 * @property {string} rival the only other contestant in the picture
 * @property {string} what the words after "99 of 100"
 * @property {string} axis
 * @property {string} subtitle
 * @property {string[]} caption lines with the place and day of the measurement
 */

/**
 * @param {readonly Series[]} allSeries holdfast's first in each panel
 * @param {Words} words
 * @returns {{ title: string, svg: string }}
 */
function waitsPicture(allSeries, { rival, what, axis, subtitle, caption }) {
    const series = allSeries.filter(({ contestant }) => contestant === HOLDFAST || contestant === rival);
    const panels = [...new Set(series.map(({ panel }) => panel))];
    const shown = series.flatMap(({ points }) => pathOf(points).map(({ ms }) => ms));
    const least = Math.max(0.01, Math.min(1, ...shown));
    /** The dotted line must also be in the picture. @type {[number, number]} */
    const domain = [10 ** Math.floor(Math.log10(least)), ROOM_ABOVE * Math.max(FRAME_MS, ...shown)];
    const columns = panels.length === 4 ? 2 : Math.min(3, panels.length);
    const width = Math.floor((WIDTH - LEFT - (columns - 1) * GAP - MARGIN) / columns);
    const end = HEAD + Math.ceil(panels.length / columns) * ROW;
    const title = finding(series, rival, what);
    const drawn = panels.flatMap((panel, index) =>
        panelOf(
            series.filter((one) => one.panel === panel),
            {
                left: LEFT + (index % columns) * (width + GAP),
                top: HEAD + Math.floor(index / columns) * ROW,
                width,
                domain,
                isLeft: index % columns === 0,
                axis: index >= panels.length - columns ? axis : '',
            },
        ),
    );
    const height = end + caption.length * CAPTION;
    const svg = [
        `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">`,
        `<rect width="${WIDTH}" height="${height}" fill="${BACKGROUND}"/>`,
        text(MARGIN, 33, title, { size: 16, fill: INK, weight: 600 }),
        text(MARGIN, 56, `${subtitle} Dotted: one frame at 60 Hz.`, { size: 13 }),
        ...drawn,
        ...caption.map((words, index) => text(MARGIN, end + index * CAPTION, words, { size: 11 })),
        '</svg>\n',
    ];
    return { title, svg: svg.join('\n') };
}

/**
 * The picture's main statement, by the worst panel of each contestant.
 * @param {readonly Series[]} series
 * @param {string} rival
 * @param {string} what
 */
function finding(series, rival, what) {
    const worst = [HOLDFAST, rival].flatMap((name) => {
        const most = Math.max(...series.filter(({ contestant }) => contestant === name).map(told));
        const the = name === 'textbook' ? 'the ' : '';
        return Number.isFinite(most) ? [`${span(most)} with ${the}${nameOf(name)}`] : [];
    });
    return `99 of 100 ${what} up to ${worst.join(', ')}`;
}

/* ---- The pictures, with the scenario that each shows ---- */

/** Pictures show holdfast beside the textbook lock; the table has other locks too. */
const OF_TEXTBOOK = { rival: 'textbook', what: 'requests wait', axis: 'wait at most this long' };

/** @typedef {import('../words.js').Run} Run */

/** @type {Record<string, Omit<Words, 'caption'> & { scenario: string, inBrowsers?: true }>} by the name of the file */
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

/** The browsers of a run, with versions: their figures begin with these. @param {Run} run */
function browsersOf({ scenarios }) {
    const names = scenarios.flatMap(({ figures }) =>
        figures.flatMap(({ what }) => /^(?:Chromium|Firefox) [\d.]+/.exec(what) ?? []),
    );
    return [...new Set(names)].join(', ');
}

/**
 * @param {readonly Run[]} runs of which the first that has the scenario is shown
 * @returns {Map<string, { svg: string, title: string }>} the pictures for which there are series
 */
export function drawPictures(runs) {
    const pictures = new Map();
    for (const [name, { scenario, inBrowsers, ...words }] of Object.entries(PICTURES)) {
        for (const run of runs) {
            const series = run.scenarios.find((result) => result.name === scenario)?.series ?? [];
            if (series.length > 0 && !pictures.has(name)) {
                const { date, machine, cores, system, runtime } = run.machine;
                const caption = [
                    `${date.slice(0, 10)}; ${machine}, ${cores} cores; ${system}`,
                    inBrowsers ? browsersOf(run) : runtime,
                ];
                pictures.set(name, waitsPicture(series, { ...words, caption }));
            }
        }
    }
    return pictures;
}
