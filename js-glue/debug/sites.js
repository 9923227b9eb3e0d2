/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { attachmentFor, foundFor } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { holding } from './call.js';
import { writeNotes } from './notes.js';
import { affordsStack, originOf, stackOf } from './origin.js';

/* Places where this thread took what it holds. Sections and guards have a call each (call.js); of lock() and the like
 * only the last call of each lock is known, and the words say if this thread still holds it. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {import('./notes.js').Taken} Taken
 *
 * @typedef {object} Site
 * @property {Attachment} attachment
 * @property {number} at
 * @property {string | undefined} name
 * @property {string} by
 * @property {{ stack?: string | undefined }} origin
 */

/** @type {WeakMap<import('../memory/placed.js').Placed, Site>} */
const sites = new WeakMap();

/** The sites renewed last, the latest at the end. @type {Set<Site>} */
const recent = new Set();

/** A thread holds few locks at a time. */
const MOST_RECENT = 64;

/** @param {import('../memory/placed.js').Placed} lock */
function placeOf(lock) {
    const { byteOffset: at, name } = foundFor(lock);
    return { at, name };
}

/** @param {Site} site */
function renew(site) {
    recent.delete(site);
    recent.add(site);
    for (const oldest of recent) {
        if (recent.size <= MOST_RECENT) {
            break;
        }
        recent.delete(oldest);
    }
}

/**
 * @param {import('../memory/placed.js').Placed} lock that a method of it was called for
 * @param {string} by that method
 * @param {Function} frame the method as it is called: a stack begins below it
 * @returns {{ origin: Site['origin'], isOwn: boolean }} of this call, or of the last one of the lock that has one
 */
export function siteOf(lock, by, frame) {
    let site = sites.get(lock);
    if (site === undefined) {
        const origin = originOf(frame);
        try {
            site = { attachment: attachmentFor(lock), ...placeOf(lock), by, origin };
        } catch {
            return { origin, isOwn: true }; // no lock: the method says so
        }
        sites.set(lock, site);
        renew(site);
        return { origin, isOwn: true };
    }
    const isOwn = affordsStack();
    if (isOwn) {
        site.by = by;
        site.origin = originOf(frame);
        renew(site);
    }
    return { origin: site.origin, isOwn };
}

export function forgetSites() {
    recent.clear();
}

/** @param {Attachment} attachment @returns {Taken[]} what this thread holds in that memory, as far as is known */
export function holdsIn(attachment) {
    const { exports, self } = attachment;
    const now = environment.date() - environment.now();
    const byCalls = [...holding]
        .filter(({ lock, isFreed }) => attachmentFor(lock) === attachment && !isFreed)
        .map(({ lock, method: by, origin, since }) => ({
            ...placeOf(lock),
            ...{ by, from: stackOf(origin), since: now + since },
        }));
    const byWords = [...recent]
        .filter(({ attachment: there, at }) => there === attachment && exports.gate_is_mine(at, self) !== 0)
        .filter(({ at }) => !byCalls.some((call) => call.at === at))
        .map(({ at, name, by, origin }) => ({ at, name, by, from: stackOf(origin), since: 0 }));
    return [...byCalls, ...byWords];
}

/** @param {import('./notes.js').Asked} [asks] */
export function noteSites(asks) {
    writeNotes(holdsIn, asks);
}
