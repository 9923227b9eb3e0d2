/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AGENT_ALIVE,
    AGENT_ASKED_OFFSET,
    AGENT_BLOCKED_OFFSET,
    AGENT_BYTES,
    AGENT_STATE_BITS,
    AGENT_WAIT_ENDS,
    AGENTS_BYTES,
    AGENTS_COUNT_OFFSET,
    AGENTS_SLOTS_OFFSET,
    GATE_LINE_OFFSET,
    GATE_OWN_OFFSET,
    ONCE_DONE_OFFSET,
    RECURSIVE_MUTEX_DEPTH_OFFSET,
    RWLOCK_MOST,
    RWLOCK_UPGRADABLE,
    THREAD_JS,
    THREAD_MARK,
    THREAD_MASK,
    THREAD_RANDOM,
} from '../memory/layout.js';
import { keyAt, keysAt } from '../keyed/keys.js';
import { attach } from '../memory/attachment.js';
import { kindAt, nameIn, namesIn, offsetOf } from '../memory/names.js';
import { attachmentFor, Placed } from '../memory/placed.js';
import { nameOrNumber, offsetOfPlace, slotOf } from '../memory/slot.js';
import { environment } from '../thread/environment.js';
import { InspectedThread } from './inspected-thread.js';
import { channelAt, lockAt, lockNamed, printable, seconds, titleOf } from './words.js';

/* Shows the threads of a hung program: which use a memory, what each waits for, and which thread holds that.
 * It reads shared memory without a lock, so its parts may be of slightly different times. */

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 * @typedef {object} InspectedWait
 * @property {string} kind the class of the awaited object
 * @property {string} name '' if it has none
 * @property {number} byteOffset
 * @property {boolean} blocks whether the thread is blocked; if not, its event loop waits and may do other work
 * @property {number} milliseconds how long it has waited, about
 * @property {'send' | 'receive'} [to] what it waits to do with a channel that is full or empty
 *
 * @typedef {object} InspectedObject
 * @property {string} kind the name of its class
 * @property {string} name '' if it has none
 * @property {number} byteOffset
 * @property {string | undefined} holder of a `Mutex`, of a `RecursiveMutex`, of a `Once` or, exclusively or
 *     upgradable, of an `RwLock`: the thread's name
 * @property {number | undefined} heldFor milliseconds, as seen by the waiters. Too large if the holder has changed
 *     since their last probe
 * @property {boolean} isAbandoned whether its holder was found dead
 * @property {number | undefined} depth of a `RecursiveMutex` that is held: how often its holder has locked it
 * @property {number | undefined} inUse how many permits, readers beside the upgradable one, or keys of a `KeyedMutex`
 *     that are held
 * @property {boolean | undefined} isDone of a `Once`
 * @property {string | undefined} next the thread that gets it next, if already chosen
 * @property {number} waiting how many threads are seen to wait
 */

/**
 * The threads that use a space, and its objects that have a name or that a thread waits for.
 * @typedef {object} Inspection
 * @property {readonly InspectedThread[]} threads
 * @property {readonly InspectedObject[]} objects
 * @property {() => string} toString for people
 */

/** @implements {Inspection} */
class Snapshot {
    /** @param {readonly InspectedThread[]} threads @param {readonly InspectedObject[]} objects */
    constructor(threads, objects) {
        this.threads = threads;
        this.objects = objects;
    }

    toString() {
        const linesOf = (/** @type {string[]} */ texts) => texts.map((text) => `    ${text}\n`).join('');
        return `threads\n${linesOf(this.threads.map(textOfThread))}locks\n${linesOf(this.objects.map(textOf))}`;
    }
}

const WAYS = { send: 'to send to', receive: 'to receive from' };

/** @param {InspectedThread} thread */
function textOfThread({ name, isThis, isAlive, waitsFor }) {
    const waits = waitsFor.map((wait) => {
        const { blocks, to, milliseconds } = wait;
        return `, ${blocks ? 'blocked' : 'asks'} ${to ? WAYS[to] : 'for'} ${titleOf(wait)} (${seconds(milliseconds)})`;
    });
    return `${printable(name)}${isThis ? ' (this thread)' : ''}${isAlive ? '' : ', dead'}${waits.join('')}`;
}

