/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { AGENT_ALIVE, AGENT_STATE_BITS, THREAD_MARK, THREAD_MASK } from '../../js-glue/memory/layout.js';
import {
    AGENT_DEAD,
    AGENT_FREE,
    AGENT_HOLDER_SHIFT,
    AGENT_JOINING,
    AGENT_PROBING_BITS,
} from '../c/numbers.js';
import { isAbandoned } from './agents-thread.js';
import { hex } from './memory.js';
import { Violation } from './violation.js';

/* The rules of the table of threads, checked in each state; c-src/agents.c says what its words mean. */

/**
 * @typedef {import('./agents-machine.js').Local} Local
 * @typedef {{ state: number, credits: number, queue: readonly number[] }} Slot `queue`: the owners of the
 *     entries that wait there
 */

/** A record's holder is above the amount that it holds. */
const HOLDER_SHIFT = BigInt(AGENT_HOLDER_SHIFT);
const HELD = (1n << HOLDER_SHIFT) - 1n;
const LOOKING = (1 << AGENT_PROBING_BITS) - 1;

/** @param {Slot} slot */
function stateIn({ state }) {
    return state & ((1 << AGENT_STATE_BITS) - 1);
}

/** @param {Slot} slot */
function identityIn({ state }) {
    return state >>> AGENT_STATE_BITS;
}

/** @param {Slot} slot */
function countedIn({ credits }) {
    return credits >>> AGENT_PROBING_BITS;
}

/** @param {bigint} word of the mutex */
export function ownerOf(word) {
    return Number(word & BigInt(THREAD_MASK));
}

/** True if the thread is alive and has not left the table. @param {Local} local */
function isThere({ view: { self, hasLeft, isDeclaredDead } }) {
    return self > 0 && !hasLeft && !isDeclaredDead;
}

/** @param {Slot[]} slots @param {readonly Local[]} locals @param {number} owner of the mutex */
export function checkAgents(slots, locals, owner) {
    const there = locals.filter(isThere);
    const selves = locals.flatMap(({ view: { self } }) => self || []);
    if (new Set(selves).size < selves.length) {
        throw new Violation('two living threads have one identity');
    }
    if (owner > 0 && locals.filter(({ view }) => view.has > 0).length > 1) {
        throw new Violation('two are inside');
    }
    if (isAbandoned(owner) && there.some(({ view: { self } }) => self === (owner & ~THREAD_MARK))) {
        throw new Violation('the mutex of a living thread is abandoned');
    }
    for (const { thread, view } of there) {
        const slot = slots.find((one) => identityIn(one) === view.self);
        if (!slot || stateIn(slot) === AGENT_FREE || stateIn(slot) === AGENT_DEAD) {
            throw new Violation(`T${thread} lives, but ${hex(view.self)} is dead`);
        }
        if (slot.queue.some((one) => one !== thread)) {
            throw new Violation(`the slot of T${thread} has an entry of another`);
        }
        if (slot.queue.length < countedIn(slot)) {
            throw new Violation(
                `T${thread} has ${slot.queue.length} entries, but ${countedIn(slot)} are counted`,
            );
        }
    }
}

/**
 * True if a joining thread can get the slot, now or after steps of other threads. The slot of a thread that
 * died while it joined or probed, or without entries, is lost.
 * @param {Slot} slot
 * @param {readonly Local[]} locals
 */
export function isToBeHad(slot, locals) {
    switch (stateIn(slot)) {
        case AGENT_FREE:
            return true;
        case AGENT_JOINING:
            return false;
        case AGENT_DEAD:
            return (slot.credits & LOOKING) === 0;
        default: {
            const lives = locals.some(({ view }) => !view.hasLeft && view.self === identityIn(slot));
            return !lives && countedIn(slot) > 0 && (slot.credits & LOOKING) === 0;
        }
    }
}

/**
 * The number of slots lost to threads that died while they joined or probed.
 * @param {Slot[]} slots
 * @param {readonly Local[]} locals
 */
export function keptSlots(slots, locals) {
    return slots.filter((slot) => {
        const hasOwner = locals.some((local) => isThere(local) && local.view.self === identityIn(slot));
        return !hasOwner && (stateIn(slot) === AGENT_JOINING || slot.credits & LOOKING);
    }).length;
}

/**
 * True if the dead agent of that identity has no entries left to probe.
 * @param {Slot} slot
 * @param {number} identity
 * @param {readonly Local[]} locals
 */
export function isLostTrackOf(slot, identity, locals) {
    const isIt = stateIn(slot) === AGENT_ALIVE && identityIn(slot) === identity && countedIn(slot) === 0;
    return isIt && !locals.some(({ view: { self } }) => self === identity);
}

/**
 * The defect of the table after all threads are done and none has died, or ''.
 * @param {Slot[]} slots
 * @param {readonly Local[]} locals
 * @param {number} entries that each keeps
 */
export function leftInSlots(slots, locals, entries) {
    for (const slot of slots) {
        const owner = locals.find((local) => isThere(local) && local.view.self === identityIn(slot));
        const isWrong = owner && (countedIn(slot) !== entries || slot.queue.length !== entries);
        if (isWrong || stateIn(slot) === AGENT_JOINING || slot.credits & LOOKING) {
            return `all are done, but a slot has ${hex(slot.state)}, ${hex(slot.credits)}, ${slot.queue.length} entries`;
        }
        if (!owner && stateIn(slot) === AGENT_ALIVE) {
            return 'a thread that has left counts as alive';
        }
    }
    return '';
}

/** @param {readonly bigint[]} records of a gate with holds (c-src/holds.h) */
function heldBy(records) {
    return records.reduce((sum, record) => sum + Number(record & HELD), 0);
}

/** @param {bigint} word of a gate with holds @param {readonly bigint[]} records @param {readonly Local[]} locals */
export function checkHolds(word, records, locals) {
    const used = ownerOf(word);
    const inside = locals.reduce(
        (sum, { view }) => sum + (view.hasLeft || view.isDeclaredDead ? 0 : view.has),
        0,
    );
    if (used < inside) {
        throw new Violation(`${inside} permits are held, but ${used} are in use`);
    }
    if (used < heldBy(records)) {
        throw new Violation('the records add up to more permits than are in use');
    }
}

/**
 * The defect of the gate after all threads have released or died, or ''. A probe may still have to return a
 * dead thread's holds.
 * @param {bigint} word
 * @param {readonly bigint[]} records
 * @param {readonly Local[]} locals
 */
export function leftInGate(word, records, locals) {
    if (ownerOf(word) !== heldBy(records)) {
        return 'permits are in use that no record has';
    }
    const holders = records
        .filter((record) => (record & HELD) > 0n)
        .map((record) => Number(record >> HOLDER_SHIFT));
    const isWrong = locals.some((local) => isThere(local) && holders.includes(local.view.self));
    return isWrong ? 'a thread has a record of permits that it has returned' : '';
}
