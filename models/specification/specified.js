/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_FOR_ONE,
    GATE_MOST,
    GATE_OWN_OFFSET,
    GATE_USE_OFFSET,
    RESULT_BUSY,
    RESULT_DEADLOCK,
    RESULT_NOT_OWNER,
    RESULT_OK,
    RESULT_OVERFLOW,
    RESULT_TIMEOUT,
    RWLOCK_CAPACITY,
    RWLOCK_MOST,
    RWLOCK_SHARED,
    RWLOCK_UPGRADABLE,
    STEP_IS_LONG_SHIFT,
    STEP_KIND_BLOCKING,
    STEP_NEXT_DONE,
    STEP_NEXT_SHIFT,
    STEP_NEXT_WAIT_LINE,
    STEP_WAIT_MORE,
    STEP_WATCHED_SHIFT,
} from '../../js-glue/memory/layout.js';
import {
    abandon,
    enter,
    isAbandoned,
    ALL,
    leave,
    NO_TOKEN,
    opened,
    OPENS_TO_ONE,
    passNow,
    sliceAfter,
    SLICES_MOST,
    TIMED_OUT,
    resultOf,
    step,
    tokenOf,
    tryAfter,
    wait,
    wakeFor,
    withdraw,
} from './gate-specification.js';
import { FREE, packed } from './specified-word.js';

/* The specification of the module's exports that work on a gate. */

/**
 * @typedef {import('./gate-specification.js').Surroundings} Surroundings
 * @typedef {import('./specified-word.js').Word} Word
 * @typedef {(around: Surroundings, ...parameters: number[]) => number | bigint | undefined} Specified
 */

const MICROSECOND_NS = 1000;

/** @param {number} self */
function mutexAsk(self) {
    return {
        self,
        kind: STEP_KIND_BLOCKING,
        token: NO_TOKEN,
        amount: self,
        capacity: GATE_FOR_ONE,
    };
}

/** @param {Surroundings} around @param {number} self */
function takesFree(around, self) {
    return around.exchange(FREE, { ...FREE, used: self });
}

/** @param {ReturnType<typeof step>} outcome */
function outcomeOf({ next, expected, watched, polls }) {
    const bits =
        BigInt(expected >>> 0) |
        (BigInt(next) << BigInt(STEP_NEXT_SHIFT)) |
        (BigInt(polls) << BigInt(STEP_IS_LONG_SHIFT)) |
        (BigInt(watched) << BigInt(STEP_WATCHED_SHIFT));
    return BigInt.asIntN(64, bits);
}

/** @param {Word} word */
function readersIn({ used }) {
    return used > RWLOCK_MOST ? 0 : used % RWLOCK_UPGRADABLE;
}

/** @param {Word} word */
function upgrading(word) {
    return { ...word, used: 2 * RWLOCK_UPGRADABLE + (word.used % RWLOCK_UPGRADABLE) };
}

/** @param {Surroundings} around */
function leaveShared(around) {
    const { before, after } = around.change((word) => (readersIn(word) === 0 ? word : less(word)));
    if (readersIn(before) === 0) {
        return false;
    }
    wakeFor(around, before, after);
    if (after.used === 2 * RWLOCK_UPGRADABLE) {
        [GATE_USE_OFFSET, GATE_OWN_OFFSET].forEach((offset) => around.wake(offset, ALL));
    }
    return true;
}

/**
 * The upgradable reader leaves, even while it waits for its upgrade.
 * @param {Surroundings} around
 * @param {number} writer
 * @param {number} kept
 */
function leaveUpgradable(around, writer, kept) {
    for (;;) {
        const word = around.look();
        const isIn = word.used >= RWLOCK_UPGRADABLE && word.used <= RWLOCK_MOST;
        if (!isIn || !around.exchangeOwn(writer, 0)) {
            return false;
        }
        const after = opened({ ...word, used: (word.used % RWLOCK_UPGRADABLE) + kept });
        if (around.exchange(word, after)) {
            wakeFor(around, word, after);
            return true;
        }
        around.writeOwn(writer);
    }
}

/** @param {Word} word */
function less(word) {
    const next = { ...word, used: word.used - RWLOCK_SHARED };
    return next.used === 0 ? opened(next) : next;
}

/**
 * @param {Surroundings} around
 * @param {number} writer
 * @param {(word: Word) => Word} otherwise beside readers
 * @returns {Word | undefined} the word with readers; undefined: the thread is the writer now
 */
function passAsWriter(around, writer, otherwise) {
    const { before, after } = around.change((word) =>
        readersIn(word) === 0 ? { ...word, used: writer } : otherwise(word),
    );
    if (readersIn(before) === 0) {
        around.writeOwn(0);
        return undefined;
    }
    return after;
}

/** @param {Surroundings} around @param {Word} word @param {number} before @param {number} limit nanoseconds */
function waitOnce(around, word, before, limit) {
    const slices = before & ~STEP_WAIT_MORE;
    const slice = sliceAfter(slices);
    const expected = Number(BigInt.asIntN(STEP_NEXT_SHIFT, packed(word)));
    const woken = around.wait(GATE_USE_OFFSET, expected, Math.min(slice, limit));
    const isWhole = woken === TIMED_OUT && slice <= limit;
    return STEP_WAIT_MORE | (isWhole ? Math.min(slices + 1, SLICES_MOST) : 0);
}

