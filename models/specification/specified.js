/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import {
    GATE_FOR_ONE,
    GATE_MOST,
    RESULT_BUSY,
    RESULT_DEADLOCK,
    RESULT_NOT_OWNER,
    RESULT_OK,
    RESULT_OVERFLOW,
    RWLOCK_READERS,
    RWLOCK_SHARED,
    STEP_IS_LONG_SHIFT,
    STEP_KIND_BLOCKING,
    STEP_NEXT_SHIFT,
    STEP_WATCHED_SHIFT,
} from '../../js-glue/memory/layout.js';
import {
    abandon,
    enter,
    isAbandoned,
    leave,
    NO_TOKEN,
    passNow,
    resultOf,
    step,
    tokenOf,
    tryAfter,
    wait,
    withdraw,
} from './gate-specification.js';
import { FREE } from './specified-word.js';

/* The exports of the module that stand on a gate, by their specification. */

/**
 * @typedef {import('./gate-specification.js').Surroundings} Surroundings
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
        around.exchange({ ...FREE, used: self }, FREE) || leave(around, self, self, 0)
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
    /** Without an owner that is known, whether it lives is not asked. */
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
        const most = amount === RWLOCK_SHARED ? RWLOCK_READERS : amount;
        return leave(around, amount, most, 0) ? RESULT_OK : RESULT_NOT_OWNER;
    },
    rwlock_downgrade(around, writer = 0) {
        const isHeld = around.look().used === writer;
        const kept = RWLOCK_SHARED;
        return isHeld && leave(around, writer - kept, writer, kept) ? RESULT_OK : RESULT_NOT_OWNER;
    },
};
