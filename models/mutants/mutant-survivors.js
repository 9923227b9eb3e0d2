/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The byte mutants that no check kills, below the reason why no call that may be made tells them from the module.
 * Places count from the start of a function, as Debian's Emscripten 3.1.6 builds it; for another compiler
 * `npm run mutants -- bytes` prints what survives. Flags are those of c-src/gate.c. */
const LIST = `
any negative limit is none, and so is one that is longer than all slices; a limit of 0 has ended the wait before
    mutex_lock +0x39: i64.const -1 → -2
    mutex_lock +0x39: i64.const -1 → 9223372036854775807
no call has a number as small as 1, so it watches nothing, like 0
    mutex_trylock +0x16: i32.const 0 → 1
    mutex_lock > call 0 +0x14: i32.const -268435456 → -268435455
a mutex is empty when it is left; and while it is held, a capacity of 1 has as little room as one of 0
    mutex_trylock +0x1a: i32.const 0 → 1
    mutex_unlock +0x1f: i32.const 0 → 1
    mutex_unlock +0x1f: i32.const 0 → -1
no more than 2^29 - 1 is ever in use, and one less after something was given back
    semaphore_leave +0x12: i32.const 536870911 → 536870912
    semaphore_leave +0x18: i32.const 536870911 → 536870912
    semaphore_leave +0x18: i32.const 536870911 → 536870910
the changed bits of the constant meet zeros, or bits that are masked or shifted out
    gate_try_after > call 0 +0x6c: i32.const -1 → 2147483647
    gate_try_after > call 0 +0xf2: i64.const -1073741825 → 9223372035781033983
    gate_try_after > call 0 +0xf8: i64.const -3221225473 → 9223372033633550335
    mutex_lock > call 0 +0x14: i32.const -268435456 → 1879048192
    mutex_lock > call 0 +0x14: i32.const -268435456 → -536870912
    gate_withdraw +0x8d: i32.const -1 → 2147483647
    gate_try_after > call 4 +0x5: i64.const -1 → -2
    gate_try_after > call 4 +0x26: i64.const -1 → -2
    gate_step +0x92: i32.const 1073741824 → 1073741825
    gate_step +0xcd: i64.const 1073741824 → 1073741825
    gate_step +0x150: i32.const -1 → 2147483647
    gate_step +0x1ff: i32.const -1 → 2147483647
    gate_step +0x26c: i32.const -1 → 2147483647
    gate_step +0x2e9: i32.const -1 → 2147483647
    gate_step +0x386: i32.const -1 → 2147483647
what is in use and capacities are below 2^29, and what is as much as the capacity is no identity
    rwlock_unlock +0x9: i32.const 134217727 → 134217728
    mutex_lock > call 0 +0x154: i64.ge_u → i64.gt_u
what is abandoned is above its capacity by more than that bit; of counts no more than the capacity is in use
    gate_try_after > call 1 +0xa: i32.const 536870911 → 536870910
what is left in use is 0, or fewer than 2^27 readers; or it is permits, at whose return the gate opens in any case
    mutex_unlock > call 0 +0x35: i32.const 536870911 → 268435455
ranks are multiples of 2^30, so a bit below makes no difference to the comparison
    gate_step +0x1e9: i32.const -1073741824 → -1073741823
    gate_step +0x35e: i32.const -1073741824 → -1073741823
any number but zero says the same there
    mutex_unlock > call 0 +0xd6: i32.const 1 → 2
    gate_try_after > call 0 +0xb7: i64.const 1 → 2
    gate_step +0xb0: i32.const 1 → 2
    gate_step +0xc2: i32.const 1 → 2
    gate_step +0x1f5: i32.const 1 → 2
the compared numbers are below 2^29, or sums of two such numbers, so neither is negative
    mutex_unlock > call 0 +0x20: i32.lt_u → i32.lt_s
    mutex_unlock > call 0 +0xf1: i32.lt_u → i32.lt_s
    mutex_unlock > call 0 +0xf8: i32.ge_u → i32.ge_s
    mutex_unlock > call 0 +0x3e: i32.gt_u → i32.gt_s
    gate_try_after > call 1 +0x11: i32.lt_u → i32.lt_s
    mutex_lock > call 0 +0xf6: i32.gt_u → i32.gt_s
    mutex_lock > call 0 > call 5 +0x14: i32.lt_u → i32.lt_s
    mutex_lock > call 0 > call 9 +0x5: i32.lt_u → i32.lt_s
    mutex_lock > call 0 +0x118: i32.le_u → i32.le_s
    gate_try_after > call 3 +0x48: i32.gt_u → i32.gt_s
    gate_step +0x54: i32.lt_u → i32.lt_s
    gate_step +0x319: i32.le_u → i32.le_s
an outcome with a number to watch is larger than both constants, and one without is smaller
    mutex_lock > call 0 +0x14d: i64.const 34359738368 → 34359738369
    mutex_lock > call 0 +0x14d: i64.const 34359738368 → 34359738367
a word with room and without a successor, or with room and a call that was watched, has been passed before; so what
differs is decided by something else
    gate_try_after > call 2 +0x5: i64.const 0 → 1
    gate_try_after > call 2 +0x5: i64.const 0 → -1
    gate_try_after > call 2 +0x7: i64.lt_s → i64.le_s
a place that was just called, or that is called, is named by the number of its call on both ways
    gate_try_after +0x63: br 1 → br 0
    gate_try_after +0x63: br 1 → nothing
the word is not 0 there: a thread that sees a word of 0 passes
    gate_try_after > call 0 +0x7c: i64.const 0 → 1
    gate_try_after > call 0 +0x7e: i64.ge_s → i64.gt_s
    gate_try_after +0x70: i64.const 0 → 1
    gate_try_after +0x72: i64.ge_s → i64.gt_s
    gate_step +0x3b7: i64.const 0 → 1
    gate_step +0x3b9: i64.ge_s → i64.gt_s
    gate_try_after > call 3 +0x29: i64.const 0 → 1
    gate_try_after > call 3 +0x2b: i64.ge_s → i64.gt_s
    gate_step +0x113: i64.const 0 → 1
    gate_step +0x115: i64.lt_s → i64.le_s
    gate_step +0x291: i64.const 0 → 1
    gate_step +0x293: i64.ge_s → i64.gt_s
    gate_step +0x3bf: i64.const 0 → 1
a word of 0 names no successor, which decides the same
    gate_withdraw +0xc5: i64.const 0 → 1
    gate_withdraw +0xc7: i64.ge_s → i64.gt_s
no call makes a word of nothing but ones of a word of 0
    gate_try_after > call 4 +0x2c: i64.const 0 → -1
the other local adds only bits that the word has
    gate_withdraw +0x11a: local.get 7 → local.get 8
only a word of nothing but ones would differ, and it has no room for any amount that could pass
    gate_try_after > call 0 +0x7c: i64.const 0 → -1
    gate_step +0x291: i64.const 0 → -1
the other local is the word before or after flags, places or the amount in use changed, and the bits that are used are the same in both
    mutex_unlock > call 0 +0x41: local.get 4 → local.get 5
    mutex_unlock > call 0 +0x74: local.get 4 → local.get 5
    gate_withdraw +0xca: local.get 5 → local.get 6
    gate_step +0x305: local.get 7 → local.get 6
the local has that value already, the other local has the same value, or it is written again before it is read
    gate_withdraw +0x66: local.get 6 → local.get 5
    gate_withdraw +0x6c: local.get 6 → local.get 5
    gate_withdraw +0x7c: local.get 6 → local.get 5
    gate_withdraw +0x85: local.get 6 → local.get 5
    gate_withdraw +0x87: local.get 6 → local.get 5
    gate_withdraw +0xfe: local.get 6 → local.get 5
    gate_withdraw +0x100: local.set 5 → local.set 6
    gate_withdraw +0x100: local.set 5 → drop
    gate_step +0x197: local.set 13 → drop
    gate_step +0x1f7: local.set 13 → drop
    gate_step +0x40f: local.set 6 → local.set 7
    gate_step +0x40f: local.set 6 → drop
    mutex_lock > call 0 +0xce: local.tee 6 → nothing
only the successor itself comes there, and what differs is asked only of others; or it is the place of its own event loop, which is not 0, and a second call of a called place changes nothing
    gate_step +0x15b: i32.const 0 → 1
    gate_step +0x15b: i32.const 0 → -1
    gate_step +0x15d: local.set 13 → drop
    gate_step +0x20e: i32.const 0 → 1
    gate_step +0x20e: i32.const 0 → -1
    gate_step +0x210: local.set 13 → drop
an event loop always claims, so only blocking threads come there
    gate_step +0x289: br_if 1 → br_if 2
    gate_step +0x289: br_if 1 → br_if 0
    gate_step +0x289: br_if 1 → never
both ways lead to the same place
    gate_step +0x17b: br 2 → nothing
    gate_step +0x179: br_if 1 → br_if 0
    gate_step +0x296: br 2 → nothing
a word without a successor is not called
    gate_step +0x3d0: i64.const -4611686018427387905 → -4611686018427387904
    mutex_lock > call 0 +0x84: i64.const -4611686018427387905 → 4611686018427387903
    gate_abandon +0x29: i64.const -4294967296 → 9223372032559808512
an outcome has 63 bits
    mutex_lock > call 0 +0x154: i64.ge_u → i64.ge_s
the call for wakes is made in vain, or one in vain is left out: who passes or leaves changes how much is in use, so a flag is not all that changes
    mutex_unlock > call 0 +0x9a: i64.xor → i64.or
    mutex_unlock > call 0 +0x9b: i64.const 536870911 → 536870912
    mutex_unlock > call 0 +0x9b: i64.const 536870911 → 536870910
    mutex_unlock > call 0 +0x9b: i64.const 536870911 → 268435455
    mutex_unlock > call 0 +0x9b: i64.const 536870911 → 0
    mutex_unlock > call 0 +0xa1: i64.le_u → i64.lt_u
    mutex_unlock > call 0 +0xa2: if → never
    gate_try_after > call 0 +0x11b: local.get 8 → local.get 9
    gate_try_after > call 0 +0x120: i64.xor → i64.or
    gate_try_after > call 0 +0x121: i64.const 536870911 → 536870912
    gate_try_after > call 0 +0x121: i64.const 536870911 → 536870910
    gate_try_after > call 0 +0x121: i64.const 536870911 → 0
    gate_try_after > call 0 +0x121: i64.const 536870911 → 268435455
    gate_try_after > call 0 +0x127: i64.le_u → i64.lt_u
    gate_try_after > call 0 +0x128: if → never
the flags are cleared already
    gate_try_after > call 0 +0xe8: br 1 → br 0
    gate_try_after > call 0 +0xe8: br 1 → nothing
only a word without a successor would differ, for whom this is not asked
    gate_step +0x126: i64.const 2305843009213693952 → 2305843009213693953
    gate_step +0x130: i64.lt_u → i64.le_u
who claims is asked once more, only to know who naps: not the successor, and nobody beside a call
    gate_step +0x15d: local.set 13 → local.set 14
    gate_step +0x197: local.set 13 → local.set 14
    gate_step +0x1f7: local.set 13 → local.set 14
    gate_step +0x210: local.set 13 → local.set 14
of a mutex nobody wants more than one
    gate_take_over +0x4d: i64.const 9223372036317904896 → 9223372035781033984
only a count of 1, 3 or 5 would differ, which stays on its side of the limit, or a call whose number is like a count: its waiter returns sooner, and goes on by the next call
    mutex_lock +0x4a: i32.const 268435455 → 268435454
    mutex_lock +0x4a: i32.const 268435455 → 134217727
how much is in use does not say whom to wake
    gate_abandon +0x54: i64.const 1610612736 → 1610612737
    gate_abandon +0x5a: i64.const -9223372036854775808 → -9223372036854775807
the call that tries the stack wakes nobody, for no word
    mutex_unlock > call 0 +0xb6: local.get 0 → local.get 1
    mutex_unlock > call 0 +0xb6: local.get 0 → local.get 8
    mutex_unlock > call 0 +0xba: local.get 4 → local.get 5
    mutex_unlock > call 0 +0xbc: call → nothing
    gate_try_after > call 0 +0x13c: local.get 0 → local.get 1
    gate_try_after > call 0 +0x13c: local.get 0 → local.get 13
    gate_try_after > call 0 +0x142: call → nothing
`;

/** @type {{ reason: string, mutants: string[] }[]} */
export const EXPLAINED_SURVIVORS = Array.from(
    LIST.matchAll(/((?:^\S.*\n)+)((?: {4}.*\n)+)/gm),
    ([, reason = '', mutants = '']) => ({
        reason: reason.trim().replaceAll('\n', ' '),
        mutants: mutants.trim().split(/\n */),
    }),
);

const explained = new Set(EXPLAINED_SURVIVORS.flatMap(({ mutants }) => mutants));

/** @param {string} name */
export function isExplained(name) {
    return explained.has(name);
}
