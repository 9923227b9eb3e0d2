/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { environment } from './environment.js';
import { isIn } from './tag.js';

/* What this realm holds beyond the call that took it: async sections and guards. A window may go while its thread lives
 * on: an iframe that is removed, a popup that is closed. Hardly anything of its code runs then, so nobody would end them,
 * and all others would wait for ever. So they end with the window, as the locks of the Web Locks API do. Other realms are
 * threads that end as a whole, of which nothing is heard. */

/** @typedef {{ leave(): unknown }} Lasting releases what it holds */

/** @type {Set<Lasting>} */
const lasting = new Set();
let windowIsGone = false;

/** @param {PageTransitionEvent} event of the browser; a page that is kept may be shown again, and goes on then */
function onPageHide({ isTrusted, persisted }) {
    if (isTrusted && !persisted) {
        windowIsGone = true;
        lasting.forEach((section) => section.leave());
        lasting.clear();
    }
}

/** Whether this realm's window is no more, or about to be. Outside windows, a document is a library's. */
function isWindowGone() {
    return windowIsGone || (globalThis.document?.defaultView === null && isIn(/Window/));
}

/**
 * Whether waiting through the event loop is possible at all. An audio worklet has no timers to watch a wait by. Those of a
 * window that is no more, as of an iframe that was removed, never come; but Chromium still runs there what a wake resolves.
 */
export function hasTimers() {
    return typeof environment.setTimeout === 'function' && !isWindowGone();
}

/** @param {Lasting} section that lasts from now on */
export function lasts(section) {
    if (isWindowGone()) {
        section.leave(); // the job in which the window went may be its last one
    } else if ('document' in globalThis) {
        globalThis.addEventListener?.('pagehide', onPageHide); // each time, for document.open() takes listeners away
        lasting.add(section);
    }
}

/** @param {Lasting} section */
export function lastsNoLonger(section) {
    lasting.delete(section);
}