/** @param {InspectedObject} object */
export function textOf(object) {
    const { holder, heldFor, isAbandoned, depth, inUse, isDone, next, waiting } = object;
    const parts = [
        holder && `${isAbandoned ? 'abandoned by' : 'held by'} ${printable(holder)}`,
        depth && `depth ${depth}`,
        heldFor && `for at least ${seconds(heldFor)}`,
        inUse && `${inUse} in use`,
        isDone && 'done',
        next && `next ${printable(next)}`,
        (waiting > 0 || !IS_GATE.test(object.kind)) && `${waiting} waiting`,
    ].filter(Boolean);
    return [titleOf(object), ...(parts.length === 0 ? ['free'] : parts)].join(', ');
}

/**
 * True if the thread's slot has another thread, so this one has died.
 * @param {Attachment} attachment
 * @param {number} identity
 */
function hasLostSlot(attachment, identity) {
    const { exports, table } = attachment;
    return table !== 0 && exports.agents_slot(table, identity) !== 0 && !slotOf(attachment, identity);
}

/** @param {Attachment} attachment @param {number} identity as in lock words; 0: none */
function threadName(attachment, identity) {
    const slot = slotOf(attachment, identity);
    if (identity === 0 || slot) {
        return slot && nameOrNumber(slot, identity);
    }
    if (hasLostSlot(attachment, identity)) {
        return 'a thread that died';
    }
    return identity < THREAD_JS ? 'a thread of C' : 'an unknown thread';
}

/**
 * @typedef {object} Wait as a slot shows it
 * @property {number} place of the awaited object, with its kind
 * @property {boolean} blocks
 * @property {number} since as in the slot
 * @property {number} milliseconds
 * @property {number} held for how many milliseconds its holder has had it; 0: not known
 */

/** Waits of a thread, the blocking one first. @param {Int32Array} slot @returns {Wait[]} */
export function waitsIn(slot) {
    const now = environment.date() >>> 0;
    // Not less than 0: clocks of threads differ a little, and the time may be written after this thread read
    // its clock.
    const ageOf = (/** @type {number} */ time) => Math.max((now - time) | 0, 0);
    return [AGENT_BLOCKED_OFFSET, AGENT_ASKED_OFFSET].flatMap((offset) => {
        const [place = 0, since = 0, held = 0] = [0, 1, 2].map((at) =>
            environment.load(slot, offset / 4 + at),
        );
        const isInside = offsetOfPlace(place) + GATE_LINE_OFFSET <= slot.buffer.byteLength;
        const blocks = offset === AGENT_BLOCKED_OFFSET;
        const milliseconds = ageOf(since & ~AGENT_WAIT_ENDS);
        // While a wait begins or ends, only one of `place` and `since` is set.
        return place === 0 || since === 0 || !isInside
            ? []
            : { place, blocks, since, milliseconds, held: held && ageOf(held) };
    });
}

/** The slots of threads that live or have died. @param {Attachment} attachment */
function slotsOf({ memory, table }) {
    const header = new Int32Array(memory.buffer, table, AGENTS_BYTES / 4);
    const first = table + environment.load(header, AGENTS_SLOTS_OFFSET / 4);
    const count = table === 0 ? 0 : environment.load(header, AGENTS_COUNT_OFFSET / 4);
    return Array.from({ length: count }, (_, at) => {
        const words = new Int32Array(memory.buffer, first + at * AGENT_BYTES, AGENT_BYTES / 4);
        for (;;) {
            const state = environment.load(words, 0);
            const identity = state >>> AGENT_STATE_BITS;
            const isAlive = (state & ((1 << AGENT_STATE_BITS) - 1)) === AGENT_ALIVE;
            const name = nameOrNumber(words, identity);
            const waits = isAlive ? waitsIn(words) : [];
            if (environment.load(words, 0) === state) {
                return { identity, isAlive, name, waits }; // else another thread has taken the slot: read it again
            }
        }
    });
}

