/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import '../stress/ledger.js';
import { startFrameWith } from '../browser/page-threads.js';
import { startBrowserThread } from '../stress/browser-threads.js';
import { endsItself, measureDeaths, nested, terminated } from './deaths.js';
import { STATES } from './mortal.js';
import { probe } from './probes.js';

/* Runs on a page. */

const UNSHARED = { description: () => '' };

/**
 * @param {string} name
 * @param {string} state
 * @param {'takeLock' | 'adopt'} method of the iframe
 * @returns {import('./deaths.js').Way}
 */
const inFrame = (name, state, method) => ({
    name,
    state,
    async start(victim) {
        const { frame } = await startFrameWith(UNSHARED, method, { ...victim, way: state });
        return { end: () => frame.remove() };
    },
});

/** @param {{ names: string[], deaths: number, probes: number, seed: number }} job */
export async function playOnPage({ names, deaths, probes, seed }) {
    const ways = [
        ...STATES.map((state) => terminated(startBrowserThread, state)),
        ...STATES.map((state) => nested(startBrowserThread, state)),
        endsItself(startBrowserThread, 'close()', 'closes'),
        inFrame('removal of the iframe', 'idle', 'takeLock'),
        ...STATES.map((state) => inFrame(`removal of its iframe, ${state}`, state, 'adopt')),
    ].filter(({ name }) => names.includes(name));
    const options = { startThread: startBrowserThread, seed, tell: console.log };
    return {
        deaths: await measureDeaths({ ...options, ways, deaths }),
        probes: await probe({ ...options, probes }),
    };
}
