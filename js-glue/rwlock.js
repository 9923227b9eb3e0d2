/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    AT_RWLOCK,
    GATE_OWN_OFFSET,
    GATE_USE_OFFSET,
    RESULT_OK,
    RWLOCK_ALIGN,
    RWLOCK_BYTES,
    RWLOCK_CAPACITY,
    RWLOCK_SHARED,
    RWLOCK_UPGRADABLE,
} from './memory/layout.js';
import {
    checkCallback,
    checkLimit,
    checkNoLimit,
    checkNoLimitIn,
    checkOptions,
    checkWait,
    quoted,
    valueError,
} from './options.js';
import { addFamily } from './memory/family.js';
import { attachmentFor, offsetFor, Placed } from './memory/placed.js';
import { promised, settled } from './thread/event-loop.js';
import { deadlockError, lockError } from './waiting/about.js';
import { Gate, pass, tryPass } from './waiting/gate.js';
import { Holder } from './waiting/holder.js';
import { askPhase, Phase } from './waiting/phase.js';
import { queueAt, queueOf } from './waiting/queue-of.js';
import { recover, recoverAsync } from './waiting/recovery.js';
import { ask } from './waiting/request.js';
import { Guard, heldError, runBlocking, runSection, Section } from './waiting/section.js';

/** @typedef {import('./memory/attachment.js').Attachment} Attachment */

/**
 * Shared with other readers, as the one reader that may become the writer, or alone.
 * @typedef {'shared' | 'upgradable' | 'exclusive'} LockMode
 */

/**
 * Options of the methods that do not block: the limits of the wait, and the mode, 'exclusive' by default.
 * @typedef {import('./options.js').WaitOptions & { mode?: LockMode | undefined }} ModeOptions
 */

/** Names of the options of methods that block, and of those that try. */
const MODE = ['mode'];
const TRY = ['timeout', 'deadline', 'mode'];

/** The writer, or the upgradable reader. */
class RwHolder extends Holder {
    /** @type {import('./memory/found.js').Found} */
    #found;

    /** @param {import('./memory/found.js').Found} found */
    constructor(found) {
        super(found);
        this.#found = found;
    }

    /** @type {Holder['owner']} */
    owner(known = 0, now = 0) {
        const { attachment, byteOffset } = this.#found;
        const { exports, table } = attachment;
        return exports.rwlock_probe_reader(byteOffset, table, known, now) || super.owner(known, now);
    }
}

/** Refuses a wait of the upgradable reader for its own lock: it would wait for itself. */
class RwGate extends Gate {
    /** @param {import('./memory/found.js').Found} found @param {import('./waiting/gate.js').GateKind} kind */
    constructor(found, kind) {
        super(found, kind);
        this.holder = new RwHolder(found);
    }

    /** @type {Gate['wait']} */
    wait(amount, timeout) {
        if (isUpgradable(this)) {
            throw deadlockError(this);
        }
        return super.wait(amount, timeout);
    }
}

/** The amount in use is 1 for each reader, more for an upgradable one (c-src/rwlock.h), or the writer's identity. */
export const RWLOCK = {
    Waits: RwGate,
    capacityOf: () => RWLOCK_CAPACITY,
    leaveOf: (/** @type {Attachment['exports']} */ exports) => exports.rwlock_unlock,
    refusal,
    at: AT_RWLOCK,
    hasOwner: true,
    names: ['timeout', 'deadline', 'signal', 'mode'],
    instead: 'execAsync(), acquireAsync() or tryLock()',
};

/**
 * The kinds of gate for attachments whose locks are released in another way (recoverable.js).
 * @type {WeakMap<Attachment, typeof RWLOCK>}
 */
export const otherKinds = new WeakMap();

/** @param {Gate} gate @param {number} amount */
function refusal(gate, amount) {
    return amount === RWLOCK_SHARED
        ? lockError(gate, 'HF_NOT_OWNER', 'Nobody holds % shared. If lock() took it, call unlock().')
        : lockError(
              gate,
              'HF_NOT_OWNER',
              'This thread does not hold % exclusively. If lockShared() took it, call unlockShared().',
          );
}

/**
 * An upgrade, as one more queue of the lock: the upgradable reader waits for the readers beside it, not for the gate.
 * @type {import('./waiting/phase.js').PhaseKind}
 */
