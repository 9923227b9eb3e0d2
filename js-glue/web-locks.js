/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
// These specifiers are those that programs use: the built entry imports the built package (scripts/build-dist.mjs).
import { AbandonedError, Event, HoldfastError, LockSpace, Mutex } from './index.js';
import { kindByHandle } from './memory/handle.js';
import { isSignal } from './options.js';
import { RecoverableSemaphore } from './recoverable.js';
import { settled } from './thread/event-loop.js';
import { EXCLUSIVE, HELD, nameOf, PENDING, STOLEN, Table } from './web-locks/table.js';

/* A lock manager of the Web Locks API (w3c.github.io/web-locks) for threads that share memory. A separate
 * entry on top of the package's public API, and of its checks for signals and for spaces of another copy.
 *
 * A manager's whole state is a table in a LockSpace (web-locks/table.js), guarded by a mutex. Requests are
 * granted strictly in order, by the thread whose change makes that possible. The guard is held for a few
 * microseconds only, never while a callback runs.
 *
 * Each thread is a client. Other threads reach it by its bell, an event that it awaits while it has pending
 * requests, and by its notice, a word that it watches for life to learn of stolen locks; the watch does not
 * keep the process alive. Its seat is a semaphore with one permit, which the client holds until it dies. Clients
 * whose requests wait behind this client's await the permit, and so notice its death.
 */

/** @typedef {import('./web-locks/table.js').Name} Name */

/**
 * @typedef {object} LockOptions
 * @property {'exclusive' | 'shared' | undefined} [mode] `'exclusive'` by default
 * @property {boolean | undefined} [ifAvailable] the callback gets null if the lock cannot be granted at once
 * @property {boolean | undefined} [steal] takes the lock away from its holders, ahead of all waiters
 * @property {AbortSignal | undefined} [signal] ends the wait, never the callback
 *
 * @typedef {object} LockInfo
 * @property {string} name
 * @property {'exclusive' | 'shared'} mode
 * @property {string} clientId of the thread that asked
 *
 * @typedef {object} LockManagerSnapshot
 * @property {LockInfo[]} held
 * @property {LockInfo[]} pending for each name, in the order in which they will be granted
 */

/** @type {readonly ('exclusive' | 'shared')[]} the modes, by their numbers in the table */
const MODES = ['exclusive', 'shared'];

/** Pages of the space that is made for a manager: 4,096 requests at a time. */
const PAGES = 16;

/**
 * From this many clients on, a new client that finds no free row in the table watches all others for SWEEP_MS, to
 * find those that have died.
 */
const MANY_CLIENTS = 16;
const SWEEP_MS = 3000;

/* Taken at import: a program's tests may replace them later. */
const { add, load, notify, waitAsync } = globalThis.Atomics ?? {};

/** A granted lock. */
export class Lock {
    #name;
    #mode;

    /** @internal @param {string} name @param {'exclusive' | 'shared'} mode */
    constructor(name, mode) {
        this.#name = name;
        this.#mode = mode;
    }

    get name() {
        return this.#name;
    }

    get mode() {
        return this.#mode;
    }
}

/** @param {string} message */
const notSupported = (message) => new DOMException(message, 'NotSupportedError');

/** @typedef {{ mode: number, ifAvailable: boolean, steal: boolean, signal: AbortSignal | undefined }} Options */

/**
 * Converts the options as WebIDL does.
 * @param {unknown} given
 * @returns {Options}
 * @throws {TypeError}
 */
function convertOptions(given) {
    if (given !== undefined && given !== null && typeof given !== 'object' && typeof given !== 'function') {
        throw new TypeError(`The options must be an object; this is of type ${typeof given}.`);
    }
    const options = /** @type {any} */ (given ?? {});
    // WebIDL reads each option once, in alphabetical order, and converts it before the next.
    const ifAvailable = Boolean(options.ifAvailable);
    const { mode: named = 'exclusive' } = options;
    const mode = MODES.indexOf(/** @type {any} */ (`${named}`));
    if (mode === -1) {
        throw new TypeError("The mode must be 'exclusive' or 'shared'.");
    }
    const { signal } = options;
    if (signal !== undefined && !isSignal(signal)) {
        throw new TypeError('The signal must be an AbortSignal.');
    }
    return { mode, ifAvailable, steal: Boolean(options.steal), signal };
}

