/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { withChannels } from './channels.js';
import { Draw } from './draw.js';
import { GENRES } from './genres.js';
import { withNests } from './nests.js';
import { withDeadlines, withUpgrades } from './upgrades.js';

/* A program for each seed, with these combinations:
 *
 * - one to four threads, of which the first may be one that never blocks; one to five objects of all classes, in two
 *   spaces, made by the constructor or by `at` in memory that was not zero;
 * - requests that block, that try, that do not block, as sections and as guards, nested and several at once, of the
 *   same thread and of others, for one object and for several: amounts of 1 to all permits, all modes;
 * - upgradable readers that upgrade in each way, give up, downgrade, or die as they wait for readers;
 * - for each request no limit, a timeout from 0 to huge, or a deadline; and no signal, one of its own, or one that
 *   other requests share. The signal aborts never, in a microtask, by a timer, by a step, or before the request, and
 *   its methods may throw;
 * - callbacks that return, throw, reject, are async in three ways, return a thenable, ask for more;
 * - between them: microtasks, turns of the event loop, sleeps, computing of up to 20 ms, aborts, sets, resets, notifies;
 * - threads that die while they wait for what never comes, with room for other threads or without;
 * - recursive mutexes, locked again up to four times in all ways; inside, other locks are taken, conditions are
 *   waited for, and there may be one unlock too many;
 * - channels beside all that: messages sent and received in every way, in place and many at once, loops, closes, threads that die
 *   while they send or receive;
 * - loops that take a lock again and again, blocking or not, with and without a request of the same thread pending;
 * - thousands of requests that are granted, aborted or timed out at once;
 * - locks that are freed while they have requests, guards and sections, and the next lock at that address;
 * - words that are overwritten while they are used.
 */

/**
 * @param {number} seed
 * @param {import('./switches.js').On} on
 * @param {boolean} [inBrowser] whether the first thread is a page's
 * @returns {import('./program.js').Program}
 */
export function generate(seed, on, inBrowser = false) {
    const draw = new Draw(seed, on);
    const possible = GENRES.filter(({ needs }) => needs === undefined || on[needs]);
    const weights = possible.reduce((sum, { weight }) => sum + weight, 0);
    let left = draw.random.next() * weights;
    const { name, make } = /** @type {import('./genres.js').Genre} */ (
        possible.find(({ weight }) => (left -= weight) < 0) ?? possible[0]
    );
    const made = make(draw, inBrowser);
    const program = { objects: draw.objects, contexts: Boolean(on['contexts']), ...made };
    const withLocks = withUpgrades(withNests(program, name, seed, on), name, seed, on);
    return withDeadlines(withChannels(withLocks, name, seed, on), seed, on);
}
