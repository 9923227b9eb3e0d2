/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mutants of the module's bytes that get past all checks, with the reasons why nothing could stop them. Places
 * are those of the module that Debian's Emscripten 3.1.6 builds; another compiler's has others, and then this list
 * is to be made again: `npm run mutants -- bytes` prints what survives. Flags are those of c-src/gate.c. */

/** @type {{ reason: string, mutants: string[] }[]} */
export const EXPLAINED_SURVIVORS = [
    {
        reason: 'the local has that value already, the other local has the same value, or nothing reads what was written before it is written again',
        mutants: [
            'gate_step > 0 0x481: local.set 14 → local.set 13',
            'gate_step > 0 0x481: local.set 14 → drop',
            'gate_step > 0 0x4a3: local.get 6 → local.get 7',
            'gate_step > 0 0x507: local.get 6 → local.get 7',
            'gate_step > 0 0x509: local.set 9 → local.set 10',
            'gate_step > 0 0x509: local.set 9 → local.set 8',
            'gate_step > 0 0x509: local.set 9 → drop',
            'gate_withdraw > 5 0x8fb: local.get 6 → local.get 5',
            'gate_withdraw > 5 0x8fd: local.set 5 → local.set 6',
            'gate_withdraw > 5 0x8fd: local.set 5 → drop',
        ],
    },
    {
        reason: 'it makes a difference only for the successor itself, and what differs is asked only of others',
        mutants: [
            'gate_step > 0 0x4ef: local.get 7 → local.get 6',
            'gate_step > 0 0x444: local.get 13 → local.get 14',
            'gate_step > 0 0x446: local.set 15 → local.set 14',
            'gate_step > 0 0x446: local.set 15 → drop',
            'gate_step > 0 0x448: br 1 → br 0',
            'gate_step > 0 0x448: br 1 → nothing',
            'gate_step > 0 0x44b: i32.const 1 → 2',
            'gate_step > 0 0x44b: i32.const 1 → 0',
            'gate_step > 0 0x44d: local.set 15 → local.set 14',
            'gate_step > 0 0x44d: local.set 15 → drop',
            'gate_step > 0 0x481: local.set 14 → local.set 15',
            'gate_step > 0 0x4e6: br_if 0 → never',
        ],
    },
    {
        reason: 'the other local is the word before or after flags, places or what is in use changed, and the bits that are used of it are others',
        mutants: [
            'gate_step > 0 0x474: local.get 6 → local.get 7',
            'mutex_unlock > 4 0x78c: local.get 4 → local.get 5',
            'mutex_unlock > 4 0x7ba: local.get 4 → local.get 5',
            'gate_withdraw > 5 0x88d: local.get 8 → local.get 9',
            'gate_withdraw > 5 0x8de: local.get 5 → local.get 6',
        ],
    },
    {
        reason: 'the two words differ in CALLED only where a thread stands for its event loop and there is room, and then the flags are dropped already; or where the successor leaves its place, and then nobody has that, which decides the same',
        mutants: ['gate_withdraw > 5 0x8d7: local.get 5 → local.get 6'],
    },
    {
        reason: 'the bits of the constant that changed meet bits that are zero, or that are shifted out, masked or not looked at afterwards',
        mutants: [
            'gate_step > 0 0x3e6: i32.const 1073741824 → 1073741825',
            'gate_step > 0 0x41d: i64.const 1073741824 → 1073741825',
            'mutex_lock > 6 0x935: i32.const -536870912 → 1610612736',
            'mutex_lock > 6 0x9ef: i64.const 12884901888 → 4294967296',
            'mutex_trylock > 1 0x685: i64.const 4831838207 → 536870911',
            'mutex_trylock > 1 0x691: i64.const 7516192767 → 3221225471',
            'mutex_trylock > 1 > 3 0x6f0: i64.const -1 → -2',
            'mutex_trylock > 1 > 3 0x707: i64.const -1 → -2',
            'mutex_trylock > 1 > 3 0x707: i64.const -1 → 9223372036854775807',
        ],
    },
    {
        reason: 'CALLED is set only while there is a successor, and there is none there, or none any more',
        mutants: [
            'mutex_unlock > 4 0x79e: i64.const -3758096385 → 9223372033096679423',
            'gate_withdraw > 5 0x8a9: i64.const -1073741825 → 9223372035781033983',
        ],
    },
    {
        reason: 'LARGE is dropped whenever SLEEPERS is, so of both words it says the same',
        mutants: ['mutex_trylock > 1 > 3 0x720: local.get 1 → local.get 2'],
    },
    {
        reason: 'what is compared there is below 2^29, or a sum of two such numbers, so that neither is negative',
        mutants: [
            'gate_step > 0 0x3a3: i32.gt_u → i32.gt_s',
            'mutex_lock > 6 0x996: i32.gt_u → i32.gt_s',
            'mutex_trylock > 1 0x5d0: i32.gt_u → i32.gt_s',
            'mutex_trylock > 1 0x628: i32.lt_u → i32.lt_s',
            'mutex_trylock > 1 0x67f: i32.le_u → i32.le_s',
            'mutex_unlock > 4 0x772: i32.lt_u → i32.lt_s',
            'mutex_unlock > 4 0x789: i32.gt_u → i32.gt_s',
            'mutex_unlock > 4 0x7fd: i32.ge_u → i32.ge_s',
            'gate_withdraw > 5 0x89b: i32.lt_u → i32.lt_s',
            'gate_withdraw > 5 0x8f0: i32.ge_u → i32.ge_s',
        ],
    },
    {
        reason: 'any number but zero says the same there',
        mutants: ['mutex_trylock > 1 0x643: i64.const 1 → 2', 'mutex_unlock > 4 0x7f0: i32.const 1 → 2'],
    },
    {
        reason: 'any negative limit is none, and so is one that is longer than all slices; a limit of 0 has ended the wait before',
        mutants: [
            'mutex_lock 0xf98: i64.const -1 → -2',
            'mutex_lock 0xf98: i64.const -1 → 9223372036854775807',
            'mutex_lock > 6 0xa47: i64.gt_s → i64.gt_u',
            'mutex_lock > 6 0xa4a: i64.const 0 → 1',
            'mutex_lock > 6 0xa4c: i64.ge_s → i64.gt_s',
        ],
    },
    {
        reason: 'the word is not 0 there: whoever sees a word of 0 has passed',
        mutants: [
            'gate_step > 0 0x4f1: i64.const 0 → 1',
            'gate_step > 0 0x4f3: i64.ge_s → i64.gt_s',
            'gate_try_after > 2 0x6c3: i64.const 0 → 1',
            'gate_try_after > 2 0x6c5: i64.lt_s → i64.le_s',
        ],
    },
    {
        reason: 'a word of 0 names no successor, and that decides the same',
        mutants: [
            'mutex_lock > 6 0xa6b: i64.const 0 → 1',
            'mutex_lock > 6 0xa6d: i64.lt_s → i64.le_s',
            'mutex_lock > 6 0xa89: i64.const 0 → 1',
            'mutex_lock > 6 0xa8b: i64.lt_s → i64.le_s',
            'gate_withdraw > 5 0x8d9: i64.const 0 → 1',
            'gate_withdraw > 5 0x8db: i64.ge_s → i64.gt_s',
        ],
    },
    {
        reason: 'only a word of nothing but ones would differ: it has LINE set, so that nobody naps, and no room, so that nothing is open; and no call makes it of a word of 0',
        mutants: [
            'gate_step > 0 0x4f1: i64.const 0 → -1',
            'gate_withdraw > 5 0x8d9: i64.const 0 → -1',
            'mutex_trylock > 1 > 3 0x6f6: i64.const 0 → -1',
        ],
    },
    {
        reason: 'an outcome that watches a call is larger than both numbers, and one that watches none is smaller',
        mutants: [
            'mutex_lock > 6 0xa11: i64.const 34359738368 → 34359738369',
            'mutex_lock > 6 0xa11: i64.const 34359738368 → 34359738367',
            'mutex_lock > 6 0xa18: i64.ge_u → i64.gt_u',
        ],
    },
    {
        reason: 'it is asked only whether the wait was too long; and who looks as the successor has taken its own call back, so that it has none to watch',
        mutants: [
            'mutex_lock > 6 0xa5f: i32.const 1 → 2',
            'mutex_lock > 6 0xa5f: i32.const 1 → 0',
            'mutex_lock > 6 0xa61: local.set 11 → local.set 12',
            'mutex_lock > 6 0xa61: local.set 11 → drop',
        ],
    },
    {
        reason: 'who has passed has taken at least 1, so that something is in use then; nor are an amount and an identity 0, which the local may have instead',
        mutants: [
            'mutex_trylock > 1 0x616: local.tee 10 → nothing',
            'mutex_trylock > 1 0x624: local.tee 3 → nothing',
            'mutex_trylock > 1 0x62a: local.get 10 → local.get 9',
            'mutex_trylock > 1 0x62c: local.get 3 → local.get 4',
            'mutex_trylock > 1 0x62e: select → always',
            'mutex_trylock > 1 0x679: br_if 0 → br_if 1',
            'mutex_trylock > 1 0x679: br_if 0 → never',
        ],
    },
    {
        reason: 'a mutex is empty when it is left; and when somebody has it, there is as little room for one more with a capacity of 1 as with one of 0',
        mutants: [
            'mutex_trylock 0xfc9: i32.const 0 → 1',
            'mutex_unlock 0xff2: i32.const 0 → 1',
            'mutex_unlock 0xff2: i32.const 0 → -1',
        ],
    },
    {
        reason: 'more than 2^29 - 1 is never in use, nor more than one less after something was given back',
        mutants: [
            'semaphore_leave 0x10c1: i32.const 536870911 → 536870912',
            'semaphore_leave 0x10c7: i32.const 536870911 → 536870912',
            'semaphore_leave 0x10c7: i32.const 536870911 → 536870910',
            'rwlock_unlock 0x1115: i32.const 536870911 → 536870912',
        ],
    },
    {
        reason: 'both targets are the end of the function, or lead to a release that finds less in use than is to be given back, or more than there may be, and so comes to the same result',
        mutants: ['rwlock_unlock 0x110a: br_if 1 → br_if 2', 'rwlock_unlock 0x110a: br_if 1 → br_if 0'],
    },
    {
        reason: 'nothing is given back, since too little or too much is in use: without equality one of the two comparisons says so all the more; and so it does if the amount or opens_at stands for the most, since amounts are never 0, opens_at is 0 or the most, and nobody gives back just what is in use where that is too much',
        mutants: [
            'mutex_unlock > 4 0x7f8: i32.le_u → i32.lt_u',
            'mutex_unlock > 4 0x7f9: local.get 2 → local.get 3',
            'mutex_unlock > 4 0x7f9: local.get 2 → local.get 1',
            'mutex_unlock > 4 0x7fd: i32.ge_u → i32.gt_u',
        ],
    },
];

const explained = new Set(EXPLAINED_SURVIVORS.flatMap(({ mutants }) => mutants));

/** @param {string} name */
export function isExplained(name) {
    return explained.has(name);
}
