/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './ledger.js';
import { playAll } from '../games/tour.js';
import { startBrowserThread } from './browser-threads.js';
import { stress } from './stress.js';

/* Runs on the page, whose thread ends the others. */

/** @param {number[]} bytes */
const placeOf = (bytes) => ({
    endless: new WebAssembly.Module(Uint8Array.from(bytes)),
    startThread: startBrowserThread,
    tell: console.log,
});

/** @param {{ seed: number, minutes: number, deaths: number, bytes: number[] }} options */
export function stressOnPage({ bytes, ...options }) {
    return stress({ ...options, ...placeOf(bytes) });
}

/** @param {{ seed: number, operations: number, bytes: number[] }} options */
export function playOnPage({ bytes, ...options }) {
    return playAll({ ...options, ...placeOf(bytes) });
}
