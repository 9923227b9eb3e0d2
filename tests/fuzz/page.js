/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import '../stress/ledger.js';
import { startBrowserThread } from '../stress/browser-threads.js';
import { Referee } from './referee.js';

/* Runs on the page, whose thread plays the first thread of some programs. */

const referee = new Referee(startBrowserThread);

/** @param {import('./referee.js').Code} code @param {number} patience */
export function playOnPage(code, patience) {
    return referee.play(code, patience);
}