/**
 * Checks the converted options, as 3.2.1 of the specification does.
 * @param {string} name
 * @param {Options} options
 * @throws {DOMException} or what the signal gives as its reason
 */
function checkRequest(name, { mode, ifAvailable, steal, signal }) {
    if (name.startsWith('-')) {
        throw notSupported("Names that start with '-' are reserved.");
    }
    if (steal && ifAvailable) {
        throw notSupported('A request has steal or ifAvailable, not both.');
    }
    if (steal && mode !== EXCLUSIVE) {
        throw notSupported("The option steal needs the mode 'exclusive'.");
    }
    if (signal !== undefined && (steal || ifAvailable)) {
        throw notSupported('A request with steal or ifAvailable does not wait, so it has no signal.');
    }
    if (signal?.aborted) {
        throw signal.reason;
    }
}

/** A request of this thread. */
class Request {
    /** @type {number | undefined} its row in the table */
    row;
    /** How another thread or a signal has ended it. @type {'granted' | 'stolen' | 'ended' | undefined} */
    fate;
    /** The error with which the request ended. @type {unknown} */
    reason;
    /** Wakes its waiting caller. @type {() => void} */
    tell = () => {};

    /** @param {Name} name @param {number} mode */
    constructor(name, mode) {
        this.name = name;
        this.mode = mode;
    }

    /** @param {'granted' | 'stolen' | 'ended'} fate @param {unknown} [reason] */
    decide(fate, reason) {
        this.fate = fate;
        this.reason = reason;
        this.tell();
    }
}

/** This thread's listeners, by their signals. @type {WeakMap<AbortSignal, AbortListener>} */
const listeners = new WeakMap();

/** One listener for all requests of a signal, since Node warns of a leak from the eleventh on. */
class AbortListener {
    /** @type {Set<Request>} */
    #requests = new Set();
    #signal;
    #end = () => this.#requests.forEach((request) => request.decide('ended', this.#signal.reason));

