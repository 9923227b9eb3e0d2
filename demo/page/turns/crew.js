/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { openTurns } from './locks.js';
import { someTime } from './some-time.js';
import { createTurnWords, TurnWords } from './turn-words.js';

/**
 * A taker of turns: a worker, or a part of this page.
 * @typedef {object} Member
 * @property {string} name
 * @property {boolean} onPage
 * @property {import('./locks.js').LockMode} mode how it takes the lock; semaphores know one only
 * @property {number} amount how much of the limit it takes
 *
 * @typedef {object} CrewPlan
 * @property {object} handle of the lock
 * @property {number} limit how much may be inside together
 * @property {number} turnMs
 * @property {Member[]} members
 */

/** Workers and parts of the page that take turns, from one change of the controls to the next. */
export class Crew {
    words;
    plan;

    /** @param {CrewPlan} plan */
    constructor(plan) {
        const buffer = createTurnWords(plan.members.length);
        this.plan = plan;
        this.words = new TurnWords(buffer, plan.limit);
        const lock = openTurns(plan.handle);
        plan.members.forEach((member, index) => {
            if (member.onPage) {
                void this.#takeTurns(lock, member, index);
            } else {
                this.#startWorker(buffer, member, index);
            }
        });
    }

    /** Stops all members after their present turns. */
    stop() {
        this.words.close();
    }

    /** @param {SharedArrayBuffer} buffer @param {Member} member @param {number} index */
    #startWorker(buffer, { amount, mode }, index) {
        const { handle, limit, turnMs } = this.plan;
        const worker = new Worker(new URL('./turn-worker.js', import.meta.url), { type: 'module' });
        worker.postMessage({ handle, buffer, limit, member: index, amount, mode, turnMs });
    }

    /**
     * As turn-worker.js, without blocking.
     * @param {import('./locks.js').TurnLock} lock @param {Member} member @param {number} index
     */
    async #takeTurns(lock, { amount, mode }, index) {
        await this.#sleep();
        while (this.words.isOpen) {
            this.words.queues(index);
            await lock.execAsync(async () => {
                this.words.begins(index, amount);
                await this.#sleep();
                this.words.ends(index, amount);
            }, mode);
            await this.#sleep();
        }
    }

    /** @returns {Promise<void>} */
    #sleep() {
        const ms = this.words.isOpen ? someTime(this.plan.turnMs) : 0;
        return new Promise((resolve) => setTimeout(resolve, ms));
    }
}
