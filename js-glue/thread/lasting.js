/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What this realm holds beyond the call that took it: async sections and guards. A window may go while its thread lives
 * on: an iframe that is removed, a popup that is closed. Hardly anything of its code runs then, so nobody would end them,
 * and all others would wait for ever. So they end with the window, as the locks of the Web Locks API do. Other realms are
 * threads that end as a whole, of which nothing is heard. */

/** @typedef {{ leave(): unknown }} Lasting releases what it holds */

/** @type {Set<Lasting> | undefined} undefined where no window can go */
let lasting;
let isKnown = false;
let windowIsGone = false;

/** @param {PageTransitionEvent} event of the browser; a page that is kept may be shown again, and goes on then */
function onPageHide({ isTrusted, persisted }) {
    if (isTrusted && !persisted) {
        windowIsGone = true;
        lasting?.forEach((section) => section.leave());
        lasting?.clear();
    }
}

/** Asked at the first use: importing has no side effect. */
function watchWindow() {
    isKnown = true;
    if ('document' in globalThis && typeof globalThis.addEventListener === 'function') {
        lasting = new Set();
        globalThis.addEventListener('pagehide', onPageHide);
    }
}

/** Whether this realm's window is no more, or about to be. */
export function isWindowGone() {
    return windowIsGone;
}

/** @param {Lasting} section that lasts from now on */
export function lasts(section) {
    if (!isKnown) {
        watchWindow();
    }
    lasting?.add(section);
}

/** @param {Lasting} section */
export function lastsNoLonger(section) {
    lasting?.delete(section);
}
