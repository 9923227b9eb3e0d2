/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { attachmentFor, foundFor } from '../memory/placed.js';
import { environment } from '../thread/environment.js';
import { holding } from './calls.js';
import { writeNotes } from './notes.js';
import { affordsStack, calls, originOf, stackOf } from './origin.js';
import { Same } from './same.js';

/* Places where this thread took what it holds. Sections and guards have a call each (call.js); of lock() and the like
 * only the last call of each lock is known, and the words say if this thread still holds it. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {import('../memory/placed.js').Placed<any>} Lock
 * @typedef {import('./notes.js').Taken} Taken
 *
 * @typedef {object} Site
 * @property {Attachment} attachment
 * @property {number} at
 * @property {string | undefined} name
 * @property {string} by
 * @property {{ stack?: string | undefined }} origin
 */

class Sited extends Same {
    /** @type {Site} */
    #site;

    /** @param {Lock} lock @param {Site} site */
    constructor(lock, site) {
        super(lock);
        this.#site = site;
    }

    /** @param {any} lock @returns {Site | undefined} */
    static of(lock) {
        return #site in lock ? lock.#site : undefined;
    }
}

/** The sites renewed last, the latest at the end. @type {Set<Site>} */
const recent = new Set();

/** A thread holds few locks at a time. */
const MOST_RECENT = 64;

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

/** True if the origin that `originFor` has returned last is that call's own: else it is of a call before. */
export let isOwnOrigin = true;

/**
 * @param {Lock} lock that a method of it was called for
 * @param {import('./call.js').By} by
 * @returns {Site['origin']} of this call, or of the last one of the lock that has one
 */
export function originFor(lock, by) {
    calls(by);
    let site;
    try {
        site = Sited.of(lock) ?? newSite(lock);
    } catch {
        isOwnOrigin = true;
        return originOf(by.frame); // no lock, of which the method says so, or a frozen one
    }
    isOwnOrigin = site.by === '' || affordsStack();
    if (isOwnOrigin) {
        site.by = by.method;
        site.origin = originOf(by.frame);
        renew(site);
    }
    return site.origin;
}

/** @param {Lock} lock */
function newSite(lock) {
    const { attachment, byteOffset: at, name } = foundFor(lock);
    /** @type {Site} */
    const site = { attachment, at, name, by: '', origin: {} };
    new Sited(lock, site);
    return site;
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
        .map(({ lock, method: by, origin, since }) => {
            const { byteOffset: at, name } = foundFor(lock);
            return { at, name, by, from: stackOf(origin), since: since && now + since };
        });
    const byWords = [...recent]
        .filter(({ attachment: there, at }) => there === attachment && exports.owned_is_by(at, self) !== 0)
        .filter(({ at }) => !byCalls.some((call) => call.at === at))
        .map(({ at, name, by, origin }) => ({ at, name, by, from: stackOf(origin), since: 0 }));
    return [...byCalls, ...byWords];
}

/** @param {import('./notes.js').Asked} [asks] */
export function noteSites(asks) {
    writeNotes(holdsIn, asks);
}
