/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mutants of the module's bytes that no check kills, each with the reason why it is no different from the module for
 * any call that may be made. Places are those of the module that Debian's Emscripten 3.1.6 builds. For another compiler
 * the list has to be made again: `npm run mutants -- bytes` prints what survives. Flags are those of c-src/gate.c. */

/** @type {{ reason: string, mutants: string[] }[]} */
export const EXPLAINED_SURVIVORS = [
    {
        reason: 'any negative limit is none, and so is one that is longer than all slices; a limit of 0 has ended the wait before',
        mutants: [
            'mutex_lock 0x1344: i64.const -1 → -2',
            'mutex_lock 0x1344: i64.const -1 → 9223372036854775807',
            'mutex_lock > 6 0xc95: i64.gt_s → i64.gt_u',
            'mutex_lock > 6 0xc98: i64.const 0 → 1',
            'mutex_lock > 6 0xc9a: i64.ge_s → i64.gt_s',
        ],
    },
    {
        reason: 'no call has a number as small as 1, so it watches nothing, like 0',
        mutants: [
            'mutex_trylock 0x136f: i32.const 0 → 1',
            'mutex_lock > 6 0xb5a: i32.const -536870912 → -536870911',
        ],
    },
    {
        reason: 'a mutex is empty when it is left; and while it is held, a capacity of 1 has as little room as one of 0',
        mutants: [
            'mutex_trylock 0x1373: i32.const 0 → 1',
            'mutex_unlock 0x139c: i32.const 0 → 1',
            'mutex_unlock 0x139c: i32.const 0 → -1',
        ],
    },
    {
        reason: 'no more than 2^29 - 1 is ever in use, and one less after something was given back',
        mutants: [
            'semaphore_leave 0x145b: i32.const 536870911 → 536870912',
            'semaphore_leave 0x1461: i32.const 536870911 → 536870912',
            'semaphore_leave 0x1461: i32.const 536870911 → 536870910',
            'rwlock_unlock 0x14af: i32.const 536870911 → 536870912',
        ],
    },
    {
        reason: 'both targets are the end of the function, or lead to a release that finds less in use than it gives back, or more than there may be, and returns the same',
        mutants: ['rwlock_unlock 0x14a4: br_if 1 → br_if 2', 'rwlock_unlock 0x14a4: br_if 1 → br_if 0'],
    },
    {
        reason: 'the changed bits of the constant meet zeros, or bits that are masked or shifted out',
        mutants: [
            'mutex_lock > 6 0xb5a: i32.const -536870912 → 1610612736',
            'gate_step > 0 0x3ef: i32.const 1073741824 → 1073741825',
            'gate_step > 0 0x463: i64.const 1073741824 → 1073741825',
            'gate_step > 0 0x4ac: i32.const -1 → 2147483647',
            'gate_step > 0 0x4e4: i32.const -1 → 2147483647',
            'gate_step > 0 0x60b: i32.const -1 → 2147483647',
            'gate_step > 0 0x70d: i32.const -1 → 2147483647',
            'gate_withdraw > 5 0xaaf: i32.const -1 → 2147483647',
            'mutex_lock > 6 > 1 0x7ed: i32.const -1 → 2147483647',
            'mutex_lock > 6 > 1 0x87e: i64.const 4831838207 → 536870911',
            'mutex_lock > 6 > 1 0x88a: i64.const 7516192767 → 3221225471',
            'mutex_trylock > 11 > 3 0x8f5: i64.const -1 → -2',
            'mutex_trylock > 11 > 3 0x916: i64.const -1 → -2',
        ],
    },
    {
        reason: 'ranks are multiples of 2^30, so a bit below makes no difference to the comparison',
        mutants: [
            'gate_step > 0 0x524: i32.const -1073741824 → -1073741823',
            'gate_step > 0 0x6e9: i32.const -1073741824 → -1073741823',
        ],
    },
    {
        reason: 'any number but zero says the same there',
        mutants: [
            'mutex_lock > 6 0xb84: i32.const 1 → 2',
            'mutex_unlock > 4 0xa10: i32.const 1 → 2',
            'gate_step > 0 0x446: i32.const 1 → 2',
            'gate_step > 0 0x458: i32.const 1 → 2',
            'gate_step > 0 0x53f: i32.const 1 → 2',
            'mutex_lock > 6 > 1 0x83c: i64.const 1 → 2',
            'mutex_lock > 6 > 8 0xd5e: i32.const 1 → 2',
        ],
    },
    {
        reason: 'the compared numbers are below 2^29, or sums of two such numbers, so neither is negative',
        mutants: [
            'mutex_lock > 6 0xc16: i32.gt_u → i32.gt_s',
            'mutex_unlock > 4 0x992: i32.lt_u → i32.lt_s',
            'mutex_unlock > 4 0x9a9: i32.gt_u → i32.gt_s',
            'mutex_unlock > 4 0xa1d: i32.ge_u → i32.ge_s',
            'gate_step > 0 0x3a9: i32.gt_u → i32.gt_s',
            'gate_step > 0 0x58d: i32.gt_u → i32.gt_s',
            'mutex_lock > 6 > 7 0xd51: i32.lt_u → i32.lt_s',
            'mutex_lock > 6 > 10 0xdc8: i32.lt_u → i32.lt_s',
            'mutex_trylock > 11 > 2 0x8ec: i32.gt_u → i32.gt_s',
        ],
    },
    {
        reason: 'an outcome with a number to watch is larger than both constants, and one without is smaller',
        mutants: [
            'mutex_lock > 6 0xc5f: i64.const 34359738368 → 34359738369',
            'mutex_lock > 6 0xc5f: i64.const 34359738368 → 34359738367',
            'mutex_lock > 6 0xc66: i64.ge_u → i64.gt_u',
        ],
    },
    {
        reason: 'a word with room and without a successor, or with room and a call that was watched, has been passed before; so what differs is decided by something else',
        mutants: [
            'mutex_trylock > 11 0xdef: i64.const 2305843004918726656 → 2305843004918726657',
            'mutex_trylock > 11 0xdf9: i64.and → i64.or',
            'mutex_trylock > 11 0xdfb: local.get 5 → local.get 6',
            'mutex_trylock > 11 0xdfd: i64.const 0 → 1',
            'mutex_trylock > 11 0xdfd: i64.const 0 → -1',
            'mutex_trylock > 11 0xdff: i64.lt_s → i64.le_s',
            'mutex_trylock > 11 0xdff: i64.lt_s → i64.lt_u',
            'mutex_trylock > 11 0xe00: i32.or → i32.and',
            'mutex_trylock > 11 0xe01: br_if 0 → never',
            'gate_step > 0 0x5bc: i64.const 0 → 1',
            'gate_step > 0 0x5bc: i64.const 0 → -1',
            'gate_step > 0 0x5be: i64.lt_s → i64.le_s',
            'gate_step > 0 0x5be: i64.lt_s → i64.lt_u',
            'gate_step > 0 0x5bf: br_if 0 → never',
            'gate_step > 0 0x5c6: i64.const 2305843004918726656 → 2305843004918726657',
            'gate_step > 0 0x5d0: i64.and → i64.or',
            'gate_step > 0 0x5d2: br_if 0 → never',
            'gate_step > 0 0x725: i64.const 2305843004918726656 → 2305843004918726657',
            'gate_step > 0 0x72f: i64.and → i64.or',
        ],
    },
    {
        reason: 'a place that was just called, or that is called, is named by the number of its call on both ways',
        mutants: ['mutex_trylock > 11 0xe4d: br 1 → br 0', 'mutex_trylock > 11 0xe4d: br 1 → nothing'],
    },
    {
        reason: 'the word is not 0 there: a thread that sees a word of 0 passes',
        mutants: [
            'mutex_trylock > 11 0xe5a: i64.const 0 → 1',
            'mutex_trylock > 11 0xe5c: i64.ge_s → i64.gt_s',
            'gate_step > 0 0x4f4: i64.const 0 → 1',
            'gate_step > 0 0x4f6: i64.ge_s → i64.gt_s',
            'gate_step > 0 0x630: i64.const 0 → 1',
            'gate_step > 0 0x632: i64.ge_s → i64.gt_s',
            'gate_step > 0 0x735: i64.const 0 → 1',
            'gate_step > 0 0x737: i64.lt_s → i64.le_s',
            'gate_step > 0 0x759: i64.const 0 → 1',
            'gate_step > 0 0x75b: i64.ge_s → i64.gt_s',
            'mutex_lock > 6 > 1 0x7fd: i64.const 0 → 1',
            'mutex_lock > 6 > 1 0x7ff: i64.ge_s → i64.gt_s',
            'mutex_trylock > 11 > 2 0x8d8: i64.const 0 → 1',
            'mutex_trylock > 11 > 2 0x8da: i64.ge_s → i64.gt_s',
        ],
    },
    {
        reason: 'a word of 0 names no successor, which decides the same',
        mutants: [
            'gate_withdraw > 5 0xae7: i64.const 0 → 1',
            'gate_withdraw > 5 0xae9: i64.ge_s → i64.gt_s',
            'mutex_lock > 6 > 8 0xd6a: i64.const 0 → 1',
            'mutex_lock > 6 > 8 0xd6c: i64.lt_s → i64.le_s',
            'mutex_lock > 6 > 8 0xd88: i64.const 0 → 1',
            'mutex_lock > 6 > 8 0xd8a: i64.lt_s → i64.le_s',
        ],
    },
    {
        reason: 'no call makes a word of nothing but ones of a word of 0',
        mutants: ['mutex_trylock > 11 > 3 0x91c: i64.const 0 → -1'],
    },
    {
        reason: 'the other local adds only bits that the word has',
        mutants: ['gate_withdraw > 5 0xb3c: local.get 7 → local.get 8'],
    },
    {
        reason: 'only a word of nothing but ones would differ, and it has no room for any amount that could pass',
        mutants: [
            'gate_step > 0 0x630: i64.const 0 → -1',
            'gate_step > 0 0x735: i64.const 0 → -1',
            'mutex_lock > 6 > 1 0x7fd: i64.const 0 → -1',
        ],
    },
    {
        reason: 'the other local is the word before or after flags, places or the amount in use changed, and the bits that are used are the same in both',
        mutants: [
            'mutex_unlock > 4 0x9ac: local.get 4 → local.get 5',
            'mutex_unlock > 4 0x9da: local.get 4 → local.get 5',
            'gate_step > 0 0x723: local.get 7 → local.get 6',
            'gate_withdraw > 5 0xaec: local.get 5 → local.get 6',
        ],
    },
    {
        reason: 'nothing is given back, since too little or too much is in use; without equality, or with the amount or opens_at in place of the most, the two comparisons say the same',
        mutants: [
            'mutex_unlock > 4 0xa18: i32.le_u → i32.lt_u',
            'mutex_unlock > 4 0xa19: local.get 2 → local.get 3',
            'mutex_unlock > 4 0xa19: local.get 2 → local.get 1',
            'mutex_unlock > 4 0xa1d: i32.ge_u → i32.gt_u',
        ],
    },
    {
        reason: 'the local has that value already, the other local has the same value, or it is written again before it is read',
        mutants: [
            'gate_step > 0 0x412: local.set 6 → local.set 7',
            'gate_step > 0 0x412: local.set 6 → drop',
            'gate_step > 0 0x595: local.set 13 → local.set 12',
            'gate_step > 0 0x595: local.set 13 → drop',
            'gate_step > 0 0x659: local.get 6 → local.get 7',
            'gate_step > 0 0x65b: local.set 7 → local.set 8',
            'gate_step > 0 0x65b: local.set 7 → local.set 6',
            'gate_step > 0 0x65b: local.set 7 → drop',
            'gate_withdraw > 5 0xa88: local.get 6 → local.get 5',
            'gate_withdraw > 5 0xa8e: local.get 6 → local.get 5',
            'gate_withdraw > 5 0xa9e: local.get 6 → local.get 5',
            'gate_withdraw > 5 0xaa7: local.get 6 → local.get 5',
            'gate_withdraw > 5 0xaa9: local.get 6 → local.get 5',
            'gate_withdraw > 5 0xb20: local.get 6 → local.get 5',
            'gate_withdraw > 5 0xb22: local.set 5 → local.set 6',
            'gate_withdraw > 5 0xb22: local.set 5 → drop',
        ],
    },
    {
        reason: 'only the successor itself comes there, and what differs is asked only of others; or it is the place of its own event loop, which is not 0, and a second call of a called place changes nothing',
        mutants: [
            'gate_step > 0 0x4b9: i32.const 0 → 1',
            'gate_step > 0 0x4b9: i32.const 0 → -1',
            'gate_step > 0 0x4bb: local.set 13 → local.set 12',
            'gate_step > 0 0x4bb: local.set 13 → drop',
            'gate_step > 0 0x555: i32.const 0 → 1',
            'gate_step > 0 0x555: i32.const 0 → -1',
            'gate_step > 0 0x557: local.set 13 → local.set 12',
            'gate_step > 0 0x557: local.set 13 → drop',
            'gate_step > 0 0x56d: i64.const 2305843004918726656 → 2305843004918726657',
            'gate_step > 0 0x56d: i64.const 2305843004918726656 → 2305843004918726655',
            'gate_step > 0 0x577: i64.and → i64.or',
            'gate_step > 0 0x57d: i64.const 0 → 1',
            'gate_step > 0 0x57d: i64.const 0 → -1',
            'gate_step > 0 0x57f: i64.lt_s → i64.le_s',
            'gate_step > 0 0x57f: i64.lt_s → i64.lt_u',
        ],
    },
    {
        reason: 'whoever holds the place in this way has taken another branch before',
        mutants: ['gate_step > 0 0x4e9: i32.and → i32.or'],
    },
    {
        reason: 'an event loop always claims, so only blocking threads come there',
        mutants: [
            'gate_step > 0 0x628: br_if 1 → br_if 2',
            'gate_step > 0 0x628: br_if 1 → br_if 0',
            'gate_step > 0 0x628: br_if 1 → never',
        ],
    },
    {
        reason: 'both ways lead to the same place',
        mutants: ['gate_step > 0 0x635: br 2 → nothing'],
    },
    {
        reason: 'a thread that has passed has brought an amount of at least 1 into use, so something is in use then',
        mutants: ['mutex_lock > 6 > 1 0x872: br_if 0 → br_if 1', 'mutex_lock > 6 > 1 0x872: br_if 0 → never'],
    },
];

const explained = new Set(EXPLAINED_SURVIVORS.flatMap(({ mutants }) => mutants));

/** @param {string} name */
export function isExplained(name) {
    return explained.has(name);
}
