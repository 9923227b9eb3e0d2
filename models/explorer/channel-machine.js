/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    CHANNEL_CLOSED,
    CHANNEL_LEAST_PLACE,
    CHANNEL_RECEIVERS_OFFSET,
    CHANNEL_RING_OFFSET,
    CHANNEL_SENDERS_OFFSET,
    CHANNEL_WORD_OFFSET,
    RESULT_BUSY,
    RESULT_CLOSED,
    RESULT_OK,
} from '../../js-glue/memory/layout.js';
import { call, resume } from '../wasm/interpreter.js';
import { Violation } from './violation.js';

/* One channel: its event counts and its ring, in the shipped bytes of its module. A side's mutex is one move
 * here, since mutexes are explored by themselves; so is what the glue, or a C thread, does between two calls.
 * A dead thread's mutex is free at once, since the next caller takes it over. A dead thread may have consumed
 * a wake, so after a death slices end where the word has changed. Without a death no slice ends: a lost wake
 * then leaves a world from which some thread never ends.
 *
 * An event loop waits by waitAsync, as js-glue/waiting/channel-side.js and queue.js do: its entry outlives a
 * request that is aborted, and is used again. Its sweeps are slices. */

/**
 * @typedef {import('../wasm/decoder.js').Module} Module
 *
 * @typedef {'sends' | 'receives' | 'closes' | 'advances' | 'awaits'} Role `advances`, `awaits`: by the event count of the
 *     senders alone
 * @typedef {{ role: Role, times?: number, mayDie?: boolean, isLoop?: boolean, aborts?: number }} Party `times`: messages,
 *     or changes; `aborts`: how many requests of an event loop may be aborted
 * @typedef {{ name: string, parties: Party[] }} ChannelScenario
 *
 * @typedef {object} Actor
 * @property {string} next its next step when no call runs
 * @property {any} stop its position in the running call
 * @property {boolean} sleeps
 * @property {'none' | 'pending' | 'woken'} entry of an event loop, on the awaited side's word
 * @property {number} expected the word's value for which it waits
 * @property {number} aborts that may still come
 * @property {boolean} isDead
 * @property {boolean} holds its side's mutex
 * @property {number} token
 * @property {number} result of the last call
 * @property {number} place
 * @property {number} left messages to send, or changes to make or to await
 * @property {number} copy a message that it has copied and not yet taken
 * @property {number[]} got
 *
 * @typedef {{ words: Record<number, bigint>, actors: Actor[] }} World
 * @typedef {{ thread: number, due: boolean, kind: 'step' | 'slice ends' | 'aborts' | 'dies' }} Move
 */

const CHANNEL = 64;
const RING = 64;
/** Two of this size fill the ring. */
const SIZE = 24;
const NO_LIMIT = -1;
/** The count of slices decides only the length of a sleep, so it is always this. */
const NO_SLICES = 0;
/** Results of memory.atomic.wait32. */
const [WOKEN, NOT_EQUAL, TIMED_OUT] = [0, 1, 2];
/** The word of a side's holder, behind the side's own word. */
const NEXT_OFFSET = CHANNEL_WORD_OFFSET + 8;
const ONE_CHANGE = 2n ** 32n + 8n;
const FLAGS = 7n;
/** A sender's messages are its number times this, plus a count that goes down to 1. */
const MOST_MESSAGES = 100;

const SENDERS = CHANNEL + CHANNEL_SENDERS_OFFSET;
const RECEIVERS = CHANNEL + CHANNEL_RECEIVERS_OFFSET;

/** @param {Role} role */
const ownSide = (role) => (role === 'receives' ? RECEIVERS : SENDERS);
/** @param {Role} role */
const awaitedSide = (role) => (role === 'sends' ? RECEIVERS : SENDERS);

/** @param {World} world @param {string} name of an access @param {number} address */
function read({ words }, name, address) {
    const word = words[address & ~7] ?? 0n;
    return name.startsWith('i64')
        ? BigInt.asIntN(64, word)
        : Number(BigInt.asIntN(32, word >> BigInt((address & 4) * 8)));
}

/** @param {World} world @param {string} name @param {number} address @param {number | bigint} value */
function write({ words }, name, address, value) {
    const shift = BigInt((address & 4) * 8);
    const word = words[address & ~7] ?? 0n;
    words[address & ~7] = name.startsWith('i64')
        ? BigInt.asUintN(64, BigInt(value))
        : (word & ~(0xffff_ffffn << shift)) | (BigInt.asUintN(32, BigInt(value)) << shift);
}

/** @param {Actor} actor whose call may have ended */
function settle(actor) {
    if (actor.stop.atomic === undefined) {
        const { value = 0 } = actor.stop;
        actor.result = Number(typeof value === 'bigint' ? BigInt.asIntN(32, value) : value); // a step returns the word that its wait expects
        actor.stop = undefined;
    }
}

