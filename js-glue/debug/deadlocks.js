/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import {
    AGENT_ASKED_OFFSET,
    AGENT_BLOCKED_OFFSET,
    AGENT_LOOKED_OFFSET,
    AGENT_WAIT_ENDS,
    AT_MASK,
    AT_MUTEX,
    AT_RWLOCK,
    GATE_LINE_OFFSET,
} from '../memory/layout.js';
import { nameOrNumber, offsetOfPlace, slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { CLOCKS_MS, SUSPECTED_AFTER_MS, UNKNOWN_AFTER_MS } from '../thread/times.js';
import { listeners, tell } from './listeners.js';
import { lockAt, nameOrPlace } from './notice.js';
import { elsewhere, noteOf } from './notes.js';
import { Deadlock } from './report.js';

/* Finds cycles of threads that wait for each other. The slot of each says which lock it waits for, and the lock says which
 * thread holds it. A cycle may lead through several memories, if this thread uses all of them.
 *
 * A cycle is believed when two readings of it are the same. Between them each member that blocks waited in the same call, so
 * it took and released nothing, and all held what they hold at one time, and lived (`haveLived`). If no member has a time
 * limit, and none is an event loop, nobody inside can end the cycle: it is certain. All others are only suspected.
 *
 * One member tells: the one that waits for the shortest time. It closed the cycle, so the others
 * show what they wait for when it looks first. All find the same one, by what the slots say. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 *
 * @typedef {object} DeadlockMember
 * @property {string} thread its name, or its number: `'thread 3'`
 * @property {string} holds what the member before it waits for
 * @property {string} heldFrom the stack of the call that took it; '' if it is not known
 * @property {string} waitsFor
 * @property {string} askedFrom the stack of the call that waits; '' if it is not known
 * @property {'blocks' | 'blocks for a time' | 'awaits'} how it waits: without a limit, with one, by its event loop
 * @property {number} since when it waits, roughly, as `Date.now()` tells it
 */

/**
 * Threads that wait for each other. Plain data, which may be posted; as a string it is its message with the stacks.
 *
 * @typedef {object} DeadlockReport
 * @property {'HF_DEADLOCK'} code
 * @property {boolean} certain whether nobody in the cycle can end it; else one of them has a time limit, or is an event loop
 * @property {readonly DeadlockMember[]} members each holds what the one before it waits for, and the first what the last
 *     waits for
 * @property {string} message in words
 */

/**
 * @typedef {object} Member
 * @property {Attachment} attachment
 * @property {number} identity
 * @property {Int32Array} slot
 * @property {boolean} blocks
 * @property {number} place that it waits for
 * @property {number} since
 * @property {number} owner of that place
 */

/** Objects whose gate names an exclusive holder. Of readers it has only the number. */
const OWNED = [AT_MUTEX, AT_RWLOCK];

/**
 * @param {Attachment} attachment
 * @param {number} place
 * @param {number} [known] to look whether that one lives
 */
function ownerOf({ exports, table, memory }, place, known = 0) {
    const byteOffset = offsetOfPlace(place);
    const isOwned =
        OWNED.includes(place & AT_MASK) && byteOffset + GATE_LINE_OFFSET <= memory.buffer.byteLength;
    return isOwned ? exports.owner_probe(byteOffset, table, known, environment.date() >>> 0) : 0;
}

/**
 * @param {Attachment} attachment
 * @param {number} identity
 * @returns {Member | undefined} undefined: it waits for nothing there that has one owner
 */
function memberIn(attachment, identity) {
    const slot = slotOf(attachment, identity);
    if (slot === undefined) {
        return undefined;
    }
    // While it blocks, its event loop does nothing.
    const blocks = environment.load(slot, AGENT_BLOCKED_OFFSET / 4) !== 0;
    const which = (blocks ? AGENT_BLOCKED_OFFSET : AGENT_ASKED_OFFSET) / 4;
    const place = environment.load(slot, which);
    const since = environment.load(slot, which + 1);
    // While a wait begins or ends, only one of the two is set.
    const owner = place === 0 || since === 0 ? 0 : ownerOf(attachment, place);
    return owner === 0 ? undefined : { attachment, identity, slot, blocks, place, since, owner };
}

/**
 * The same, in that memory or another: what it blocks for, if it does.
 *
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
 * @returns {Member[] | undefined} from this thread to the one that waits for it
 */
function readRing(attachment) {
    /** @type {Member[]} */
    const members = [];
    let member = memberIn(attachment, attachment.self);
    while (member !== undefined && !members.some(({ slot }) => isSameSlot(slot, member))) {
        members.push(member);
        if (member.owner === member.attachment.self) {
            // In an event loop, the job that waits and the job that holds may be independent.
            return members.length === 1 && !member.blocks ? undefined : members;
        }
        member = memberOf(member.attachment, member.owner);
    }
    return undefined; // the chain ends, or this thread waits for a cycle that it is no part of
}

/** @param {Int32Array} slot @param {Member | undefined} member */
function isSameSlot({ buffer, byteOffset }, member) {
    return buffer === member?.slot.buffer && byteOffset === member.slot.byteOffset;
}

/** The members of a deadlock cycle and their waits, as text. @param {Member[]} ring */
function placesOf(ring) {
    return ring.map(({ identity, place }) => `${identity} ${place}`).join();
}

/** The same, and since when. @param {Member[]} ring */
function textOf(ring) {
    return `${placesOf(ring)} ${ring.map(({ since }) => since).join()}`;
}

/** @param {Member} member @returns {boolean} whether it is this thread */
function isSelf({ attachment, identity }) {
    return identity === attachment.self;
}

/** @param {Member[]} ring */
function isTeller(ring) {
    const [teller] = [...ring].sort(
        (one, other) => (other.since - one.since) | 0 || other.identity - one.identity,
    );
    return teller !== undefined && isSelf(teller);
}

/**
 * True if all members lived when the cycle closed, that is, each was probed after that. A thread probed shortly before
 * is not probed again so soon, and may have died in between.
 *
 * @param {Member[]} ring
 */
function haveLived(ring) {
    const now = environment.date();
    const age = Math.min(...ring.map(({ since }) => (now - (since & ~AGENT_WAIT_ENDS)) | 0));
    // Each member was probed in the memory of the lock that it holds.
    const wasSeen = (/** @type {Member} */ { attachment, owner }) => {
        const slot = slotOf(attachment, owner);
        const looked = slot && environment.load(slot, AGENT_LOOKED_OFFSET / 4);
        return owner === attachment.self || (looked !== undefined && ((now - looked) | 0) + CLOCKS_MS <= age);
    };
    return age < 0 || age > UNKNOWN_AFTER_MS || ring.every(wasSeen);
}

/**
 * @param {boolean} blocks
 * @param {number} since
 * @returns {DeadlockMember['how']}
 */
function howOf(blocks, since) {
    if (!blocks) {
        return 'awaits';
    }
    return since & AGENT_WAIT_ENDS ? 'blocks for a time' : 'blocks';
}

/** @param {Member[]} ring */
function reportOf(ring) {
    const now = environment.date();
    const locks = ring.map(({ attachment, place, owner }) => {
        const held = noteOf(attachment, owner)?.holds.find(({ at }) => at === offsetOfPlace(place));
        return { title: held?.name ?? nameOrPlace(lockAt(attachment, place)), heldFrom: held?.from ?? '' };
    });
    const members = ring.map(({ attachment, identity, slot, blocks, since }, at) => {
        const { title: holds = '', heldFrom = '' } = locks.at(at - 1) ?? {};
        return {
            ...{ thread: nameOrNumber(slot, identity), holds, heldFrom },
            waitsFor: locks[at]?.title ?? '',
            askedFrom: noteOf(attachment, identity)?.asks.from ?? '',
            how: howOf(blocks, since),
            since: now - Math.max((now - (since & ~AGENT_WAIT_ENDS)) | 0, 0),
        };
    });
    const chain = members.map(
        ({ thread, holds, waitsFor }) => `${thread} holds ${holds} and waits for ${waitsFor}`,
    );
    const certain = members.every(({ how }) => how === 'blocks');
    return new Deadlock(
        certain,
        members,
        `${certain ? 'Deadlock' : 'Perhaps a deadlock'}: ${chain.join('; ')}.`,
    );
}

const WHAT_TO_DO =
    'This wait is given up: release what this thread holds. Take locks in the same order everywhere.';

/** For the waits of a handler, beside the offsets of a slot's waits. */
const IN_HANDLER = 0;

/** The deadlock cycles that one thread has found in one memory. */
class Watch {
    /** The last cycle of each wait. @type {Map<number, { text: string, from: number, isTold: boolean }>} */
    #seen = new Map();
    /** The report that the handlers get while they run. @type {{ places: string, certain: boolean } | undefined} */
    #telling;

    /**
     * @param {Attachment} attachment
     * @param {number} which of this thread's waits
     * @returns {HoldfastError | undefined} the error for that wait
     */
    look(attachment, which) {
        const ring = readRing(attachment);
        const text = ring && textOf(ring);
        const now = environment.now();
        const wait = this.#telling ? IN_HANDLER : which;
        let last = this.#seen.get(wait);
        if (last?.text !== text) {
            last = undefined;
            this.#seen.delete(wait);
        }
        if (ring === undefined || text === undefined || last?.isTold || !isTeller(ring)) {
            return undefined;
        }
        const report = reportOf(ring);
        last ??= { text, from: now, isTold: false };
        this.#seen.set(wait, last);
        if (!report.certain && now - last.from < SUSPECTED_AFTER_MS) {
            return undefined;
        }
        const news = { places: placesOf(ring), certain: report.certain };
        const before = this.#telling;
        if (before?.places === news.places && before.certain >= news.certain) {
            return undefined; // a handler that waits for the same lock is told of that cycle already
        }
        // This frees the locks of members that have died.
        for (const member of ring) {
            ownerOf(member.attachment, member.place, member.owner);
        }
        const again = readRing(attachment);
        if (again === undefined || textOf(again) !== text || !haveLived(ring)) {
            return undefined;
        }
        last.isTold = true;
        this.#telling = news;
        // A handler gets no report of its own wait: it would wait again.
        const to = [...listeners].map((listener) => (before ? { throws: listener.throws } : listener));
        const isThrown = tell(report, report.certain, which === AGENT_BLOCKED_OFFSET, to);
        this.#telling = before;
        return isThrown
            ? new HoldfastError(
                  'HF_DEADLOCK',
                  `${report.message} ${WHAT_TO_DO}`,
                  lockAt(attachment, /** @type {Member} */ (ring[0]).place),
              )
            : undefined;
    }
}

/** @type {WeakMap<WebAssembly.Memory, Watch>} */
const watches = new WeakMap();

/**
 * Follows the chain of threads that wait for each other, when this one has begun to show what it waits for, or still does.
 *
 * @param {Attachment} attachment
 * @param {number} which of its waits
 * @returns {HoldfastError | undefined} the error for that wait
 */
export function reportRing(attachment, which) {
    const { memory } = attachment;
    const watch = watches.get(memory) ?? new Watch();
    watches.set(memory, watch);
    return watch.look(attachment, which);
}
