/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { endLoop, isLoopOver } from './event-loop.js';

/* Async sections and guards. Nothing would end them when their window goes while its thread lives on (a removed iframe,
 * a closed popup). So they end with it, as the locks of the Web Locks API do. Other realms end with their thread. */

/** @typedef {{ leave(): unknown, queue: { lasting: number } }} Lasting `leave()` releases what it holds; a queue counts its own */

/** @type {Set<Lasting>} */
const lasting = new Set();
/** Things that end after all of these. @type {Pick<Lasting, 'leave'>[]} */
const last = [];

/** @param {PageTransitionEvent} event a page that is kept (persisted) may be shown again */
function onPageHide({ isTrusted, persisted }) {
    if (isTrusted && !persisted) {
        endLoop();
        [...lasting, ...last].forEach((each) => each.leave());
        lasting.clear();
    }
}

function listen() {
    globalThis.addEventListener?.('pagehide', onPageHide); // each time: document.open() takes listeners away
}

/** @param {Lasting} section */
export function lasts(section) {
    section.queue.lasting += 1;
    if (isLoopOver()) {
        section.leave(); // this job may be the last one here
    } else if ('document' in globalThis) {
        listen();
        lasting.add(section);
    }
}

/** @param {Pick<Lasting, 'leave'>} thing that is there until the window goes, behind all sections */
export function endsWithWindow(thing) {
    if ('document' in globalThis) {
        listen();
        last.push(thing);
    }
}

/** Whether this is an iframe, or a popup of somebody. */
export function mayEndBeforeThread() {
    const { document, opener, parent } = /** @type {any} */ (globalThis);
    return Boolean(document) && (parent !== globalThis || Boolean(opener));
}

/** @param {Lasting} section */
export function lastsNoLonger(section) {
    section.queue.lasting -= 1;
    lasting.delete(section);
}
