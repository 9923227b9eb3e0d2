/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The mutants of the module's bytes that get past all checks, with the reasons why nothing could stop them. Places
 * are those of the module that Debian's Emscripten 3.1.6 builds; another compiler's has others, and then this list
 * is to be made again. I1 to I5 are the invariants of c-src/mutex.c. */

/** @type {{ reason: string, mutants: string[] }[]} */
export const EXPLAINED_SURVIVORS = [
    {
        reason: 'the value is written to a local that nothing reads afterwards',
        mutants: [
            'mutex_try_after 0xcb4: i32.const -2147483648 → 2147483647',
            'mutex_try_after 0xcb4: i32.const -2147483648 → -2147483647',
            'mutex_try_after 0xcb4: i32.const -2147483648 → 0',
            'mutex_try_after 0xcba: local.set 0 → local.set 1',
            'mutex_try_after 0xcba: local.set 0 → drop',
        ],
    },
    {
        reason: 'the local has that value already, or the other local has the same value',
        mutants: [
            'mutex_unlock > 5 0x6a2: br 1 → nothing',
            'mutex_unlock > 5 0x6a2: br 1 → br 0',
            'mutex_give_up > 6 0x743: local.get 4 → local.get 5',
            'mutex_give_up > 6 0x753: local.get 4 → local.get 5',
            'mutex_give_up > 6 0x761: local.get 4 → local.get 5',
            'mutex_give_up > 6 0x766: local.get 4 → local.get 5',
            'mutex_give_up > 6 0x7dc: local.get 5 → local.get 4',
            'mutex_give_up > 6 0x801: local.get 4 → local.get 5',
            'mutex_give_up > 6 0x803: local.set 6 → local.set 5',
            'mutex_give_up > 6 0x803: local.set 6 → drop',
            'mutex_step > 0 0x2c9: local.get 4 → local.get 5',
            'mutex_step > 0 0x2cb: local.set 5 → local.set 4',
            'mutex_step > 0 0x2cb: local.set 5 → drop',
        ],
    },
    {
        reason: 'the other local is the word before or after flags and places changed, and those bits that are used of it are the same in both',
        mutants: [
            'mutex_give_up > 6 0x782: local.get 4 → local.get 5',
            'mutex_give_up > 6 0x7ba: local.get 5 → local.get 4',
            'mutex_give_up > 6 0x803: local.set 6 → local.set 7',
            'mutex_give_up > 6 0x83d: local.get 5 → local.get 4',
            'mutex_give_up > 6 0x847: local.get 5 → local.get 4',
            'mutex_give_up > 6 0x868: local.get 5 → local.get 4',
            'mutex_give_up > 6 0x872: local.get 7 → local.get 6',
            'mutex_give_up > 6 0x87c: local.get 6 → local.get 5',
            'mutex_give_up > 6 0x87c: local.get 6 → local.get 7',
            'mutex_give_up > 6 0x896: local.get 4 → local.get 5',
            'mutex_give_up > 6 0x898: local.get 6 → local.get 7',
            'mutex_step > 0 0x219: local.get 4 → local.get 5',
            'mutex_step > 0 0x2cb: local.set 5 → local.set 6',
            'mutex_step > 0 0x2e1: local.get 6 → local.get 5',
            'mutex_step > 0 0x2e9: local.get 5 → local.get 4',
            'mutex_step > 0 0x2e9: local.get 5 → local.get 6',
        ],
    },
    {
        reason: 'POLLED is set with RESERVED only, so that it need not be asked whether the word is reserved',
        mutants: [
            'mutex_step > 0 0x2f2: local.get 4 → local.get 5',
            'mutex_step > 0 0x314: local.get 4 → local.get 5',
        ],
    },
    {
        reason: 'the bits of the constant that changed meet bits that are zero, masked afterwards, or the same in both operands',
        mutants: [
            'mutex_lock > 3 0x568: i32.const -2147483648 → 0',
            'mutex_unlock > 5 0x687: i64.const 1073741824 → 1073741825',
            'mutex_give_up > 6 0x768: i64.const 2305843009213693952 → 2305843009213693953',
            'mutex_give_up > 6 0x7b3: i64.const 1073741824 → 1073741825',
            'mutex_give_up > 6 0x7d0: i64.const 9223372036854775807 → 4611686018427387903',
            'mutex_give_up > 6 0x89a: i64.const -1 → -2',
            'mutex_give_up > 6 0x89e: i64.const -9223372036854775808 → -9223372036854775807',
            'mutex_step > 0 0x2f7: i64.const 17179869184 → 17179869185',
            'mutex_step > 0 0x319: i64.const 17179869184 → 17179869185',
        ],
    },
    {
        reason: 'any number but zero says the same there, or any but the one that is compared with',
        mutants: ['mutex_give_up > 6 0x854: i64.const 1 → 2', 'mutex_wait > 1 0x3f3: i32.const 1 → 0'],
    },
    {
        reason: 'no thread has that identity, 2^32 - 1, so it stands for nobody as well as 0 does',
        mutants: ['mutex_trylock 0xc49: i32.const 0 → -1', 'mutex_give_up 0xce7: i32.const 0 → -1'],
    },
    {
        reason: 'any negative limit is none, and so is one that is longer than all slices',
        mutants: [
            'mutex_lock > 3 0x578: i64.const -1 → -2',
            'mutex_lock > 3 0x578: i64.const -1 → 9223372036854775807',
            'mutex_wait > 1 0x3cf: i64.lt_s → i64.lt_u',
        ],
    },
    {
        reason: 'what is compared cannot be that number: the word is held or reserved and thus not zero, and a word or a token of nothing but ones would need a thread with the last identity of all, 2^29 - 1',
        mutants: [
            'mutex_lock > 3 0x57e: i32.const 0 → -1',
            'mutex_unlock > 5 0x6db: i64.const 0 → 1',
            'mutex_unlock > 5 0x6db: i64.const 0 → -1',
            'mutex_unlock > 5 0x6dd: i64.ge_s → i64.gt_s',
            'mutex_give_up > 6 0x86a: i64.const 0 → 1',
            'mutex_give_up > 6 0x86a: i64.const 0 → -1',
            'mutex_give_up > 6 0x86c: i64.lt_s → i64.le_s',
        ],
    },
    {
        reason: 'an outcome that watches a thread is larger than both numbers, and one that watches none is smaller',
        mutants: [
            'mutex_wait > 1 0x378: i64.const 34359738368 → 34359738367',
            'mutex_wait > 1 0x378: i64.const 34359738368 → 34359738369',
            'mutex_wait > 1 0x37f: i64.ge_u → i64.gt_u',
        ],
    },
    {
        reason: 'the index has two bits, so that the target for all larger ones is never taken',
        mutants: [
            'mutex_wait > 1 0x359: br_table 0 1 1 0 1 → br_table 0 1 1 0 0',
            'mutex_wait > 1 0x3a9: br_table 1 0 0 2 0 → br_table 1 0 0 2 1',
            'mutex_wait > 1 0x3a9: br_table 1 0 0 2 0 → br_table 1 0 0 2 2',
        ],
    },
    {
        reason: 'both targets lead to the same place: the end of the function, or tests that have the same outcome there',
        mutants: [
            'mutex_trylock > 4 0x5bf: br_if 1 → br_if 0',
            'mutex_give_up > 6 0x86f: br 2 → br 3',
            'mutex_give_up > 6 0x8ab: br_if 1 → br_if 2',
        ],
    },
];

const explained = new Set(EXPLAINED_SURVIVORS.flatMap(({ mutants }) => mutants));

/** @param {string} name */
export function isExplained(name) {
    return explained.has(name);
}