const UPGRADE = {
    Waits: Phase,
    offset: GATE_OWN_OFFSET,
    decidedAt: GATE_USE_OFFSET,
    isGate: true,
    step: (exports, at, self) => exports.rwlock_upgrade_step(at, self),
    wait: (exports, at, self, before, limit) => exports.rwlock_upgrade_wait(at, self, before, limit),
    mustEnd: true,
    at: AT_RWLOCK,
    instead: 'upgradeAsync() of a guard, or tryUpgrade()',
};

/** The sections of the guards and callbacks that hold a lock upgradable. @type {WeakMap<object, Section>} */
const upgradables = new WeakMap();

/** @param {Gate} gate @returns {boolean} whether this thread is the upgradable reader */
function isUpgradable({ found: { attachment, byteOffset } }) {
    const { exports, table, self } = attachment;
    return exports.rwlock_probe_reader(byteOffset, table, 0, 0) === self; // 0: it probes nobody
}

/** @param {Gate} gate @param {number} amount with which this thread has passed it */
function note({ found: { attachment, byteOffset } }, amount) {
    if (amount === RWLOCK_UPGRADABLE) {
        attachment.exports.rwlock_note_upgradable(byteOffset, attachment.self);
    }
}

/** @param {import('./waiting/section.js').GateQueue} queue @param {number} amount */
function newSection(queue, amount) {
    note(queue.gate, amount);
    const section = new Section(queue, amount);
    if (amount === RWLOCK_UPGRADABLE) {
        upgradables.set(queue, section);
    }
    return section;
}

/** @param {Gate} gate */
function notAloneError(gate) {
    return lockError(
        gate,
        'HF_NOT_OWNER',
        'This thread does not hold % exclusively or upgradable, so it has nothing to downgrade.',
    );
}

const UPGRADES =
    'This guard of % was released during its upgradeAsync(), which releases the lock at its end. Await or abort the upgrade before release().';

/** @param {Gate} gate */
function notUpgradableError(gate) {
    return lockError(gate, 'HF_NOT_OWNER', 'This thread does not hold % upgradable.');
}

/**
 * @param {{ mode?: any }} options
 * @param {Attachment} attachment
 * @returns {number} the amount to pass the gate with
 */
function amountFor({ mode = 'exclusive' }, attachment) {
    if (mode === 'upgradable') {
        return upgradableIn(attachment);
    }
    if (mode !== 'shared' && mode !== 'exclusive') {
        const between = otherKinds.has(attachment) ? ' or ' : ", 'upgradable' or ";
        throw valueError('HF_BAD_OPTION', `The mode must be 'shared'${between}'exclusive'`, quoted(mode));
    }
    return mode === 'shared' ? RWLOCK_SHARED : attachment.self;
}

/** @param {Attachment} attachment */
function upgradableIn(attachment) {
    if (otherKinds.has(attachment)) {
        throw valueError('HF_BAD_OPTION', 'A recoverable lock is held shared or exclusively', 'upgradable');
    }
    return RWLOCK_UPGRADABLE;
}

/** A held reader-writer lock, as an object. An exclusive one may be downgraded, an upgradable one upgraded too. */
export class RwLockGuard extends Guard {
    #section;

    /** @param {Section} section that ends as the guard is released */
    constructor(section) {
        super(section);
        this.#section = section;
    }

    /**
     * Releases the lock. During an `upgradeAsync()` that is not over it throws: the upgrade then releases the lock at
     * its end, and rejects.
     * Blocks: never. Callable from: the thread that got the guard.
     * @throws {HoldfastError} as `Guard.release()`; `HF_NOT_OWNER` during an `upgradeAsync()`
     */
    release() {
        const { queue, state } = this.#section;
        try {
            super.release();
        } catch (error) {
            throw state === 'suspended' ? lockError(queue.gate, 'HF_NOT_OWNER', UPGRADES) : error;
        }
    }

    /**
     * Turns the exclusive hold into a shared one, as `RwLock.downgrade()` does.
     * Blocks: never. Callable from: the thread that got the guard.
     * @throws {HoldfastError} `HF_NOT_OWNER` if the guard was released, is shared already, or other code has released
     *     the lock
     */
    downgrade() {
        const section = this.#section;
        const { queue } = section;
        const { exports, self } = queue.gate.attachment;
        const isAlone = section === queue.section; // only a running exclusive section is in its queue
        const mayBe = isAlone || this.#isUpgradable();
        if (!mayBe || exports.rwlock_downgrade(queue.gate.found.byteOffset, self) !== RESULT_OK) {
            throw notAloneError(queue.gate);
        }
        section.amount = RWLOCK_SHARED;
        if (isAlone) {
            queue.forget();
        }
        section.state = 'holds'; // as a reader
    }