    /** @param {AbortSignal} signal */
    constructor(signal) {
        this.#signal = signal;
        listeners.set(signal, this);
        signal.addEventListener('abort', this.#end);
    }

    /** @param {Request} request */
    add(request) {
        this.#requests.add(request);
        if (this.#signal.aborted) {
            request.decide('ended', this.#signal.reason);
        }
    }

    /** @param {Request} request that has stopped waiting */
    remove(request) {
        this.#requests.delete(request);
        if (this.#requests.size === 0 && listeners.delete(this.#signal)) {
            this.#signal.removeEventListener('abort', this.#end);
        }
    }
}

const stolenError = () => new DOMException('Another request has stolen the lock.', 'AbortError');

/** The space in the options, if any. @param {any} [options] @returns {LockSpace | undefined} */
function spaceIn(options = {}) {
    const isOptions = typeof options === 'object' && options !== null && !('handle' in options);
    const { space = undefined, ...others } = Object(options);
    const isSpace = space instanceof LockSpace;
    if (!isOptions || !(isSpace || (space ?? undefined) === undefined) || Object.keys(others).length > 0) {
        const what =
            !isSpace && kindByHandle(space) === 'LockSpace'
                ? ' This space is of another copy of holdfast: use LockSpace.from(space.handle).'
                : '';
        throw new HoldfastError(
            'HF_BAD_OPTION',
            `new LockManager({ space }) takes one object of options, with a LockSpace as space.${what}`,
        );
    }
    return space ?? undefined;
}

/**
 * Allocates several blocks; none if one of them has no room.
 * @template T
 * @param {LockSpace} space
 * @param {(taken: <Block extends Parameters<LockSpace['free']>[0]>(block: Block) => Block) => T} take
 */
function allOrNothing(space, take) {
    /** @type {Parameters<LockSpace['free']>[0][]} */
    const blocks = [];
    try {
        return take((block) => {
            blocks.push(block);
            return block;
        });
    } catch (error) {
        blocks.forEach((block) => space.free(block));
        throw error;
    }
}

/** The address of the table for the manager that `from` is making. @type {number | undefined} */
let place;

/**
 * This thread's managers, by memory and place: each is a client.
 * @type {WeakMap<WebAssembly.Memory, Map<number, LockManager>>}
 */
const managers = new WeakMap();

/**
 * Named locks like `navigator.locks`, for threads that have this manager's handle: those of one page, or of
 * one Node process. They reach no other tab and no other process.
 *
 * ```js
 * const locks = new LockManager();
 * worker.postMessage({ locks: locks.handle });
 * await locks.request('table', async (lock) => {});
 * ```
 */
export class LockManager {
    #space;
    /** @type {number} */
    #byteOffset;
    #table;
    #guard;
    /** @type {ReturnType<Table['client']> | undefined} this thread's, from its first request on */
    #client;
    /** This thread's requests, by their rows. @type {Map<number, Request>} */
    #requests = new Map();
    #pending = 0;
    /** The number of this thread's changes of the table that wait for the manager's mutex (the guard). */
    #changing = 0;
    /** Ends the waits that run while requests are pending. */
    #stop = new AbortController();
    /** Clients whose death this thread awaits now. @type {Set<number>} */
    #watched = new Set();

    /**
     * Makes a manager whose locks are all free. Make it once, post its handle, and call `from` once in each thread.
     * Blocks: never. Callable from: any thread.
     * @param {{ space?: LockSpace | null | undefined }} [options] where it lives: about 700 bytes a thread, 68 a
     *     request; by default a space of its own, with room for 4,096 requests at a time, with names of up to 40
     *     characters
     * @throws {HoldfastError} `HF_NO_SPACE`, `HF_NO_ALLOCATOR`, `HF_NO_WEBASSEMBLY`, `HF_BAD_OPTION`
     */
    constructor(options) {
        const space = spaceIn(options) ?? new LockSpace({ pages: PAGES });
        this.#space = space;
        this.#byteOffset =
            place ??
            allOrNothing(space, (taken) => Table.make(space, taken(new Mutex({ space })).byteOffset));
        this.#table = new Table(space, this.#byteOffset);
        this.#guard = Mutex.at(space.memory, this.#table.guard);
        managersOf(space).set(this.#byteOffset, this);
    }

    /**
     * The manager of a handle that another thread posted: the same object each time, since each object is a client.
     * Blocks: never. Callable from: any thread.
     * @param {LockManager['handle']} handle
     * @returns {LockManager}
     * @throws {TypeError} if it is not a handle of a lock manager
     * @throws {HoldfastError} as `LockSpace.from`
     */
    static from(handle) {
        if (Object(handle).holdfast !== 'LockManager' || !Number.isInteger(handle.byteOffset)) {
            throw new TypeError(
                'LockManager.from() needs the handle of a LockManager: post its `handle` unchanged.',
            );
        }
        return managerAt(LockSpace.from(handle.space), handle.byteOffset);
    }

    /**
     * For `postMessage` and `from`. Plain: it may be posted, alone or in any message.
     * @returns
     *     {{ readonly holdfast: 'LockManager', readonly space: LockSpace['handle'], readonly byteOffset: number }}
     * @throws {HoldfastError} `HF_NOT_ISOLATED` on a page that cannot share memory
     */
    get handle() {
        const { handle } = this.#space;
        return Object.freeze({ holdfast: 'LockManager', space: handle, byteOffset: this.#byteOffset });
    }

    /**
     * Runs the callback when the lock of that name is granted, never before this call returns. Holds the lock until
     * the callback's result has settled.
     * Blocks: never. Callable from: any thread but audio worklets.
     * @template T
     * @overload
     * @param {string} name
     * @param {(lock: Lock) => T} callback
     * @returns {Promise<Awaited<T>>} the callback's result, once the lock is released
     */
    /**
     * Runs the callback when the lock of that name is granted, as its options say.
     * @template T
     * @overload
     * @param {string} name must not start with '-'
     * @param {LockOptions} options
     * @param {(lock: Lock | null) => T} callback gets null if `ifAvailable` is set and the lock is taken
     * @returns {Promise<Awaited<T>>} Rejects with what the callback throws; with the signal's reason; with a
     *     `DOMException` (`AbortError` if the lock was stolen, `NotSupportedError` for options that do not go
     *     together, or a reserved name); with a `TypeError`; or with a `HoldfastError` (`HF_NO_SPACE`,
     *     `HF_NO_TIMERS`)
     */
    /** @param {string} name @param {...any} more @returns {Promise<any>} */
    async request(name, ...more) {
        return settled(this.#ask(name, ...more));
    }

    /** @param {string} name @param {...any} more */
    async #ask(name, ...more) {
        const callback = more.length < 2 ? more[0] : more[1];
        const text = `${name}`; // converted once; a symbol gives a TypeError
        const options = convertOptions(more.length < 2 ? undefined : more[0]);
        if (typeof callback !== 'function') {
            throw new TypeError(`The callback must be a function; this is of type ${typeof callback}.`);
        }
        checkRequest(text, options);
        const { mode, ifAvailable, steal, signal } = options;
        const request = new Request(nameOf(text), mode);
        await this.#change((client) => {
            if (steal) {
                this.#steal(request, client);
            } else if (!ifAvailable || this.#table.isGrantable(request.name, mode)) {
                const row = this.#put(request, client, false);
                this.#grant(request.name);
                if (this.#pending > 0 && this.#table.stateOf(row) === PENDING) {
                    this.#watchBefore(row, client);
                }
            }
        });
        if (request.row === undefined) {
            return callback(null);
        }
        if (request.fate === undefined) {
            await this.#wait(request, signal);
        } else if (signal?.aborted) {
            request.decide('ended', signal.reason); // aborted while this thread waited for the guard
        }
        return this.#run(request, callback);
    }

    /**
     * Lists the locks held and requested now, by all threads.
     * Blocks: never. Callable from: any thread but audio worklets.
     * @returns {Promise<LockManagerSnapshot>}
     */
    async query() {
        /** @type {LockManagerSnapshot} */
        const snapshot = { held: [], pending: [] };
        await undefined; // lets requests that were made earlier come first
        await this.#change(() => {
            const table = this.#table;
            for (const row of table.rows()) {
                const list = { [HELD]: snapshot.held, [PENDING]: snapshot.pending }[table.stateOf(row)];
                const { number, generation } = table.client(table.clientOf(row));
                list?.push({
                    name: table.textOf(row),
                    mode: MODES[table.modeOf(row)] ?? 'exclusive',
                    clientId: `holdfast-${number}-${generation}`,
                });
            }
        });
        return settled(Promise.resolve(snapshot));
    }

    /**
     * Runs a change of the table with the guard held. Changes of one thread run in the order made.
     * @param {(client: number) => void} change gets this thread's client number
     * @returns {Promise<void> | undefined} undefined: the change has already run
     */
    #change(change) {
        if (this.#changing > 0 || !this.#tryGuard()) {
            return this.#changeInTurn(change);
        }
        try {
            this.#make(change);
        } finally {
            this.#guard.unlock();
        }
        return undefined;
    }

