/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { work } from '../support/board.js';
import { wordsOf } from '../support/words.js';
import { THREAD_MASK } from '../../js-glue/memory/layout.js';
import { BETWEEN, BUSY, MANNERS, PLACES } from './member-words.js';

/* The ways to end a thread. A thread that must not hold a lock is doomed first: it opens no more sections,
 * and releases at once any lock that it still acquires. The last two ways end a thread inside a section. */

/**
 * @typedef {import('./episode.js').Scene} Scene
 * @typedef {import('./member.js').Member} Member
 * @typedef {import('./plan.js').Fault} Fault
 * @typedef {(scene: Scene, victim: Member, fault: Fault) => Promise<void>} Way
 */

const LONGEST_GAP_MS = 0.2;

/** The time for which a thread is watched for a moment between two sections. */
const LONGEST_LOOK_MS = 1000;

/**
 * Holds a lock until the victim waits for it, and a random time longer, so that the victim is in any of its
 * naps and sleeps.
 *
 * @param {Scene} scene
 * @param {Member} victim
 * @param {Fault} fault
 */
async function holdUntilItWaits(scene, victim, { lock, delay }) {
    const guard = await scene.within(scene.mutex(lock).acquireAsync(), 'the lock to hold up a victim');
    await scene.until('the victim waits', () => victim.words.waitsFor(lock));
    await scene.pause(delay);
    await scene.until('no section of the victim is open', () => victim.words.doom());
    return guard;
}

/** @type {Way} */
async function waiting(scene, victim, fault) {
    const guard = await holdUntilItWaits(scene, victim, fault);
    void victim.terminate();
    await scene.pause(fault.gap * fault.delay);
    guard.release();
}

/** @type {Way} */
async function notified(scene, victim, fault) {
    const guard = await holdUntilItWaits(scene, victim, fault);
    const mutex = scene.mutex(fault.lock);
    if (fault.endsFirst) {
        void victim.terminate();
        work(fault.gap * LONGEST_GAP_MS);
    }
    guard.release();
    const isNamed = wordsOf(mutex).some((word) => (word & THREAD_MASK) === victim.words.self);
    scene.counts.handedOver += isNamed ? 1 : 0;
    if (!fault.endsFirst) {
        work(fault.gap * LONGEST_GAP_MS);
        void victim.terminate();
    }
}

/** @type {Way} */
async function busy(scene, victim, { delay }) {
    const isBusy = () => victim.words.kind === BUSY && victim.words.doom();
    await scene.until('the victim is busy while it waits', isBusy);
    await scene.pause(delay / 4);
    void victim.terminate();
}

/** @type {Way} */
async function between(scene, victim) {
    // A thread with several requests is seldom between sections; after the time limit, any moment without a
    // hold will do.
    const end = performance.now() + LONGEST_LOOK_MS;
    const isSeen = () => victim.words.kind === BETWEEN || performance.now() > end;
    await scene.until('the victim is between two sections', () => isSeen() && victim.words.doom());
    void victim.terminate();
}

/** @type {Way} */
async function anywhere(scene, victim) {
    await scene.until('no section of the victim is open', () => victim.words.doom());
    void victim.terminate();
}

/** @type {Way} */
async function holding(scene, victim, { place, manner, delay }) {
    victim.words.linger(oneOf(PLACES, place), oneOf(MANNERS, manner));
    await scene.until('the victim stays in a section', () => victim.words.lingersWith !== undefined);
    await scene.pause(delay);
    void victim.terminate();
}

/** @type {Way} Ends the victim inside a section, or just after one. */
async function inside(scene, victim) {
    await scene.until('a section of the victim is open', () => victim.words.isInside);
    void victim.terminate();
}

const WAYS_TO_END = { waiting, notified, busy, between, anywhere, holding, inside };

/** @typedef {keyof typeof WAYS_TO_END} WayName */

/** @type {Record<'blocks' | 'awaits', WayName[]>} */
const WAYS_FOR = {
    blocks: ['waiting', 'notified', 'notified', 'between', 'anywhere', 'holding', 'inside'],
    awaits: ['waiting', 'notified', 'notified', 'busy', 'between', 'anywhere', 'holding', 'inside'],
};
/** The ways that end a thread which holds a lock. */
/** @type {WayName[]} */
const HUNT = ['holding', 'inside'];

/**
 * @template T
 * @param {readonly T[]} list
 * @param {number} drawn 0 to 1
 */
function oneOf(list, drawn) {
    return /** @type {T} */ (list[Math.floor(drawn * list.length)]);
}

/**
 * Ends a thread of the crew. The others go on, and a new thread takes its place.
 *
 * @param {Scene} scene
 * @param {Fault} fault
 * @param {(fault: Fault) => Promise<Member>} startAnother
 */
export async function strike(scene, fault, startAnother) {
    await scene.pause(fault.pause);
    const victim = scene.member(fault.victim);
    const others = WAYS_FOR[victim.blocks || scene.plan.allBlock ? 'blocks' : 'awaits'];
    const name = oneOf(scene.plan.hunts ? HUNT : others, fault.way);
    await WAYS_TO_END[name](scene, victim, fault);
    scene.counts.terminations[name] += 1;
    scene.lose(fault.victim);
    await scene.goOn();
    scene.crew.splice(fault.victim, 0, await startAnother(fault));
}
