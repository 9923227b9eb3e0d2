/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { endLoop, isLoopOver } from './event-loop.js';

/* What this realm holds beyond the call that took it: async sections and guards. A window may go while its thread lives
 * on: an iframe that is removed, a popup that is closed. Hardly anything of its code runs then, so nobody would end them,
 * and all others would wait for ever. So they end with the window, as the locks of the Web Locks API do. Other realms are
 * threads that end as a whole, of which nothing is heard. */

/** @typedef {{ leave(): unknown }} Lasting releases what it holds */

/** @type {Set<Lasting>} */
const lasting = new Set();

/** @param {PageTransitionEvent} event of the browser; a page that is kept may be shown again, and goes on then */
function onPageHide({ isTrusted, persisted }) {
    if (isTrusted && !persisted) {
        endLoop();
        lasting.forEach((section) => section.leave());
        lasting.clear();
    }
}

/** @param {Lasting} section that lasts from now on */
export function lasts(section) {
    if (isLoopOver()) {
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
