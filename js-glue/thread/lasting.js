/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* What this realm holds beyond the call that took it: async sections and guards. A window may go while its thread lives
 * on: an iframe that is removed, a popup that is closed. Hardly anything of its code runs then, so nobody would end them,
 * and all others would wait for ever. So they end with the window, as the locks of the Web Locks API do. Other realms are
 * threads that end as a whole, of which nothing is heard. */

/** @type {Set<() => unknown> | undefined} how each of them ends; undefined where no window can go */
let ends;
let isKnown = false;
let windowIsGone = false;

/** @param {PageTransitionEvent} event of the browser; a page that is kept may be shown again, and goes on then */
function onPageHide({ isTrusted, persisted }) {
    if (isTrusted && !persisted) {
        windowIsGone = true;
        ends?.forEach((end) => end());
        ends?.clear();
    }
}

/** Asked at the first use: importing has no side effect. */
function watchWindow() {
    isKnown = true;
    if ('document' in globalThis && typeof globalThis.addEventListener === 'function') {
        ends = new Set();
        globalThis.addEventListener('pagehide', onPageHide);
    }
}

/** Whether this realm's window is no more, or about to be. */
export function isWindowGone() {
    return windowIsGone;
}

/**
 * Something lasts from now on.
 *
 * @template {() => unknown} End
 * @param {End} end releases what it holds
 * @returns {End} for `lastsNoLonger`
 */
export function lasts(end) {
    if (!isKnown) {
        watchWindow();
    }
    ends?.add(end);
    return end;
}

/** @param {() => unknown} end what `lasts` was told */
export function lastsNoLonger(end) {
    ends?.delete(end);
}
