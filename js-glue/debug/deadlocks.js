/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import {
    AGENT_BLOCKED_OFFSET,
    AGENT_LOOKED_OFFSET,
    AGENT_WAIT_ENDS,
    AT_MASK,
    AT_MUTEX,
    AT_RWLOCK,
} from '../memory/layout.js';
import { nameOrNumber, offsetOfPlace, slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { CLOCKS_MS, SUSPECTED_AFTER_MS, UNKNOWN_AFTER_MS } from '../thread/times.js';
import { waitsIn } from './inspect.js';
import { listeners, tell } from './listeners.js';
import { elsewhere, noteOf } from './notes.js';
import { deadlock } from './report.js';
import { takenAt } from './sites.js';
import { lockAt, nameOrPlace } from './words.js';

/* Finds cycles of threads that wait for each other. Each thread's slot says which lock it waits for, and the
 * lock says which thread holds it. A cycle may lead through several memories, if this thread uses all of them.
 *
 * A cycle counts if two readings of it are the same and all members lived (`haveLived`). Between the readings
 * each blocked member stayed in one call and released nothing, so all of them held their locks at one time. A
 * cycle is certain if every member blocks without a time limit: no member can end it then. Other cycles are
 * only suspected.
 *
 * One member reports: the one that has waited for the shortest time. It closed the cycle, so the others
 * already show their waits when it first searches. The slots lead all members to the same choice. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {object} Thread
 * @property {Attachment} attachment
 * @property {number} identity
 * @property {Int32Array} slot
 * @property {number} owner of the lock that it waits for
 *
 * @typedef {Thread & import('./inspect.js').Wait} Member
 */

/** Objects whose gate names the exclusive holder. Readers are only counted there. */
const OWNED = [AT_MUTEX, AT_RWLOCK];

/** @param {Attachment} attachment @param {number} place @param {number} [known] the owner to probe */
function ownerOf({ exports, table }, place, known = 0) {
    return OWNED.includes(place & AT_MASK)
        ? exports.owner_probe(offsetOfPlace(place), table, known, environment.date() >>> 0)
        : 0;
}

/**
 * @param {Attachment} attachment
 * @param {number} identity
 * @returns {Member | undefined} undefined: it waits for no lock with one owner there
 */
function memberIn(attachment, identity) {
    const slot = slotOf(attachment, identity);
    const [wait] = slot ? waitsIn(slot) : []; // the blocking wait, if any: meanwhile the event loop of the thread does nothing
    const owner = wait ? ownerOf(attachment, wait.place) : 0;
    return slot && wait && owner ? { ...wait, attachment, identity, slot, owner } : undefined;
}

/**
 * A thread's wait, in that memory or another: its blocking wait if it has one.
 * @param {Attachment} attachment
 * @param {number} identity
 */
function memberOf(attachment, identity) {
    const here = memberIn(attachment, identity);
    return here?.blocks
        ? here
        : (elsewhere(attachment, identity)
              .map(([other, itself]) => memberIn(other, itself))
              .find((member) => member?.blocks || (member && !here)) ?? here);
}

/**
 * @param {Attachment} attachment
 * @returns {Member[]} from this thread to the member that waits for it; [] if there is no cycle
 */
function readRing(attachment) {
    /** @type {Member[]} */
    const members = [];
    let member = memberIn(attachment, attachment.self);
    const isMember = (/** @type {Member} */ one) =>
        one.attachment === member?.attachment && one.identity === member.identity;
    while (member !== undefined && !members.some(isMember)) {
        members.push(member);
        if (member.owner === member.attachment.self) {
            // In an event loop, the job that waits and the job that holds may be independent.
            return members.length === 1 && !member.blocks ? [] : members;
        }
        member = memberOf(member.attachment, member.owner);
    }
    return []; // the chain ends, or leads to a cycle without this thread
}

/** The members of a deadlock cycle and their waits, as text. @param {Member[]} ring */
function placesOf(ring) {
    return ring.map(({ identity, place }) => `${identity} ${place}`).join();
}

/**
 * The members of a deadlock cycle and their waits, with the times from which they wait, as text.
 * @param {Member[]} ring
 */
function textOf(ring) {
    return `${placesOf(ring)} ${ring.map(({ since }) => since).join()}`;
}

/** True if this thread is the member that reports. @param {Member[]} ring */
function isTeller(ring) {
    const [teller] = [...ring].sort(
        (one, other) => (other.since - one.since) | 0 || other.identity - one.identity,
    );
    return teller !== undefined && teller.identity === teller.attachment.self;
}

/**
 * True if each member was probed after the cycle closed, so all lived then. After UNKNOWN_AFTER_MS it is true in any
 * case: some members cannot be probed again so soon.
 * @param {Member[]} ring
 */
function haveLived(ring) {
    const now = environment.date();
    const age = Math.min(...ring.map(({ since }) => (now - (since & ~AGENT_WAIT_ENDS)) | 0));
    // Each member is probed in the memory of the lock that it holds.
    const wasSeen = (/** @type {Member} */ { attachment, owner }) => {
        const slot = slotOf(attachment, owner);
        const looked = slot && environment.load(slot, AGENT_LOOKED_OFFSET / 4);
        return owner === attachment.self || (looked !== undefined && ((now - looked) | 0) + CLOCKS_MS <= age);
    };
    return age < 0 || age > UNKNOWN_AFTER_MS || ring.every(wasSeen);
}

/** @param {Member[]} ring @returns {import('./report.js').DeadlockReport} */
function reportOf(ring) {
    const locks = ring.map(({ attachment, place, owner }) => {
        const held = takenAt(attachment, owner, offsetOfPlace(place));
        return { title: held?.name ?? nameOrPlace(lockAt(attachment, place)), heldFrom: held?.from ?? '' };
    });
    const members = ring.map(({ attachment, identity, slot, blocks, since, milliseconds }, at) => {
        const { title: holds = '', heldFrom = '' } = locks.at(at - 1) ?? {};
        const how = since & AGENT_WAIT_ENDS ? 'blocks for a time' : 'blocks';
        return {
            ...{ thread: nameOrNumber(slot, identity), holds, heldFrom },
            waitsFor: locks[at]?.title ?? '',
            askedFrom: noteOf(attachment, identity)?.asks.from ?? '',
            how: /** @type {import('./report.js').DeadlockMember['how']} */ (blocks ? how : 'awaits'),
            since: environment.date() - milliseconds,
        };
    });
    const chain = members.map(
        ({ thread, holds, waitsFor }) => `${thread} holds ${holds} and waits for ${waitsFor}`,
    );
    const certain = members.every(({ how }) => how === 'blocks');
    const message = `${certain ? 'Deadlock' : 'Perhaps a deadlock'}: ${chain.join('; ')}.`;
    return deadlock(certain, members, message);
}

const WHAT_TO_DO =
    'This wait is given up: release what this thread holds. Take locks in the same order everywhere.';

/** The key in `seen` for waits of a report's handler. Other waits have their offset in a slot. */
const IN_HANDLER = 0;

/**
 * Cycles that this thread has found in a memory.
 * @typedef {object} Watch
 * @property {Map<number, { text: string, from: number, isTold: boolean }>} seen the last cycle of each wait
 * @property {{ places: string, certain: boolean }} [telling] the report that handlers are running for
 */

/** @type {WeakMap<WebAssembly.Memory, Watch>} */
const watches = new WeakMap();

/**
 * Follows the chain of threads that wait for each other, after this thread has begun to show a wait, and later from
 * time to time.
 * @param {Attachment} attachment
 * @param {number} which of its waits
 * @returns {HoldfastError | undefined} the error for that wait
 */
export function reportRing(attachment, which) {
    /** @type {Watch} */
    const watch = watches.get(attachment.memory) ?? { seen: new Map() };
    watches.set(attachment.memory, watch);
    const { seen, telling } = watch;
    const ring = readRing(attachment);
    const text = textOf(ring);
    const now = environment.now();
    const wait = telling ? IN_HANDLER : which;
    if (seen.get(wait)?.text !== text) {
        seen.delete(wait);
    }
    const last = seen.get(wait) ?? { text, from: now, isTold: false };
    if (last.isTold || !isTeller(ring)) {
        return undefined;
    }
    seen.set(wait, last);
    const report = reportOf(ring);
    if (!report.certain && now - last.from < SUSPECTED_AFTER_MS) {
        return undefined;
    }
    const news = { places: placesOf(ring), certain: report.certain };
    if (telling?.places === news.places && telling.certain >= news.certain) {
        return undefined; // the handler that waits here was called for this cycle
    }
    // This frees the locks of members that have died.
    ring.forEach((member) => ownerOf(member.attachment, member.place, member.owner));
    const again = readRing(attachment);
    if (textOf(again) !== text || !haveLived(ring)) {
        return undefined;
    }
    last.isTold = true;
    watch.telling = news;
    // A handler gets no report of its own wait: the report would make it wait again.
    const to = [...listeners].map((listener) => (telling ? { throws: listener.throws } : listener));
    const isThrown = tell(report, report.certain, which === AGENT_BLOCKED_OFFSET, to);
    watch.telling = telling;
    const message = `${report.message} ${WHAT_TO_DO}`;
    return isThrown
        ? new HoldfastError('HF_DEADLOCK', message, lockAt(attachment, ring[0]?.place ?? 0))
        : undefined;
}