    /**
     * Makes the upgradable reader the writer, as `RwLock.upgrade()` does.
     * Blocks: until the readers beside it have released the lock. Callable from: the thread that got the guard, if it
     * may block.
     * @overload
     * @returns {void}
     * @throws {HoldfastError} `HF_NOT_OWNER` if the guard does not hold the lock upgradable; `HF_MAY_NOT_BLOCK`
     */
    /** @param {unknown} [limit] */
    upgrade(limit) {
        checkNoLimit(limit, 'tryUpgrade(timeout)');
        this.#phase().block(this.#self, Infinity);
        this.#becomesWriter();
    }

    /**
     * Upgrades, as `upgrade()` does, if that is possible within the timeout.
     * Blocks: for `timeout` at most, so never by default. Callable from: the thread that got the guard; with a
     * timeout, if it may block.
     * @param {number | import('./options.js').TimeLimit} [timeout] as of `RwLock.tryLock()`
     * @returns {boolean} whether it holds the lock exclusively now; else it still holds it upgradable
     * @throws {HoldfastError} as `upgrade()`; `HF_BAD_TIMEOUT`
     */
    tryUpgrade(timeout = 0) {
        const upgrades = tryUpgrade(this.#phase(), this.#self, checkLimit(timeout));
        if (upgrades) {
            this.#becomesWriter();
        }
        return upgrades;
    }

    /**
     * Upgrades, as `upgrade()` does, without blocking. From this call until the upgrade ends, no other thread gets
     * the lock in any mode.
     * Blocks: never. Callable from: the thread that got the guard.
     * @param {import('./options.js').WaitOptions} [options] end the wait: then it still holds the lock upgradable
     * @returns {Promise<void>} rejects with a `TimeoutError`, the signal's reason, or a `HoldfastError`
     *     (`HF_NOT_OWNER` if the guard does not hold the lock upgradable, or was released meanwhile; `HF_BAD_OPTION`,
     *     `HF_BAD_TIMEOUT`, `HF_BAD_SIGNAL`, `HF_NO_TIMERS`)
     */
    upgradeAsync(options) {
        return promised(() => {
            const wait = checkWait(options);
            const phase = this.#phase();
            const section = this.#section;
            section.state = 'suspended'; // its release waits for the end of the upgrade
            const queue = queueAt(section.queue.gate.found, UPGRADE);
            return settled(
                askPhase(queue, this.#self, phase, wait).then(
                    () => this.#becomesWriter(),
                    (error) => this.#staysReader(error),
                ),
            );
        });
    }

    get #self() {
        return this.#section.queue.gate.attachment.self;
    }

    #isUpgradable() {
        const { state, amount, queue } = this.#section;
        return state === 'holds' && amount === RWLOCK_UPGRADABLE && isUpgradable(queue.gate);
    }

    /** @throws {HoldfastError} `HF_NOT_OWNER` */
    #phase() {
        const { gate } = this.#section.queue;
        if (!this.#isUpgradable()) {
            throw notUpgradableError(gate);
        }
        return queueAt(gate.found, UPGRADE).gate;
    }

    /** @throws {HoldfastError} `HF_NOT_OWNER` if it was released meanwhile */
    #becomesWriter() {
        const section = this.#section;
        const { queue } = section;
        section.amount = this.#self;
        if (section.state === 'over') {
            queue.gate.leave(this.#self);
            throw lockError(queue.gate, 'HF_NOT_OWNER', UPGRADES);
        }
        section.state = 'holds';
        queue.begin(section);
    }

    /** @param {unknown} error @returns {never} */
    #staysReader(error) {
        const section = this.#section;
        if (section.state === 'over' && !section.queue.isFreed) {
            section.queue.gate.leave(RWLOCK_UPGRADABLE);
        } else if (section.state === 'suspended') {
            section.state = 'holds';
        }
        throw error;
    }
}

