/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { TimeoutError } from '../../js-glue/index.js';
import { Aborted } from './signals.js';

/* A section that holds a reader-writer lock upgradable: it upgrades, gives up, downgrades. */

/**
 * @typedef {import('./upgrades.js').Move} Move
 *
 * @typedef {object} Upgradable
 * @property {import('./player.js').Player} player
 * @property {any} held the guard, or the lock
 * @property {string} name
 * @property {'upgradable' | 'exclusive' | 'shared' | 'nothing'} mode
 * @property {(mode: Upgradable['mode']) => void} become
 * @property {number} holdings the player's count of holds, if its thread holds nothing else
 */

/** The limit of blocking calls of a thread that may hold another object. */
const SHORT_MS = 2;
const NOT_OWNER = 'HF_NOT_OWNER';

/** @param {Upgradable} section @param {() => unknown} call */
function isRefused({ player, name, mode }, call) {
    try {
        call();
        player.fails('outcome', `${name} upgrades what it holds in the mode ${mode}`);
    } catch (/** @type {any} */ error) {
        player.check(error.code === NOT_OWNER, `${name} is refused an upgrade by ${error}`);
    }
}

/** @param {Upgradable} section @param {Move} move that blocks, or does not wait */
export function moveNow(section, { how, timeout = 0 }) {
    const { player, held, mode } = section;
    if (how === 'downgrade') {
        if (mode === 'upgradable' || mode === 'exclusive') {
            section.become('shared');
            held.downgrade();
        }
        return;
    }
    if (mode !== 'upgradable') {
        isRefused(section, () => held.tryUpgrade());
        return;
    }
    const isAlone = player.holdings === section.holdings;
    const upgrades =
        how === 'upgrade' && isAlone
            ? (held.upgrade(), true)
            : held.tryUpgrade(how === 'try' ? 0 : isAlone ? timeout : Math.min(timeout, SHORT_MS));
    if (upgrades) {
        section.become('exclusive');
    }
}

/** @param {Upgradable} section of a guard @param {Move} move */
export async function moveLater(section, move) {
    const { player, held, name, mode } = section;
    const { how, limits = {} } = move;
    if (how !== 'async' && how !== 'giveUp') {
        moveNow(section, move);
        return;
    }
    const upgrade = held.upgradeAsync(limits);
    const gaveUp = how === 'giveUp' && mode === 'upgradable';
    if (gaveUp) {
        section.become('nothing');
        try {
            held.release();
        } catch (/** @type {any} */ error) {
            player.check(error.code === NOT_OWNER, `${name} is not released during its upgrade: ${error}`);
        }
    }
    try {
        await upgrade;
        player.check(mode === 'upgradable' && !gaveUp, `${name} upgrades from ${mode}, released: ${gaveUp}`);
        section.become('exclusive');
    } catch (/** @type {any} */ error) {
        const { timeout, deadline, signal } = /** @type {any} */ (limits);
        const isTimeout = error instanceof TimeoutError && (timeout ?? deadline) !== undefined;
        const isAllowed =
            isTimeout ||
            (error instanceof Aborted && signal?.aborted) ||
            ((gaveUp || mode !== 'upgradable') && error.code === NOT_OWNER);
        player.check(isAllowed, `${name} is refused an upgrade by ${error?.stack ?? error}`);
    }
}