/** @param {unknown} value */
const textOf = (value) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each));

export class ChannelMachine {
    hasTellingCycles = false;
    #module;
    #parties;

    /** @param {Module} module of channels @param {ChannelScenario} scenario */
    constructor(module, { parties }) {
        this.#module = module;
        this.#parties = parties;
    }

    /** @returns {World} */
    start() {
        /** @type {World} */
        const world = {
            words: {},
            actors: this.#parties.map(({ times = 0, aborts = 0 }) => ({
                ...{ next: 'locks', stop: undefined, sleeps: false, isDead: false, holds: false },
                ...{ entry: /** @type {const} */ ('none'), expected: 0, aborts },
                ...{ token: 0, result: 0, place: 0, left: times, copy: 0, got: [] },
            })),
        };
        [SENDERS, RECEIVERS].forEach((side) => write(world, 'i32', side + CHANNEL_RING_OFFSET, RING));
        return world;
    }

    /** @param {World} world */
    keyOf(world) {
        return textOf(world);
    }

    /** @param {number} thread @returns {Role} */
    #roleOf(thread) {
        return this.#parties[thread]?.role ?? 'closes';
    }

    /** @param {Actor} actor */
    #isOver({ next, stop, isDead }) {
        return isDead || (next === 'ends' && !stop);
    }

    /** @param {World} world @returns {Move[]} */
    movesOf(world) {
        const { actors } = world;
        const slicesEnd = actors.some(({ isDead }) => isDead);
        return actors.flatMap((actor, thread) => {
            if (this.#isOver(actor)) {
                return [];
            }
            const naps = actor.next === 'naps' && !actor.stop;
            const endsSlice = slicesEnd && (actor.sleeps || naps) && !this.#isAwaited(world, actor, thread);
            const side = ownSide(this.#roleOf(thread));
            const isLocked = actors.some((one, at) => one.holds && ownSide(this.#roleOf(at)) === side);
            const locks = this.#roleOf(thread) !== 'closes' && this.#roleOf(thread) !== 'awaits';
            const waits = naps
                ? actor.entry !== 'woken'
                : actor.sleeps || (!actor.stop && locks && actor.next === 'locks' && isLocked);
            /** @type {Move['kind'][]} */
            const kinds = [
                ...(waits ? [] : /** @type {const} */ (['step'])),
                ...(endsSlice ? /** @type {const} */ (['slice ends']) : []),
                ...(naps && actor.aborts > 0 ? /** @type {const} */ (['aborts']) : []),
                ...(this.#parties[thread]?.mayDie ? /** @type {const} */ (['dies']) : []),
            ];
            return kinds.map((kind) => ({ thread, due: kind !== 'dies' && kind !== 'aborts', kind }));
        });
    }

    /**
     * True if the word on which it sleeps still has the expected value.
     *
     * @param {World} world
     * @param {Actor} actor
     * @param {number} thread
     */
    #isAwaited(world, { stop, expected }, thread) {
        return stop
            ? read(world, 'i32', stop.atomic.address) === stop.atomic.operands[0]
            : this.#awaitedBy(world, thread) === expected;
    }

    /** The word for which a loop's entry waits. @param {World} world @param {number} thread */
    #awaitedBy(world, thread) {
        return read(world, 'i32', awaitedSide(this.#roleOf(thread)) + CHANNEL_WORD_OFFSET);
    }

    /** True if all threads are done; without a close, receivers end in a wait. @param {World} world */
    isDone(world) {
        return !this.movesOf(world).some(({ due }) => due);
    }

    /** @param {World} world */
    isServed(world) {
        return this.isDone(world) && this.leftBehind(world) === '';
    }

    /** @param {World} world */
    leftBehind(world) {
        const { actors } = world;
        const isClosed = actors.some(({ isDead }, at) => this.#roleOf(at) === 'closes' && !isDead);
        const stuck = actors.findIndex(
            (actor, at) => !this.#isOver(actor) && (isClosed || this.#roleOf(at) !== 'receives'),
        );
        if (stuck >= 0) {
            return `T${stuck} waits for ever`;
        }
        const receives = actors.some(({ isDead }, at) => this.#roleOf(at) === 'receives' && !isDead);
        const [sent, received] = [SENDERS, RECEIVERS].map((side) =>
            Number(BigInt(read(world, 'i64', side + CHANNEL_WORD_OFFSET)) >> 32n),
        );
        return receives && sent !== received ? `${received} of ${sent} messages came` : '';
    }

    /** @param {World} world @param {Move} move @returns {World} */
    apply({ words, actors }, { thread, kind }) {
        const world = { words: { ...words }, actors: [...actors] };
        const actor = this.#changed(world, thread);
        if (kind === 'dies') {
            Object.assign(actor, { isDead: true, stop: undefined, sleeps: false, holds: false });
        } else if (kind === 'aborts') {
            this.#abort(actor, thread);
        } else if (kind === 'slice ends' && !actor.stop) {
            actor.next = 'waits';
        } else if (kind === 'slice ends') {
            this.#awake(actor, TIMED_OUT);
        } else if (actor.stop) {
            this.#goOn(world, actor);
        } else {
            this.#act(world, actor, thread);
        }
        return world;
    }

    /** A copy of the actor in the new world. @param {World} world @param {number} thread */
    #changed(world, thread) {
        return (world.actors[thread] = structuredClone(/** @type {Actor} */ (world.actors[thread])));
    }

    /** Performs one atomic instruction of a call. @param {World} world @param {Actor} actor */
    #goOn(world, actor) {
        const { name, address, operands } = actor.stop.atomic;
        /** @type {number | bigint} */
        let result = 0;
        if (name === 'memory.atomic.notify') {
            this.#wake(world, address, Number(operands[0]) >>> 0);
        } else if (name === 'memory.atomic.wait32') {
            if (read(world, 'i32', address) === operands[0]) {
                actor.sleeps = true;
                return;
            }
            result = NOT_EQUAL;
        } else if (name.endsWith('.load')) {
            result = read(world, name, address);
        } else if (name.endsWith('.store')) {
            write(world, name, address, operands[0]);
        } else if (name.endsWith('cmpxchg')) {
            result = read(world, name, address);
            if (result === operands[0]) {
                write(world, name, address, operands[1]);
            }
        } else {
            throw new Error(`the machine does not know ${name}`);
        }
        actor.stop = resume(this.#module, actor.stop.frames, result);
        settle(actor);
    }

    /** @param {World} world @param {number} address @param {number} most */
    #wake(world, address, most) {
        world.actors.forEach(({ entry }, thread) => {
            const side = awaitedSide(this.#roleOf(thread));
            if (entry === 'pending' && side + CHANNEL_WORD_OFFSET === address) {
                this.#changed(world, thread).entry = 'woken'; // a wake is for all
            }
        });
        const waiting = [...world.actors.keys()].filter((thread) => {
            const { sleeps, stop } = /** @type {Actor} */ (world.actors[thread]);
            return sleeps && stop.atomic.address === address;
        });
        waiting.slice(0, most).forEach((thread) => this.#awake(this.#changed(world, thread), WOKEN));
    }

    /** @param {Actor} actor @param {number} result of its memory.atomic.wait32 */
    #awake(actor, result) {
        actor.sleeps = false;
        actor.stop = resume(this.#module, actor.stop.frames, result);
        settle(actor);
    }

    /** @param {Actor} actor @param {string} name @param {number[]} parameters @param {string} next */
    #call(actor, name, parameters, next) {
        actor.next = next;
        actor.stop = call(this.#module, name, parameters);
        settle(actor);
    }

    /** Does the work between two calls. @param {World} world @param {Actor} actor @param {number} thread */
    #act(world, actor, thread) {
        const role = this.#roleOf(thread);
        const [side, awaited] = [ownSide(role), awaitedSide(role)];
        if (this.#parties[thread]?.isLoop && ['waits', 'arms', 'naps'].includes(actor.next)) {
            this.#loop(world, actor, thread);
        } else if (actor.next === 'waits') {
            this.#call(actor, 'channel_wait', [awaited, actor.token, NO_SLICES, NO_LIMIT], 'wakes');
        } else if (actor.next === 'wakes') {
            actor.next = actor.result === RESULT_OK ? 'locks' : 'waits';
        } else if (role === 'closes') {
            this.#call(actor, 'channel_close', [CHANNEL], 'ends');
        } else if (role === 'awaits') {
            this.#await(world, actor);
        } else if (role === 'advances') {
            this.#advance(world, actor);
        } else {
            this.#transfer(world, actor, thread, role, side, awaited);
        }
    }

    /** Makes one step, and an entry unless there is one. @param {World} world @param {Actor} actor @param {number} thread */
    #loop(world, actor, thread) {
        if (actor.next === 'waits') {
            this.#call(actor, 'channel_step', [awaitedSide(this.#roleOf(thread)), actor.token], 'arms');
        } else if (actor.next === 'naps') {
            Object.assign(actor, { entry: 'none', next: 'waits' });
        } else if (actor.result === RESULT_OK) {
            actor.next = 'locks';
        } else {
            const isRefused = actor.entry === 'none' && this.#awaitedBy(world, thread) !== actor.result;
            actor.expected = actor.result;
            actor.entry = actor.entry === 'none' && !isRefused ? 'pending' : actor.entry;
            actor.next = isRefused ? 'waits' : 'naps';
        }
    }

    /** Ends the first request of a loop, which then makes another one. @param {Actor} actor @param {number} thread */
    #abort(actor, thread) {
        actor.aborts -= 1;
        actor.left -= 1;
        actor.next = this.#roleOf(thread) === 'sends' && actor.left === 0 ? 'ends' : 'locks';
    }

    /** Waits for the given number of changes. @param {World} world @param {Actor} actor */
    #await(world, actor) {
        if (actor.next === 'locks') {
            this.#call(actor, 'channel_token', [SENDERS], 'looks');
            return;
        }
        const changes = Number(BigInt(read(world, 'i64', SENDERS + CHANNEL_WORD_OFFSET)) >> 32n);
        actor.token = actor.result;
        actor.next = changes >= actor.left ? 'ends' : 'waits';
    }

    /** Makes changes. @param {World} world @param {Actor} actor */
    #advance(world, actor) {
        if (actor.next === 'locks') {
            actor.holds = true;
            this.#call(actor, 'channel_begin', [SENDERS], 'moves on');
        } else if (actor.next === 'moves on') {
            const address = SENDERS + NEXT_OFFSET;
            write(world, 'i64', address, (BigInt(read(world, 'i64', address)) & ~FLAGS) + ONE_CHANGE);
            this.#call(actor, 'channel_move_on', [SENDERS, 0], 'unlocks');
        } else {
            actor.holds = false;
            actor.left -= 1;
            actor.next = actor.left > 0 ? 'locks' : 'ends';
        }
    }

    /**
     * @param {World} world
     * @param {Actor} actor
     * @param {number} thread
     * @param {Role} role
     * @param {number} side
     * @param {number} awaited
     */
    #transfer(world, actor, thread, role, side, awaited) {
        const sends = role === 'sends';
        switch (actor.next) {
            case 'locks':
                actor.holds = true;
                this.#call(actor, 'channel_token', [awaited], 'begins');
                break;
            case 'begins':
                actor.token = actor.result;
                this.#call(actor, 'channel_begin', [side], 'looks');
                break;
            case 'looks':
                if (sends) {
                    this.#call(actor, 'channel_put', [CHANNEL, SIZE], 'copies');
                } else {
                    this.#call(actor, 'channel_next', [CHANNEL], 'copies');
                }
                break;
            case 'copies':
                if (actor.result < CHANNEL_LEAST_PLACE) {
                    this.#refuse(actor);
                    break;
                }
                actor.place = CHANNEL + actor.result;
                if (sends) {
                    write(world, 'i32', actor.place, thread * MOST_MESSAGES + actor.left);
                } else {
                    actor.copy = Number(read(world, 'i32', actor.place));
                }
                this.#call(actor, 'channel_move_on', [side, sends ? CHANNEL_CLOSED : 0], 'unlocks');
                break;
            default:
                if (!sends) {
                    this.#receive(world, actor);
                }
                actor.holds = false;
                actor.left -= 1;
                actor.next = actor.result && (!sends || actor.left > 0) ? 'locks' : 'ends';
        }
    }

    /** Continues after a check that found neither room nor a message. @param {Actor} actor */
    #refuse(actor) {
        if (actor.result !== RESULT_BUSY && actor.result !== RESULT_CLOSED) {
            throw new Violation(`a look has the result ${actor.result}`);
        }
        actor.holds = false;
        actor.next = actor.result === RESULT_BUSY ? 'waits' : 'ends';
    }

    /** @param {World} world @param {Actor} actor */
    #receive(world, actor) {
        if (world.actors.some(({ got }) => got.includes(actor.copy))) {
            throw new Violation(`message ${actor.copy} comes twice`);
        }
        const senderOf = (/** @type {number} */ message) => Math.floor(message / MOST_MESSAGES);
        const isLate = (/** @type {number} */ earlier) =>
            senderOf(earlier) === senderOf(actor.copy) && earlier < actor.copy;
        if (actor.got.some(isLate)) {
            throw new Violation(`message ${actor.copy} comes after later ones of its sender`);
        }
        actor.got.push(actor.copy);
    }

    /** @param {World} world @param {Move} move */
    describe({ actors }, { thread, kind }) {
        const { next, stop } = /** @type {Actor} */ (actors[thread]);
        const { name, address, operands } = stop?.atomic ?? {};
        const what =
            kind !== 'step' ? kind : stop ? `${name} ${address} ${operands.join(' ')}`.trimEnd() : next;
        return `T${thread} ${this.#roleOf(thread)}: ${what}`;
    }

    /** @param {World} world @returns {string[]} */
    describeWorld({ words, actors }) {
        return [`words ${textOf(words)}`, ...actors.map((actor, thread) => `T${thread} ${textOf(actor)}`)];
    }
}