/** @param {Phase} phase @param {number} self @param {number} limit milliseconds */
function tryUpgrade(phase, self, limit) {
    if (limit > 0) {
        phase.checkMayBlock();
        return phase.blockFor(self, limit);
    }
    const { attachment, byteOffset } = phase.found;
    return attachment.exports.rwlock_try_upgrade(byteOffset, self) === RESULT_OK;
}

/** @type {(queue: import('./waiting/section.js').GateQueue, callback: undefined, amount: number) => RwLockGuard} */
const startRwLockGuard = (queue, _, amount) => new RwLockGuard(newSection(queue, amount));

/** @type {<T>(queue: import('./waiting/section.js').GateQueue, callback: () => T | PromiseLike<T>, amount: number) => T | Promise<T>} */
const startRwLockSection = (queue, callback, amount) => runSection(newSection(queue, amount), callback);

/**
 * A lock that any number of threads hold shared, to read, or one thread holds exclusively, to write. Workers
 * wait for it by `lock()` and `lockShared()`, which block, and the page by `execAsync()`, which does not.
 *
 * Readers and writers wait as for a mutex: a running thread may take the lock ahead of waiting threads, but
 * no reader or writer is overtaken for much longer than a millisecond. The lock is not recursive, in either
 * mode.
 *
 * ```js
 * const lock = new RwLock();
 * worker.postMessage({ lock: lock.handle });
 * const sum = await lock.execAsync(() => values[0] + values[1], { mode: 'shared' });
 * ```
 * @extends {Placed<'RwLock'>}
 */
export class RwLock extends Placed {
    static KIND = 'RwLock';
    static BYTES = RWLOCK_BYTES;
    static ALIGN = RWLOCK_ALIGN;

    /** @type {Attachment} */
    #attachment;
    #kind;

    /**
     * Makes a new, unlocked lock. Blocks: never. Callable from: any thread.
     * @overload
     * @param {import('./memory/placed.js').PlaceOptions} [options]
     * @throws {HoldfastError} `HF_NO_SPACE`; `HF_NO_WEBASSEMBLY`; `HF_NO_ALLOCATOR` in another program's memory
     */
    /** @param {any[]} args */
    constructor(...args) {
        super(args, undefined, args[2] ?? addFamily); // RecoverableRwLock passes a third argument, its own `adapt`
        this.#attachment = attachmentFor(this);
        this.#kind = otherKinds.get(this.#attachment) ?? RWLOCK;
    }

    /**
     * Takes the lock exclusively.
     * Blocks: until it is free, without limit (`tryLock(timeout)` has one). Callable from: workers, and Node's main
     * thread.
     * @overload
     * @returns {void}
     * @throws {HoldfastError} `HF_MAY_NOT_BLOCK` where blocking is not allowed, before the lock is touched;
     *     `HF_DEADLOCK` if this thread holds it exclusively already; `HF_ABANDONED` if the thread that held it
     *     exclusively has died
     */
    /** @param {unknown} [limit] */
    lock(limit) {
        checkNoLimit(limit, 'tryLock(timeout)');
        this.#pass(this.#attachment.self);
    }

    /**
     * Takes the lock shared. A thread that already holds it shared may wait for itself, behind a writer; this is not
     * detected.
     * Blocks: while a thread holds it exclusively or a writer is next, without limit. Callable from: the same as
     * `lock()`.
     * @overload
     * @returns {void}
     * @throws {HoldfastError} as `lock()`
     */
    /** @param {unknown} [limit] */
    lockShared(limit) {
        checkNoLimit(limit, 'tryLockShared(timeout)');
        this.#pass(RWLOCK_SHARED);
    }

    /**
     * Takes the lock upgradable: as a reader beside other readers, which `upgrade()` can make the writer. Until
     * `unlockUpgradable()` no other thread holds the lock upgradable or exclusively. So nobody writes between the
     * reading and the upgrade, and no two upgrades wait for each other. A thread that holds the lock shared must not
     * call this: its upgrade would wait for itself.
     * Blocks: while another thread holds it exclusively or upgradable, or is next to do so, without limit. Callable
     * from: the same as `lock()`.
     * @overload
     * @returns {void}
     * @throws {HoldfastError} as `lock()`, and `HF_DEADLOCK` if this thread holds it upgradable already;
     *     `HF_BAD_OPTION` of a recoverable lock, which has no such mode
     */
    /** @param {unknown} [limit] */
    lockUpgradable(limit) {
        checkNoLimit(limit, 'tryLockUpgradable(timeout)');
        this.#pass(upgradableIn(this.#attachment));
    }

