/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import './ledger.js';
import { playAll } from '../games/tour.js';
import { startNodeThread } from './node-threads.js';
import { stress } from './stress.js';

/** @param {Uint8Array} bytes of the module with waits that have no limit */
const placeOf = (bytes) => ({
    endless: new WebAssembly.Module(/** @type {Uint8Array<ArrayBuffer>} */ (bytes)),
    startThread: startNodeThread,
});

/** @type {import('./run.js').Place} */
export const IN_NODE = {
    stress: ({ bytes, ...options }) => stress({ ...options, ...placeOf(bytes) }),
    games: ({ bytes, ...options }) => playAll({ ...options, ...placeOf(bytes) }),
};
