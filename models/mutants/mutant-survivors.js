/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mutants of the module's bytes that no check kills, each with the reason why it is no different from the module for
 * any call that may be made. Places count from the start of a function of the module that Debian's Emscripten 3.1.6 builds.
 * For another compiler the list has to be made again: `npm run mutants -- bytes` prints what survives. Flags are those of
 * c-src/gate.c. */

/** @type {{ reason: string, mutants: string[] }[]} */
export const EXPLAINED_SURVIVORS = [
    {
        reason: 'any negative limit is none, and so is one that is longer than all slices; a limit of 0 has ended the wait before',
        mutants: [
            'mutex_lock +0x39: i64.const -1 → -2',
            'mutex_lock +0x39: i64.const -1 → 9223372036854775807',
            'mutex_lock > call 0 +0x14f: i64.gt_s → i64.gt_u',
            'mutex_lock > call 0 +0x152: i64.const 0 → 1',
            'mutex_lock > call 0 +0x154: i64.ge_s → i64.gt_s',
        ],
    },
    {
        reason: 'no call has a number as small as 1, so it watches nothing, like 0',
        mutants: [
            'mutex_trylock +0x16: i32.const 0 → 1',
            'mutex_lock > call 0 +0x14: i32.const -536870912 → -536870911',
        ],
    },
    {
        reason: 'a mutex is empty when it is left; and while it is held, a capacity of 1 has as little room as one of 0',
        mutants: [
            'mutex_trylock +0x1a: i32.const 0 → 1',
            'mutex_unlock +0x1f: i32.const 0 → 1',
            'mutex_unlock +0x1f: i32.const 0 → -1',
        ],
    },
    {
        reason: 'no more than 2^29 - 1 is ever in use, and one less after something was given back',
        mutants: [
            'semaphore_leave +0x12: i32.const 536870911 → 536870912',
            'semaphore_leave +0x18: i32.const 536870911 → 536870912',
            'semaphore_leave +0x18: i32.const 536870911 → 536870910',
            'rwlock_unlock +0x2c: i32.const 536870911 → 536870912',
        ],
    },
    {
        reason: 'both targets are the end of the function, or lead to a release that finds less in use than it gives back, or more than there may be, and returns the same',
        mutants: ['rwlock_unlock +0x21: br_if 1 → br_if 2', 'rwlock_unlock +0x21: br_if 1 → br_if 0'],
    },
    {
        reason: 'the changed bits of the constant meet zeros, or bits that are masked or shifted out',
        mutants: [
            'mutex_lock > call 0 +0x14: i32.const -536870912 → 1610612736',
            'gate_step > call 0 +0x7c: i32.const 1073741824 → 1073741825',
            'gate_step > call 0 +0xdf: i64.const 1073741824 → 1073741825',
            'gate_step > call 0 +0x128: i32.const -1 → 2147483647',
            'gate_step > call 0 +0x162: i32.const -1 → 2147483647',
            'gate_step > call 0 +0x26e: i32.const -1 → 2147483647',
            'gate_step > call 0 +0x399: i32.const -1 → 2147483647',
            'gate_withdraw > call 0 +0x8d: i32.const -1 → 2147483647',
            'mutex_lock > call 0 > call 0 +0x56: i32.const -1 → 2147483647',
            'mutex_lock > call 0 > call 0 +0xc4: i64.const 4831838207 → 536870911',
            'mutex_trylock > call 0 > call 2 +0x5: i64.const -1 → -2',
            'mutex_trylock > call 0 > call 2 +0x26: i64.const -1 → -2',
        ],
    },
    {
        reason: 'ranks are multiples of 2^30, so a bit below makes no difference to the comparison',
        mutants: [
            'gate_step > call 0 +0x18a: i32.const -1073741824 → -1073741823',
            'gate_step > call 0 +0x371: i32.const -1073741824 → -1073741823',
        ],
    },
    {
        reason: 'any number but zero says the same there',
        mutants: [
            'mutex_lock > call 0 +0x3e: i32.const 1 → 2',
            'mutex_unlock > call 0 +0xa5: i32.const 1 → 2',
            'gate_step > call 0 +0x1a5: i32.const 1 → 2',
            'mutex_lock > call 0 > call 0 +0xa1: i64.const 1 → 2',
            'mutex_lock > call 0 > call 4 +0x9: i32.const 1 → 2',
        ],
    },
    {
        reason: 'the compared numbers are below 2^29, or sums of two such numbers, so neither is negative',
        mutants: [
            'mutex_lock > call 0 +0xd0: i32.gt_u → i32.gt_s',
            'mutex_unlock > call 0 +0x27: i32.lt_u → i32.lt_s',
            'mutex_unlock > call 0 +0x3e: i32.gt_u → i32.gt_s',
            'mutex_unlock > call 0 +0xb2: i32.ge_u → i32.ge_s',
            'gate_step > call 0 +0x1e: i32.lt_u → i32.lt_s',
            'gate_step > call 0 +0x1f0: i32.gt_u → i32.gt_s',
            'mutex_lock > call 0 > call 3 +0x14: i32.lt_u → i32.lt_s',
            'mutex_lock > call 0 > call 6 +0x5: i32.lt_u → i32.lt_s',
            'mutex_trylock > call 0 > call 1 +0x35: i32.gt_u → i32.gt_s',
        ],
    },
    {
        reason: 'an outcome with a number to watch is larger than both constants, and one without is smaller',
        mutants: [
            'mutex_lock > call 0 +0x119: i64.const 34359738368 → 34359738369',
            'mutex_lock > call 0 +0x119: i64.const 34359738368 → 34359738367',
            'mutex_lock > call 0 +0x120: i64.ge_u → i64.gt_u',
        ],
    },
    {
        reason: 'a word with room and without a successor, or with room and a call that was watched, has been passed before; so what differs is decided by something else',
        mutants: [
            'mutex_trylock > call 0 +0x20: i64.const 2305843004918726656 → 2305843004918726657',
            'mutex_trylock > call 0 +0x2a: i64.and → i64.or',
            'mutex_trylock > call 0 +0x2c: local.get 5 → local.get 6',
            'mutex_trylock > call 0 +0x2e: i64.const 0 → 1',
            'mutex_trylock > call 0 +0x2e: i64.const 0 → -1',
            'mutex_trylock > call 0 +0x30: i64.lt_s → i64.le_s',
            'mutex_trylock > call 0 +0x30: i64.lt_s → i64.lt_u',
            'mutex_trylock > call 0 +0x31: i32.or → i32.and',
            'mutex_trylock > call 0 +0x32: br_if 0 → never',
            'gate_step > call 0 +0x21f: i64.const 0 → 1',
            'gate_step > call 0 +0x21f: i64.const 0 → -1',
            'gate_step > call 0 +0x221: i64.lt_s → i64.le_s',
            'gate_step > call 0 +0x221: i64.lt_s → i64.lt_u',
            'gate_step > call 0 +0x222: br_if 0 → never',
            'gate_step > call 0 +0x229: i64.const 2305843004918726656 → 2305843004918726657',
            'gate_step > call 0 +0x233: i64.and → i64.or',
            'gate_step > call 0 +0x235: br_if 0 → never',
            'gate_step > call 0 +0x3b1: i64.const 2305843004918726656 → 2305843004918726657',
            'gate_step > call 0 +0x3bb: i64.and → i64.or',
        ],
    },
    {
        reason: 'a place that was just called, or that is called, is named by the number of its call on both ways',
        mutants: [
            'mutex_trylock > call 0 +0x7e: br 1 → br 0',
            'mutex_trylock > call 0 +0x7e: br 1 → nothing',
        ],
    },
    {
        reason: 'the word is not 0 there: a thread that sees a word of 0 passes',
        mutants: [
            'mutex_trylock > call 0 +0x8b: i64.const 0 → 1',
            'mutex_trylock > call 0 +0x8d: i64.ge_s → i64.gt_s',
            'gate_step > call 0 +0x172: i64.const 0 → 1',
            'gate_step > call 0 +0x174: i64.ge_s → i64.gt_s',
            'gate_step > call 0 +0x293: i64.const 0 → 1',
            'gate_step > call 0 +0x295: i64.ge_s → i64.gt_s',
            'gate_step > call 0 +0x3c1: i64.const 0 → 1',
            'gate_step > call 0 +0x3c3: i64.lt_s → i64.le_s',
            'gate_step > call 0 +0x3e5: i64.const 0 → 1',
            'gate_step > call 0 +0x3e7: i64.ge_s → i64.gt_s',
            'mutex_lock > call 0 > call 0 +0x66: i64.const 0 → 1',
            'mutex_lock > call 0 > call 0 +0x68: i64.ge_s → i64.gt_s',
            'mutex_trylock > call 0 > call 1 +0x21: i64.const 0 → 1',
            'mutex_trylock > call 0 > call 1 +0x23: i64.ge_s → i64.gt_s',
        ],
    },
    {
        reason: 'a word of 0 names no successor, which decides the same',
        mutants: [
            'gate_withdraw > call 0 +0xc5: i64.const 0 → 1',
            'gate_withdraw > call 0 +0xc7: i64.ge_s → i64.gt_s',
            'mutex_lock > call 0 > call 4 +0x15: i64.const 0 → 1',
            'mutex_lock > call 0 > call 4 +0x17: i64.lt_s → i64.le_s',
            'mutex_lock > call 0 > call 4 +0x33: i64.const 0 → 1',
            'mutex_lock > call 0 > call 4 +0x35: i64.lt_s → i64.le_s',
        ],
    },
    {
        reason: 'no call makes a word of nothing but ones of a word of 0',
        mutants: ['mutex_trylock > call 0 > call 2 +0x2c: i64.const 0 → -1'],
    },
    {
        reason: 'the other local adds only bits that the word has',
        mutants: ['gate_withdraw > call 0 +0x11a: local.get 7 → local.get 8'],
    },
    {
        reason: 'only a word of nothing but ones would differ, and it has no room for any amount that could pass',
        mutants: [
            'gate_step > call 0 +0x293: i64.const 0 → -1',
            'gate_step > call 0 +0x3c1: i64.const 0 → -1',
            'mutex_lock > call 0 > call 0 +0x66: i64.const 0 → -1',
        ],
    },
    {
        reason: 'the other local is the word before or after flags, places or the amount in use changed, and the bits that are used are the same in both',
        mutants: [
            'mutex_unlock > call 0 +0x41: local.get 4 → local.get 5',
            'mutex_unlock > call 0 +0x6f: local.get 4 → local.get 5',
            'gate_step > call 0 +0x3af: local.get 7 → local.get 6',
            'gate_withdraw > call 0 +0xca: local.get 5 → local.get 6',
        ],
    },
    {
        reason: 'nothing is given back, since too little or too much is in use; without equality, or with the amount or opens_at in place of the most, the two comparisons say the same',
        mutants: [
            'mutex_unlock > call 0 +0xad: i32.le_u → i32.lt_u',
            'mutex_unlock > call 0 +0xae: local.get 2 → local.get 3',
            'mutex_unlock > call 0 +0xae: local.get 2 → local.get 1',
            'mutex_unlock > call 0 +0xb2: i32.ge_u → i32.gt_u',
        ],
    },
    {
        reason: 'the local has that value already, the other local has the same value, or it is written again before it is read',
        mutants: [
            'gate_step > call 0 +0x1f8: local.set 13 → local.set 12',
            'gate_step > call 0 +0x1f8: local.set 13 → drop',
            'gate_step > call 0 +0x2bc: local.get 6 → local.get 7',
            'gate_step > call 0 +0x2be: local.set 7 → local.set 8',
            'gate_step > call 0 +0x2be: local.set 7 → local.set 6',
            'gate_step > call 0 +0x2be: local.set 7 → drop',
            'gate_withdraw > call 0 +0x66: local.get 6 → local.get 5',
            'gate_withdraw > call 0 +0x6c: local.get 6 → local.get 5',
            'gate_withdraw > call 0 +0x7c: local.get 6 → local.get 5',
            'gate_withdraw > call 0 +0x85: local.get 6 → local.get 5',
            'gate_withdraw > call 0 +0x87: local.get 6 → local.get 5',
            'gate_withdraw > call 0 +0xfe: local.get 6 → local.get 5',
            'gate_withdraw > call 0 +0x100: local.set 5 → local.set 6',
            'gate_withdraw > call 0 +0x100: local.set 5 → drop',
        ],
    },
    {
        reason: 'only the successor itself comes there, and what differs is asked only of others; or it is the place of its own event loop, which is not 0, and a second call of a called place changes nothing',
        mutants: [
            'gate_step > call 0 +0x135: i32.const 0 → 1',
            'gate_step > call 0 +0x135: i32.const 0 → -1',
            'gate_step > call 0 +0x137: local.set 13 → local.set 12',
            'gate_step > call 0 +0x137: local.set 13 → drop',
            'gate_step > call 0 +0x1bb: i32.const 0 → 1',
            'gate_step > call 0 +0x1bb: i32.const 0 → -1',
            'gate_step > call 0 +0x1bd: local.set 13 → local.set 12',
            'gate_step > call 0 +0x1bd: local.set 13 → drop',
            'gate_step > call 0 +0x1d0: i64.const 2305843004918726656 → 2305843004918726657',
            'gate_step > call 0 +0x1d0: i64.const 2305843004918726656 → 2305843004918726655',
            'gate_step > call 0 +0x1da: i64.and → i64.or',
            'gate_step > call 0 +0x1e0: i64.const 0 → 1',
            'gate_step > call 0 +0x1e0: i64.const 0 → -1',
            'gate_step > call 0 +0x1e2: i64.lt_s → i64.le_s',
            'gate_step > call 0 +0x1e2: i64.lt_s → i64.lt_u',
        ],
    },
    {
        reason: 'whoever holds the place in this way has taken another branch before',
        mutants: [
            'gate_step > call 0 +0x159: local.get 13 → local.get 12',
            'gate_step > call 0 +0x167: i32.and → i32.or',
        ],
    },
    {
        reason: 'an event loop always claims, so only blocking threads come there',
        mutants: [
            'gate_step > call 0 +0x28b: br_if 1 → br_if 2',
            'gate_step > call 0 +0x28b: br_if 1 → br_if 0',
            'gate_step > call 0 +0x28b: br_if 1 → never',
        ],
    },
    {
        reason: 'both ways lead to the same place',
        mutants: ['gate_step > call 0 +0x298: br 2 → nothing'],
    },
];

const explained = new Set(EXPLAINED_SURVIVORS.flatMap(({ mutants }) => mutants));

/** @param {string} name */
export function isExplained(name) {
    return explained.has(name);
}