    /**
     * Takes the lock exclusively if that is possible within the timeout.
     * Blocks: for `timeout` at most, so never by default. Callable from: any thread, an audio worklet too; with a
     * timeout the same as `lock()`.
     * @param {number | import('./options.js').TimeLimit} [timeout] milliseconds; 0 or less: do not wait
     * @returns {boolean} whether this call took it
     * @throws {HoldfastError} as `lock()`; without a timeout only `HF_BAD_TIMEOUT` and `HF_ABANDONED`
     */
    tryLock(timeout = 0) {
        return this.#tryPass(this.#attachment.self, checkLimit(timeout));
    }

    /**
     * Takes the lock shared if that is possible within the timeout.
     * @param {number | import('./options.js').TimeLimit} [timeout] as of `tryLock()`
     * @returns {boolean} whether this call took it
     * @throws {HoldfastError} as `tryLock()`
     */
    tryLockShared(timeout = 0) {
        return this.#tryPass(RWLOCK_SHARED, checkLimit(timeout));
    }

    /**
     * Takes the lock upgradable if that is possible within the timeout.
     * @param {number | import('./options.js').TimeLimit} [timeout] as of `tryLock()`
     * @returns {boolean} whether this call took it
     * @throws {HoldfastError} as `tryLock()`; `HF_BAD_OPTION` of a recoverable lock
     */
    tryLockUpgradable(timeout = 0) {
        return this.#tryPass(upgradableIn(this.#attachment), checkLimit(timeout));
    }

    /**
     * Makes this thread, which holds the lock upgradable, the writer: `unlock()` or `downgrade()` ends that. No
     * thread has written since it took the lock upgradable. From this call on no other thread gets the lock in any
     * mode.
     * Blocks: until the readers beside it have released the lock, without limit. Callable from: the thread that
     * locked it.
     * @overload
     * @returns {void}
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it upgradable, or holds it for a callback
     *     or by a guard, which has an `upgrade()` of its own; `HF_MAY_NOT_BLOCK`
     */
    /** @param {unknown} [limit] */
    upgrade(limit) {
        checkNoLimit(limit, 'tryUpgrade(timeout)');
        this.#upgradable().block(this.#attachment.self, Infinity);
    }

