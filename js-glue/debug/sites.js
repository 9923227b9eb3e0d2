/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { attachmentFor, foundFor } from '../memory/placed.js';
import { holding } from './calls.js';
import { gateOf } from './inspect.js';
import { noteOf, writeNotes } from './notes.js';
import { affordsStack, originOf, stackOf } from './origin.js';
import { Same } from './same.js';
import { dateOf, lockAt } from './words.js';

/* Places where this thread took what it holds. Each section and guard has a Call (call.js). For lock() and
 * similar methods only the last call of each lock is known, and the lock's words say if this thread still
 * holds it. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {import('./notes.js').Taken} Taken
 * @typedef {object} By a method that is watched
 * @property {string} kind the class that defines the method; the lock's own class may be a subclass of the program
 * @property {string} method
 * @property {Function} frame the function that is called: a stack begins below its frame
 *
 * @typedef {object} Site
 * @property {import('../memory/found.js').Found} found
 * @property {string} by
 * @property {{ stack?: string | undefined }} origin
 */

class Sited extends Same {
    /** @type {Site} */
    #site;

    /** @param {object} lock @param {Site} site */
    constructor(lock, site) {
        super(lock);
        this.#site = site;
    }

    /** @param {any} lock @returns {Site | undefined} */
    static of(lock) {
        return #site in lock ? lock.#site : undefined;
    }
}

/** The sites used last, the latest at the end. @type {Set<Site>} */
const recent = new Set();

/** A thread holds few locks at a time. */
const MOST_RECENT = 64;

/** @param {Site} site */
function renew(site) {
    recent.delete(site);
    recent.add(site);
    if (recent.size > MOST_RECENT) {
        const [oldest] = recent;
        recent.delete(/** @type {Site} */ (oldest));
    }
}

/**
 * The stack of a call. For the mutex of a key, the stack of the program's call of the KeyedMutex.
 * @param {typeof last} call
 */
function originIn({ site, by: { method, frame } }) {
    const outer = site?.found.outer?.prototype[method.slice(0, -'()'.length)];
    const origin = outer && originOf(outer);
    return origin && stackOf(origin) !== '' ? origin : originOf(frame); // a late lookup runs in no call
}

/**
 * The watched method that this thread called last, and the site of its lock.
 * @type {{ by: Pick<By, 'method' | 'frame'>, site?: Site | undefined }}
 */
let last = { by: { method: '', frame: originOf } };

/** True if the origin last returned by `originFor` is that call's own, not an earlier call's. */
export let isOwnOrigin = true;

/**
 * @param {import('../memory/placed.js').Placed<any>} lock whose method was called
 * @param {By} by
 * @returns {Site['origin']} the origin of this call; if it has none, that of the lock's last call with an origin
 */
export function originFor(lock, by) {
    /** @type {Site | undefined} */
    let site;
    try {
        site = Sited.of(lock) ?? newSite(lock);
    } catch {
        // `lock` is not a lock: the method itself will throw.
    }
    last = { by, site };
    isOwnOrigin = !site?.by || affordsStack();
    if (site === undefined) {
        return originIn(last);
    }
    if (isOwnOrigin) {
        site.by = by.method;
        site.origin = originIn(last);
        renew(site);
    }
    return site.origin;
}

/** @param {import('../memory/placed.js').Placed<any>} lock @returns {Site} */
function newSite(lock) {
    const site = { found: foundFor(lock), by: '', origin: {} };
    new Sited(lock, site);
    return site;
}

/** The origin of the last call, which still runs. */
export function originOfLast() {
    return originIn(last);
}

/**
 * @param {Function} inner the function that was called, if no watched method was
 * @returns {import('./notes.js').Asked} the call that blocks now: of the last method called, if it still runs
 */
export function hereFrom(inner) {
    const from = stackOf(originOfLast());
    return from === '' ? { by: '', from: stackOf(originOf(inner)) } : { by: last.by.method, from };
}

export function forgetSites() {
    recent.clear();
}

/** @param {Attachment} attachment @returns {Taken[]} what this thread holds in that memory, as far as is known */
export function holdsIn(attachment) {
    const { exports, self } = attachment;
    /** @param {Site['found']} found @param {string} by @param {Site['origin']} origin @returns {Taken} */
    const taken = ({ byteOffset: at, name }, by, origin, since = 0) => ({
        ...{ at, name, by, from: stackOf(origin) },
        since: since && Math.round(dateOf(since)), // the same each time
    });
    const byCalls = [...holding]
        .filter(({ lock, isFreed }) => attachmentFor(lock) === attachment && !isFreed)
        .map(({ lock, method, origin, since }) => taken(foundFor(lock), method, origin, since));
    const byWords = [...recent]
        .filter(({ found }) => found.attachment === attachment && exports.owned_is_by(found.byteOffset, self))
        .filter(({ found }) => !byCalls.some(({ at }) => at === found.byteOffset))
        .map(({ found, by, origin }) => taken(found, by, origin));
    return [...byCalls, ...byWords];
}

/**
 * How a thread has taken a lock, as far as is known.
 * @param {Attachment} attachment
 * @param {number} identity
 * @param {number} byteOffset
 */
export function takenAt(attachment, identity, byteOffset) {
    const holds = identity === attachment.self ? holdsIn(attachment) : noteOf(attachment, identity)?.holds;
    return holds?.find(({ at }) => at === byteOffset);
}

/**
 * The call by which a gate's holder took it, and the time from which it holds it.
 * @param {import('../waiting/hooks.js').Shown} gate
 * @returns {Partial<Taken>}
 */
export function takenBy({ attachment, place, holder }) {
    const lock = lockAt(attachment, place);
    const owner = gateOf(attachment, lock).owner || attachment.self;
    const taken = takenAt(attachment, owner, lock.byteOffset);
    const seen = holder?.isOther && owner === holder.known ? dateOf(holder.since) : 0;
    return { ...taken, since: taken?.since || seen };
}

/** @param {Attachment} [waitsIn] the memory of a wait to note @param {import('./notes.js').Asked} [asks] */
export function noteSites(waitsIn, asks) {
    writeNotes(holdsIn, waitsIn, asks);
}