/** @type {Record<string, Specified>} */
export const SPECIFIED = {
    mutex_lock_for_a_time(around, self = 0) {
        if (takesFree(around, self)) {
            return RESULT_OK;
        }
        const { before } = around.change((word) => word);
        return before.used === self ? RESULT_DEADLOCK : resultOf(enter(around, mutexAsk(self)));
    },
    mutex_trylock: (around, self = 0) =>
        takesFree(around, self) || passNow(around, mutexAsk(self)).passes ? RESULT_OK : RESULT_BUSY,
    mutex_unlock: (around, self = 0) =>
        around.exchange({ ...FREE, used: self }, FREE) || leave(around, self, self, OPENS_TO_ONE)
            ? RESULT_OK
            : RESULT_NOT_OWNER,
    owned_is_by: (around, self) => Number(around.look().used === self),
    owned_take_over(around, self = 0) {
        const { used } = around.look();
        if (!isAbandoned({ ...FREE, used })) {
            return 0;
        }
        const { before } = around.change((word) =>
            word.used === used ? { ...word, used: self, reserved: false } : word,
        );
        return before.used === used ? used : 0;
    },
    /** Without a known owner, no probe is made. */
    owner_probe: (around) => around.look().used,

    gate_step: (around, self = 0, kind = 0, token = 0, amount = 0, capacity = 0) =>
        outcomeOf(step(around, { self, kind, token: tokenOf(kind, token), amount, capacity })),
    gate_wait(around, self = 0, token = 0, microseconds = 0, amount = 0, capacity = 0) {
        const kind = STEP_KIND_BLOCKING;
        const ask = { self, kind, token: tokenOf(kind, token), amount, capacity };
        return resultOf(wait(around, ask, (microseconds >>> 0) * MICROSECOND_NS));
    },
    gate_try_after(around, self = 0, watched = 0, amount = 0, capacity = 0) {
        const kind = STEP_KIND_BLOCKING;
        const ask = { self, kind, token: { ...NO_TOKEN, watched }, amount, capacity };
        return tryAfter(around, ask);
    },
    gate_withdraw(around, self = 0, kind = 0, token = 0, capacity = 0) {
        withdraw(around, { self, kind, token: tokenOf(kind, token), amount: 0, capacity });
        return undefined;
    },

    gate_abandon: (around, owner = 0, left = 0) => Number(abandon(around, owner, left)),

    semaphore_init(around, initial = 0, max = 0) {
        around.store({ ...FREE, used: max - initial });
        around.writeLine(0);
        around.writeOwn(max - 1);
        return undefined;
    },
    semaphore_max: (around) => around.readOwn() + 1,
    semaphore_value: (around) => around.readOwn() + 1 - around.look().used,
    semaphore_leave: (around, permits = 0) =>
        permits > 0 && leave(around, permits, GATE_MOST, GATE_MOST) ? RESULT_OK : RESULT_OVERFLOW,

    rwlock_unlock(around, amount = 0) {
        if (amount === RWLOCK_SHARED) {
            return leaveShared(around) ? RESULT_OK : RESULT_NOT_OWNER;
        }
        if (amount === RWLOCK_UPGRADABLE) {
            const reader = around.readOwn();
            return reader && leaveUpgradable(around, reader, 0) ? RESULT_OK : RESULT_NOT_OWNER;
        }
        return leave(around, amount, amount, 0) ? RESULT_OK : RESULT_NOT_OWNER;
    },
    rwlock_downgrade(around, writer = 0) {
        const kept = RWLOCK_SHARED;
        if (leaveUpgradable(around, writer, kept)) {
            return RESULT_OK;
        }
        const isHeld = around.look().used === writer;
        return isHeld && leave(around, writer - kept, writer, kept) ? RESULT_OK : RESULT_NOT_OWNER;
    },
    /** Without a known owner, no probe is made. */
    rwlock_probe_reader: (around) => around.readOwn(),
    rwlock_note_upgradable(around, writer = 0) {
        around.writeOwn(writer);
        return undefined;
    },
    rwlock_try_upgrade: (around, writer = 0) =>
        passAsWriter(around, writer, (word) => word) ? RESULT_BUSY : RESULT_OK,
    rwlock_upgrade_step: (around, writer = 0) =>
        outcomeOf({
            ...{ watched: 0, polls: false },
            ...(passAsWriter(around, writer, upgrading)
                ? { next: STEP_NEXT_WAIT_LINE, expected: writer }
                : { next: STEP_NEXT_DONE, expected: RESULT_OK }),
        }),
    rwlock_upgrade_wait(around, writer = 0, before = 0, microseconds = 0) {
        const asSleeper = (/** @type {Word} */ word) => ({ ...upgrading(word), sleepers: true });
        const after = passAsWriter(around, writer, asSleeper);
        if (!after) {
            return RESULT_OK;
        }
        if (microseconds === 0) {
            leave(around, RWLOCK_UPGRADABLE, RWLOCK_MOST, RWLOCK_CAPACITY);
            return RESULT_TIMEOUT;
        }
        return waitOnce(around, after, before, (microseconds >>> 0) * MICROSECOND_NS);
    },
};