    /**
     * Upgrades, as `upgrade()` does, if that is possible within the timeout.
     * Blocks: for `timeout` at most, so never by default. Callable from: the thread that locked it.
     * @param {number | import('./options.js').TimeLimit} [timeout] as of `tryLock()`
     * @returns {boolean} whether this thread is the writer now; else it still holds the lock upgradable
     * @throws {HoldfastError} as `upgrade()`; `HF_BAD_TIMEOUT`
     */
    tryUpgrade(timeout = 0) {
        return tryUpgrade(this.#upgradable(), this.#attachment.self, checkLimit(timeout));
    }

    /**
     * Releases the upgradable lock. Blocks: never. Callable from: the thread that locked it.
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it upgradable, or holds it by a guard or
     *     for a callback, which release it themselves; nothing is changed then
     */
    unlockUpgradable() {
        this.#upgradable();
        this.#release(RWLOCK_UPGRADABLE);
    }

    /**
     * Releases the exclusive lock. Blocks: never. Callable from: the thread that locked it.
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it exclusively, or holds it by a guard or
     *     for a callback, which release it themselves; nothing changes then
     */
    unlock() {
        this.#checkIsByLock();
        this.#release(this.#attachment.self);
    }

    /**
     * Turns this thread's exclusive or upgradable hold into a shared one, to be ended by `unlockShared()`. No writer
     * gets in between. Waiting readers are let in, unless a writer is next: then the writer gets the lock first.
     *
     * There is no upgrade of a shared hold, since two readers that upgrade would wait for each other: a reader that
     * may have to write takes the lock upgradable.
     * Blocks: never. Callable from: the thread that locked it.
     * @throws {HoldfastError} `HF_NOT_OWNER` if this thread holds it in neither mode, or holds it for a callback or
     *     by a guard, which has a `downgrade()` of its own; nothing is changed then
     */
    downgrade() {
        this.#checkIsByLock();
        const { exports, self } = this.#attachment;
        if (exports.rwlock_downgrade(offsetFor(this), self) !== RESULT_OK) {
            throw notAloneError(this.#queue().gate);
        }
    }

    /**
     * Releases a shared lock. Readers are not recorded: a thread that calls this without a read lock takes away
     * another thread's.
     * Blocks: never. Callable from: the thread that locked it.
     * @throws {HoldfastError} `HF_NOT_OWNER` if no thread holds it shared; nothing changes then
     */
    unlockShared() {
        this.#release(RWLOCK_SHARED);
    }

    /**
     * Runs the callback with the lock held, and releases it whatever the callback does.
     * Blocks: as `lock()` or `lockShared()`. Callable from: the same as `lock()`.
     * @template T
     * @param {() => import('./waiting/section.js').NotAsync<T>} callback not async: use `execAsync` for that
     * @param {{ mode?: LockMode | undefined }} [options] `'exclusive'` by default
     * @returns {T} what the callback returns
     * @throws {HoldfastError} as `lock()`; `HF_BAD_OPTION`; `HF_BAD_CALLBACK` if the callback is not a function, or
     *     returns a promise; `HF_NOT_OWNER` if the lock was released before the callback ended; and whatever the
     *     callback throws
     */
    exec(callback, options) {
        checkCallback(callback);
        const amount = this.#amountFor(options);
        const queue = this.#queue();
        pass(queue.gate, amount);
        return runBlocking(newSection(queue, amount), /** @type {() => any} */ (callback), 'execAsync()');
    }

    /**
     * Runs the callback with the lock held: before this call returns if possible, otherwise as soon as the lock is
     * granted. If the callback returns a promise, the lock is held until the promise settles. The lock is released
     * whatever the callback does. The requests of one thread are granted in the order made; shared ones may then run
     * side by side.
     *
     * Not recursive, as `Mutex.execAsync` is not.
     * Blocks: never. Callable from: any thread; in an audio worklet only if the lock can be taken at once.
     * @template T
     * @param {() => T | PromiseLike<T>} callback
     * @param {ModeOptions} [options]
     * @returns {Promise<T>} the callback's result. Rejects with what the callback throws, with a `TimeoutError`, with
     *     the signal's reason, with an `AbandonedError` if the holder has died, or with `HF_DEADLOCK`,
     *     `HF_NO_TIMERS`, `HF_NOT_OWNER` if the lock was released before the callback ended, or the code for a bad
     *     argument.
     */
    execAsync(callback, options) {
        return promised(() => {
            checkCallback(callback);
            return this.#ask(startRwLockSection, callback, options);
        });
    }

    /**
     * Takes the lock without blocking, and resolves with a guard: what async-mutex calls `acquire()`.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @param {ModeOptions} [options]
     * @returns {Promise<RwLockGuard>} rejects as `execAsync` does
     */
    acquireAsync(options) {
        return promised(() => this.#ask(startRwLockGuard, undefined, options));
    }

    /**
     * Takes the lock and returns a guard.
     *
     * Do not `await` it, as one would `acquire()` of async-mutex: it stops the whole thread, including code that
     * would release the lock. Write `await acquireAsync()`.
     * Blocks: as `lock()` or `lockShared()`. Callable from: the same as `lock()`.
     * @param {{ mode?: LockMode | undefined }} [options] `'exclusive'` by default
     * @returns {RwLockGuard}
     * @throws {HoldfastError} as `lock()`; `HF_BAD_OPTION`
     */
    acquire(options) {
        const amount = this.#amountFor(options);
        const queue = this.#queue();
        pass(queue.gate, amount);
        return new RwLockGuard(newSection(queue, amount));
    }

    /**
     * Takes the lock if that is possible within the timeout, and returns a guard.
     * Blocks: as `tryLock()`. Callable from: the same as `tryLock()`.
     * @param {import('./options.js').TimeLimit & { mode?: LockMode | undefined }} [options] `'exclusive'` and without
     *     a wait by default
     * @returns {RwLockGuard | null} null: not acquired
     * @throws {HoldfastError} as `tryLock()`; `HF_BAD_OPTION`
     */
    tryAcquire(options = {}) {
        const limit = checkLimit(options, 0, TRY);
        const amount = amountFor(options, this.#attachment);
        const queue = this.#queue();
        return tryPass(queue.gate, amount, limit) ? new RwLockGuard(newSection(queue, amount)) : null;
    }

    /**
     * Takes, exclusively, a lock whose writer has died, runs the callback to repair the data, and makes the lock
     * usable again. If the lock is not abandoned when this thread gets it, nothing runs. If the callback throws, the
     * lock stays abandoned.
     * Blocks: until the lock is free or found to be abandoned, without limit. Callable from: the same as `lock()`.
     * @template T
     * @overload
     * @param {() => import('./waiting/section.js').NotAsync<T>} repair runs with the lock held; not async: use
     *     `recoverAsync` for that
     * @returns {boolean} whether this call ran it
     * @throws {HoldfastError} as `exec()`, but no `AbandonedError`
     */
    /** @param {() => any} repair @param {unknown} [limit] */
    recover(repair, limit) {
        checkNoLimit(limit, 'recoverAsync()');
        return recover(this.#queue(), this, repair);
    }

    /**
     * Repairs what an abandoned lock protects, as `recover()` does, without blocking. If the callback returns a
     * promise, the lock is held until the promise settles.
     * Blocks: never. Callable from: the same as `execAsync()`.
     * @param {() => unknown} repair
     * @param {import('./options.js').WaitOptions} [options] end the wait, never the callback
     * @returns {Promise<boolean>} whether this call ran it. Rejects as `execAsync`, but with no `AbandonedError`.
     */
    recoverAsync(repair, options) {
        return recoverAsync(this.#queue(), repair, options);
    }

    /**
     * @template T
     * @template C
     * @param {(queue: any, callback: C, amount: number) => T | PromiseLike<T>} start
     * @param {C} callback
     * @param {ModeOptions | undefined} options
     */
    #ask(start, callback, options) {
        const wait = checkWait(options, this.#kind.names);
        return ask(this.#queue(), amountFor(wait, this.#attachment), start, callback, wait);
    }

    /** @param {{ mode?: LockMode | undefined } | undefined} options */
    #amountFor(options) {
        checkNoLimitIn(options, 'tryAcquire({ timeout, mode })');
        return amountFor(checkOptions(options, MODE), this.#attachment);
    }

    /** @throws {HoldfastError} if a section holds it exclusively or upgradable */
    #checkIsByLock() {
        const queue = this.#attachment.sections !== 0 && this.#queue();
        if (queue && queue.holds) {
            throw heldError(queue);
        }
        this.#checkNoUpgradableSection();
    }

    #checkNoUpgradableSection() {
        const queue = this.#queue();
        const section = upgradables.get(queue);
        if (
            section &&
            section.state !== 'over' &&
            section.amount === RWLOCK_UPGRADABLE &&
            isUpgradable(queue.gate)
        ) {
            throw heldError(queue);
        }
    }

    /** @returns {Phase} @throws {HoldfastError} `HF_NOT_OWNER` if this thread does not hold it upgradable, or by a section */
    #upgradable() {
        const { gate } = this.#queue();
        if (!isUpgradable(gate)) {
            throw notUpgradableError(gate);
        }
        this.#checkNoUpgradableSection();
        return queueAt(gate.found, UPGRADE).gate;
    }

    /** @param {number} amount */
    #pass(amount) {
        const queue = this.#queue();
        pass(queue.gate, amount);
        note(queue.gate, amount);
        this.#forgetLost(queue, amount);
    }

    /** @param {number} amount @param {number} limit milliseconds */
    #tryPass(amount, limit) {
        const queue = this.#queue();
        const passes = tryPass(queue.gate, amount, limit);
        if (passes) {
            note(queue.gate, amount);
            this.#forgetLost(queue, amount);
        }
        return passes;
    }

    /**
     * Forgets a section on record that has lost the lock.
     * @param {import('./waiting/section.js').GateQueue} queue
     * @param {number} amount
     */
    #forgetLost(queue, amount) {
        if (amount === this.#attachment.self) {
            queue.forget();
        }
    }

    /** @param {number} amount */
    #release(amount) {
        if (this.#attachment.exports.rwlock_unlock(offsetFor(this), amount) !== RESULT_OK) {
            throw this.#kind.refusal(this.#queue().gate, amount);
        }
    }

    #queue() {
        return queueOf(this, this.#kind);
    }
}