/** @typedef {ReturnType<typeof slotsOf>} Slots */
/** @typedef {import('./words.js').LockNamed} Known */

/**
 * @param {any} where
 * @returns {Known} what is known of a lock, given by itself or its handle; anything else has the name ''
 */
function givenBy(where) {
    if (where instanceof Placed) {
        return lockNamed(where);
    }
    const { holdfast: kind, name = '', byteOffset } = Object(where);
    return { kind, name, byteOffset };
}

/**
 * @param {Attachment} attachment
 * @param {Slots} slots
 * @param {Known} given
 * @returns {Known[]} sorted by their places
 */
function objectsOf(attachment, slots, given) {
    const awaited = slots.flatMap(({ waits }) => waits.map(({ place }) => lockAt(attachment, place)));
    const named = namesIn(attachment)
        .filter(({ place }) => place !== 0 && kindAt(place) !== '')
        .map(({ place, bytes }) => ({
            ...{ kind: kindAt(place), name: nameIn(bytes), byteOffset: offsetOf(place) },
        }));
    const isShown = given.name !== '' || IS_KEYED.test(given.kind);
    const all = [...awaited, ...(isShown ? [given] : []), ...named];
    return [...new Map(all.map((one) => [one.byteOffset, one])).values()].sort(
        (one, other) => one.byteOffset - other.byteOffset,
    );
}

/* Classes with a gate (c-src/gate.h), by what its amount in use is: an owner's identity, a number, or either.
 * Patterns and not strings: tests search bundles for strings of class names, which show unused classes. */
const HAS_OWNER = /^(\w*Mutex|Once)$/;
const HAS_OWNER_OR_COUNTS = /RwLock$/;
const IS_GATE = /(Mutex|Once|RwLock|Semaphore)$/;
const IS_RECURSIVE = /^Recursive/;
const IS_ONCE = /^Once$/;
/** A table of mutexes, with no state of its own. */
const IS_KEYED = /^Keyed/;

/** @param {Attachment} attachment @param {Known} known */
export function gateOf({ memory }, { kind, byteOffset }) {
    const { buffer } = memory;
    const isGate = IS_GATE.test(kind) && !IS_KEYED.test(kind);
    const length = Math.min(GATE_OWN_OFFSET / 4 + 1, (buffer.byteLength - byteOffset) / 4);
    const words = new Int32Array(buffer, byteOffset, isGate ? length : 0);
    const [used = 0, next = 0, , own = 0] = Array.from(
        words,
        (_, at) => environment.load(words, at) & THREAD_MASK,
    );
    // An amount in use above the most readers of an RwLock is the identity of a writer.
    const least = HAS_OWNER.test(kind) ? 1 : HAS_OWNER_OR_COUNTS.test(kind) ? RWLOCK_MOST + 1 : Infinity;
    const isOwned = used >= least;
    const isUpgradable = HAS_OWNER_OR_COUNTS.test(kind) && used >= RWLOCK_UPGRADABLE && used <= RWLOCK_MOST;
    const isMarked = (used & THREAD_RANDOM) !== THREAD_RANDOM && (used & THREAD_MARK) !== 0;
    return {
        owner: isOwned ? used & ~(isMarked ? THREAD_MARK : 0) : isUpgradable ? own : 0,
        isAbandoned: isOwned && isMarked,
        count: isOwned || least === 1 ? undefined : isUpgradable ? used % RWLOCK_UPGRADABLE : used,
        next,
    };
}

/** @param {Attachment} attachment @param {number} byteOffset */
function ownerOfMutex(attachment, byteOffset) {
    return gateOf(attachment, { kind: 'Mutex', name: '', byteOffset }).owner;
}