    #tryGuard() {
        try {
            return this.#guard.tryLock();
        } catch {
            return false; // the holder of the guard died; the next wait reports it again
        }
    }

    /** @param {(client: number) => void} change */
    async #changeInTurn(change) {
        this.#changing += 1;
        try {
            for (;;) {
                try {
                    return await this.#guard.execAsync(() => this.#make(change));
                } catch (error) {
                    if (!(error instanceof AbandonedError)) {
                        throw error;
                    }
                    await this.#guard.recoverAsync(() => this.#repair());
                }
            }
        } finally {
            this.#changing -= 1;
        }
    }

    /** @param {(client: number) => void} change */
    #make(change) {
        this.#client ??= this.#join();
        change(this.#client.number);
    }

    #repair() {
        this.#table.repair();
        const rows = this.#table.rows();
        this.#grantAll(rows);
        rows.forEach((row) => this.#tell(row)); // the dead thread may not have notified the granted requests
    }

    /** @param {Request} request @param {number} client @param {boolean} isHeld @returns {number} its row */
    #put(request, client, isHeld) {
        const row = this.#table.add(request.name, request.mode, client, isHeld);
        request.row = row;
        this.#requests.set(row, request);
        return row;
    }

    /** @param {Request} request @param {number} client */
    #steal(request, client) {
        const thief = this.#put(request, client, true); // before the steal, since there may be no room
        this.#table.steal(request.name, thief, (row) => this.#tell(row));
        request.fate = 'granted';
    }

    /** @param {Name} name */
    #grant(name) {
        this.#table.grant(name, (row) => this.#tell(row));
    }

    /** @param {number[]} rows */
    #grantAll(rows) {
        const names = new Set(rows.map((row) => this.#table.textOf(row)));
        names.forEach((name) => this.#grant(nameOf(name)));
    }

    /** Notifies a request's thread of a change. @param {number} row */
    #tell(row) {
        const { number, bell, notice } = this.#table.client(this.#table.clientOf(row));
        if (number === this.#client?.number) {
            this.#heed(row);
            return;
        }
        Event.at(this.#space.memory, bell).set();
        const words = new Int32Array(this.#space.buffer);
        add(words, notice / 4, 1);
        notify(words, notice / 4);
    }

    /** Handles a change of one of this thread's requests. @param {number} row */
    #heed(row) {
        const request = this.#requests.get(row);
        const state = this.#table.stateOf(row);
        if (state === STOLEN) {
            this.#drop(row);
            request?.decide('stolen');
        } else if (state === HELD && request?.fate === undefined) {
            request?.decide('granted');
        }
    }

    /** @param {number} row of a request of this thread */
    #drop(row) {
        this.#requests.delete(row);
        this.#table.remove(row);
    }

    /** Reads the changes by other threads, and watches the threads that requests wait for. */
    #refresh() {
        return this.#change((client) => {
            for (const row of [...this.#requests.keys()]) {
                this.#heed(row);
            }
            for (const row of this.#requests.keys()) {
                if (this.#table.stateOf(row) === PENDING) {
                    this.#watchBefore(row, client);
                }
            }
        });
    }

    /**
     * Awaits the death of clients that this thread's request waits for.
     * @param {number} row
     * @param {number} client
     */
    #watchBefore(row, client) {
        for (const other of this.#table.clientsBefore(row)) {
            if (other !== client && !this.#watched.has(other)) {
                this.#watched.add(other);
                void this.#watch(this.#table.client(other), { signal: this.#stop.signal });
            }
        }
    }

    /** Waits until a request is decided. @param {Request} request @param {AbortSignal | undefined} signal */
    async #wait(request, signal) {
        const decided = new Promise((resolve) => {
            request.tell = () => resolve(undefined);
        });
        const listener = signal && (listeners.get(signal) ?? new AbortListener(signal));
        listener?.add(request);
        this.#pending += 1;
        if (this.#pending === 1) {
            void this.#listen();
        }
        await decided;
        listener?.remove(request);
        this.#pending -= 1;
        if (this.#pending === 0) {
            this.#stop.abort();
        }
    }

    /** Listens for other threads while requests are pending, which keeps the process alive. */
    async #listen() {
        const stop = new AbortController();
        this.#stop = stop;
        this.#watched = new Set();
        try {
            for (;;) {
                await this.#refresh();
                await Event.at(this.#space.memory, this.#client?.bell ?? 0).waitAsync({
                    signal: stop.signal,
                });
            }
        } catch (error) {
            if (!stop.signal.aborted) {
                this.#requests.forEach((request) => request.fate ?? request.decide('ended', error));
            }
        }
    }

    /**
     * Cleans up after a thread when it dies.
     * @param {ReturnType<Table['client']>} client
     * @param {import('./options.js').WaitOptions} wait limits of the wait for its death
     */
    async #watch({ number, seat: place }, wait) {
        const seat = RecoverableSemaphore.at(this.#space.memory, place);
        try {
            await seat.enterAsync(wait);
        } catch {
            return; // no request waits for this client any more
        }
        await this.#change(() => {
            this.#removeDead(number);
            this.#watched.delete(number); // a later client with this number is another thread
        });
        seat.leave();
    }

    /**
     * @param {number} number of a client whose seat this thread has taken: if the client is still listed, it has died
     */
    #removeDead(number) {
        const table = this.#table;
        if (!table.client(number).isThere) {
            return;
        }
        const rows = table.rows().filter((row) => table.clientOf(row) === number);
        const names = new Set(rows.map((row) => table.textOf(row)));
        rows.forEach((row) => table.remove(row));
        names.forEach((name) => this.#grant(nameOf(name)));
        table.endClient(number);
    }

    /**
     * Runs the callback of a decided request, and releases the lock.
     * @param {Request} request
     * @param {(lock: Lock) => unknown} callback
     */
    async #run(request, callback) {
        if (request.fate !== 'granted') {
            await this.#release(request);
            throw request.fate === 'stolen' ? stolenError() : request.reason;
        }
        const lock = new Lock(request.name.text, MODES[request.mode] ?? 'exclusive');
        return new Promise((resolve, reject) => {
            request.tell = () => reject(stolenError());
            const section = async () => {
                try {
                    return await callback(lock);
                } finally {
                    await this.#release(request);
                }
            };
            section().then(resolve, reject);
        });
    }

    /** @param {Request} request that holds its lock, waits, or has lost its lock by a steal */
    #release(request) {
        const { row } = request;
        const isThere = () => row !== undefined && this.#requests.get(row) === request;
        return isThere()
            ? this.#change(() => {
                  this.#heed(Number(row)); // the lock may have been stolen
                  if (isThere()) {
                      this.#drop(Number(row));
                      this.#grant(request.name);
                  }
              })
            : undefined;
    }

    /**
     * Makes this thread a client. Requires: the guard is held.
     * @returns {ReturnType<Table['client']>} the new client
     */
    #join() {
        const { memory } = this.#space;
        const table = this.#table;
        for (const { number, seat, isThere } of table.clients) {
            if (seat !== 0 && RecoverableSemaphore.at(memory, seat).tryEnter()) {
                if (isThere) {
                    this.#removeDead(number); // the client's permit is free, which means that the client has died
                }
                table.beginClient(number);
                return this.#begin(number);
            }
        }
        return this.#begin(this.#addClient());
    }

    /** @returns {number} the number of the new client; this thread has its seat */
    #addClient() {
        const space = this.#space;
        return allOrNothing(space, (taken) => {
            const seat = taken(new RecoverableSemaphore({ space, max: 1 }));
            const bell = taken(new Event({ space, autoReset: true }));
            const notice = taken(space.alloc(4));
            seat.tryEnter();
            return this.#table.addClient({ seat: seat.byteOffset, bell: bell.byteOffset, notice });
        });
    }

    /** @param {number} number of this thread's client */
    #begin(number) {
        const client = this.#table.client(number);
        this.#hear(client.notice / 4);
        const { clients } = this.#table;
        if (clients.length >= MANY_CLIENTS && clients.every(({ isThere }) => isThere)) {
            // No other thread notices clients that died without a lock.
            const others = clients.filter((other) => other.number !== number);
            others.forEach((other) => void this.#watch(other, { timeout: SWEEP_MS }));
        }
        // The locks of a window end with it, though its thread may go on (2.6 of the specification).
        if ('document' in globalThis) {
            addEventListener('pagehide', ({ persisted }) => void (persisted || this.#leave()));
        }
        return client;
    }

    /** Ends all requests of this thread. */
    #leave() {
        return this.#change((client) => {
            const rows = this.#table.rows().filter((row) => this.#table.clientOf(row) === client);
            const names = new Set(rows.map((row) => this.#table.textOf(row)));
            rows.forEach((row) => this.#drop(row));
            names.forEach((name) => this.#grant(nameOf(name)));
        });
    }

    /**
     * Refreshes whenever other threads have changed something. The engine's waitAsync does not keep the process
     * alive. Without waitAsync, a steal is noticed when the lock is released, or while this thread waits for another
     * lock.
     * @param {number} at the index of the word
     */
    #hear(at) {
        const words = new Int32Array(this.#space.buffer);
        const wait = waitAsync?.(words, at, load(words, at));
        if (wait !== undefined) {
            // waitAsync gives no promise if the word has changed since it was read.
            void Promise.resolve(wait.value).then(async () => {
                this.#hear(at);
                await this.#refresh();
            });
        }
    }
}

/**
 * Outside the class, since bundlers rename a class that refers to itself.
 * @param {LockSpace} space
 * @param {number} byteOffset
 */
function managerAt(space, byteOffset) {
    const known = managersOf(space).get(byteOffset);
    if (known !== undefined) {
        return known;
    }
    place = byteOffset;
    try {
        return new LockManager({ space });
    } finally {
        place = undefined;
    }
}

/** @param {LockSpace} space @returns {Map<number, LockManager>} */
function managersOf({ memory }) {
    const known = managers.get(memory) ?? new Map();
    managers.set(memory, known);
    return known;
}
