/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import '../stress/ledger.js';
import { startNodeThread } from '../stress/node-threads.js';
import { Referee } from './referee.js';

/** @typedef {{ play: (code: import('./referee.js').Code, patience: number) => Promise<import('./player.js').Failure | undefined>, close: () => Promise<void> }} Place where programs are played */

/** @returns {Promise<Place>} */
export async function openNode() {
    const referee = new Referee(startNodeThread);
    return { play: (code, patience) => referee.play(code, patience), close: () => referee.close() };
}