/** @param {Attachment} attachment @param {Known} known @param {Slots} [slots] @returns {InspectedObject} */
export function inspectKnown(attachment, known, slots = slotsOf(attachment)) {
    const { owner, isAbandoned, count, next } = gateOf(attachment, known);
    const { kind, byteOffset } = known;
    const keys = IS_KEYED.test(kind) ? keysAt(attachment, byteOffset) : undefined;
    const places = keys ?? [byteOffset];
    const here = slots.flatMap(
        ({ waits }) => waits.find(({ place }) => places.includes(lockAt(attachment, place).byteOffset)) ?? [],
    );
    // The shortest of the times: a thread that has not probed lately may have seen an earlier holder.
    const seen = here.map(({ held }) => held).filter((held) => held !== 0);
    const wordAt = (/** @type {number} */ offset) =>
        environment.load(new Int32Array(attachment.memory.buffer, byteOffset + offset, 1), 0);
    return {
        ...known,
        holder: threadName(attachment, owner),
        heldFor: owner === 0 || seen.length === 0 ? undefined : Math.min(...seen),
        isAbandoned: isAbandoned || (owner !== 0 && hasLostSlot(attachment, owner)),
        depth: owner !== 0 && IS_RECURSIVE.test(kind) ? wordAt(RECURSIVE_MUTEX_DEPTH_OFFSET) + 1 : undefined,
        inUse: keys?.filter((at) => ownerOfMutex(attachment, at) !== 0).length ?? count,
        isDone: IS_ONCE.test(kind) ? wordAt(ONCE_DONE_OFFSET) !== 0 : undefined,
        next: threadName(attachment, next),
        waiting: here.length,
    };
}

/** @param {Placed} object @returns {InspectedObject} */
export function inspectLock(object) {
    return inspectKnown(attachmentFor(object), lockNamed(object));
}

/**
 * Shows which threads use a memory, what they wait for, and who holds what: all objects with a name, and all that a
 * thread waits for. A thread shows its waits once it has called `debug()`, after 50 to 400 ms, and only if its death
 * is noticed (`support().death`). `String(inspect(space))` is for people. Nothing is locked meanwhile, so parts may
 * contradict each other.
 * Blocks: never. Callable from: any thread.
 * @param {WebAssembly.Memory | { readonly memory: WebAssembly.Memory }} where a memory, or a `LockSpace`, a lock or a
 *     handle in it
 * @returns {Inspection}
 * @throws {import('../errors.js').HoldfastError} `HF_NOT_SHARED`, and as `LockSpace.attach`
 */
export function inspect(where) {
    const { memory = where } = Object(where);
    const attachment = attach(memory);
    const slots = slotsOf(attachment);
    const objects = objectsOf(attachment, slots, givenBy(where));
    const keys = new Set(
        objects.flatMap(({ kind, byteOffset }) =>
            IS_KEYED.test(kind) ? keysAt(attachment, byteOffset) : [],
        ),
    );
    /** @template {Known} K @param {K} known @returns {K} the mutex of a key is described as that key */
    const withKey = (known) =>
        keys.has(known.byteOffset)
            ? { ...known, kind: 'KeyedMutex', name: keyAt(attachment, known.byteOffset) }
            : known;
    const owners = new Set(objects.map((known) => gateOf(attachment, known).owner));
    const threads = slots
        .filter(({ isAlive, identity }) => isAlive || (identity !== 0 && owners.has(identity)))
        .map(({ identity, isAlive, name, waits }) => {
            const waitsFor = waits.map(({ place, blocks, milliseconds }) => {
                const { byteOffset } = lockAt(attachment, place);
                const known = /** @type {Known} */ (objects.find((one) => one.byteOffset === byteOffset));
                const channel = channelAt(attachment, place);
                return { ...withKey(known), blocks, milliseconds, ...(channel && { to: channel.to }) };
            });
            return new InspectedThread(attachment, identity, { name, isAlive, waitsFor });
        });
    return new Snapshot(
        threads,
        objects.map((known) => withKey(inspectKnown(attachment, known, slots))),
    );
}
