/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { compile, CORE_TEXT } from './embedded.js';

/**
 * The wasm ABI (c-src/exports.c). Addresses are byte offsets, `self` is the thread's identity.
 *
 * @typedef {object} Exports
 * @property {(address: number, self: number) => number} mutex_lock_for_a_time
 * @property {(address: number, self: number) => number} mutex_trylock
 * @property {(address: number, self: number) => number} mutex_unlock
 * @property {(address: number, self: number) => number} owned_is_by
 * @property {(address: number, self: number, kind: number, token: number, amount: number, capacity: number) => bigint} gate_step
 * @property {(address: number, self: number, token: number, limitMicroseconds: number, amount: number, capacity: number) => number} gate_wait
 * @property {(address: number, self: number, watched: number, amount: number, capacity: number) => number} gate_try_after
 * @property {(address: number, self: number, kind: number, token: number, capacity: number) => void} gate_withdraw
 * @property {(address: number, self: number) => number} owned_take_over
 * @property {(address: number, table: number, known: number, now: number) => number} owner_probe
 * @property {(address: number, owner: number, dead: number) => number} gate_abandon
 * @property {(address: number, initial: number, max: number) => void} semaphore_init
 * @property {(address: number) => number} semaphore_max
 * @property {(address: number) => number} semaphore_value
 * @property {(address: number, permits: number) => number} semaphore_leave
 * @property {(address: number, amount: number) => number} rwlock_unlock
 * @property {(address: number, table: number, known: number, now: number) => number} rwlock_probe_reader
 * @property {(address: number, self: number) => number} rwlock_downgrade
 * @property {(address: number, self: number) => void} rwlock_note_upgradable
 * @property {(address: number, self: number) => number} rwlock_try_upgrade
 * @property {(address: number, self: number) => bigint} rwlock_upgrade_step
 * @property {(address: number, self: number, before: number, limitMicroseconds: number) => number} rwlock_upgrade_wait
 * @property {(address: number) => number} condition_begin
 * @property {(address: number, token: number) => bigint} condition_step
 * @property {(address: number, token: number, before: number, limitMicroseconds: number) => number} condition_wait
 * @property {(address: number) => void} condition_pass_on
 * @property {(address: number, count: number) => number} condition_notify
 * @property {(address: number, resetsItself: number) => void} event_init
 * @property {(address: number) => void} event_set
 * @property {(address: number) => void} event_reset
 * @property {(address: number) => number} event_is_set
 * @property {(address: number) => number} event_resets_itself
 * @property {(address: number) => number} event_begin
 * @property {(address: number, token: number) => bigint} event_step
 * @property {(address: number, token: number, before: number, limitMicroseconds: number) => number} event_wait
 * @property {(address: number, count: number) => void} latch_init
 * @property {(address: number, by: number) => number} latch_count_down
 * @property {(address: number) => number} latch_count
 * @property {(address: number) => bigint} latch_step
 * @property {(address: number, before: number, limitMicroseconds: number) => number} latch_wait
 * @property {(address: number, parties: number) => void} barrier_init
 * @property {(address: number) => bigint} barrier_arrive
 * @property {(address: number, round: number) => bigint} barrier_step
 * @property {(address: number, round: number, before: number, limitMicroseconds: number) => number} barrier_wait
 * @property {(address: number) => number} once_is_done
 * @property {(address: number) => void} once_set_done
 * @property {(table: number, now: number) => number} agents_join
 * @property {(table: number, identity: number) => number} agents_slot
 * @property {(slot: number, self: number) => number} agent_arms
 * @property {(slot: number, self: number, entries: number) => number} agent_credit
 * @property {(slot: number, self: number) => void} agent_leave
 * @property {(pages: number, threads: number, idLow: number, idHigh: number) => void} space_init
 * @property {() => number} space_begin
 * @property {(bytes: number, align: number) => number} space_alloc
 * @property {(address: number) => number} space_free
 */

/** The compiled modules, by their texts. @type {Map<string, WebAssembly.Module>} */
const compiled = new Map();

/**
 * Instantiates a part of the module, which keeps no state. Each part is compiled once a thread.
 * @param {WebAssembly.Memory} memory shared
 * @param {string} [text] of the part
 * @returns {Exports}
 */
export function instantiate(memory, text = CORE_TEXT) {
    try {
        const module = compiled.get(text) ?? compile(text);
        compiled.set(text, module);
        const { exports } = new WebAssembly.Instance(module, { env: { memory } });
        return /** @type {Exports} */ (/** @type {unknown} */ (exports));
    } catch (cause) {
        throw cause instanceof RangeError || cause instanceof HoldfastError
            ? cause // out of memory or stack, or a missing file: a later try may succeed
            : refusal(cause);
    }
}

/** @param {unknown} cause of the failure. A content security policy refuses the module; in WebKit the instance */
export function refusal(cause) {
    const error =
        cause instanceof WebAssembly.CompileError
            ? new HoldfastError('HF_NO_WEBASSEMBLY', "Add 'wasm-unsafe-eval' to script-src of the CSP.")
            : new HoldfastError(
                  'HF_BAD_MEMORY',
                  'This memory is empty, 64-bit, or belongs to another window. Post it to this thread.',
              );
    error.cause = cause;
    return error;
}
