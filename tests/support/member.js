/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/**
 * Adds a thread to the table of a memory. It has no entries, so no probe can find it dead.
 *
 * @param {import('../../js-glue/memory/attachment.js').Attachment} attachment
 * @returns {number} its identity; 0: the table is full
 */
export function joinMember({ exports, table }) {
    const identity = exports.agents_join(table, 0);
    const slot = exports.agents_slot(table, identity);
    if (identity !== 0 && exports.agent_arms(slot, identity)) {
        exports.agent_credit(slot, identity, 0);
    }
    return identity;
}
