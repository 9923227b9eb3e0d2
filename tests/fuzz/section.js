/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { work } from '../support/board.js';
import { afterOtherTasks } from '../stress/locks-use.js';
import { contextOr } from './contexts.js';
import { amountOf, roomOf } from './amounts.js';
import { moveLater } from './moves.js';

/* A section: ends in every way that a callback can, and checks the object meanwhile. */

/** The error that sections throw. */
export class Thrown extends Error {}

/**
 * @typedef {'returns' | 'throws' | 'awaits' | 'turns' | 'sleeps' | 'rejects' | 'thenable'} End
 *
 * @typedef {object} Body
 * @property {number} [work] milliseconds of computing
 * @property {number} [sleep] milliseconds, if it ends by `sleeps`
 * @property {End} [ends]
 * @property {() => void} [begins] called as soon as the object is held
 * @property {import('./upgrades.js').Move[]} [moves] of a section that holds the lock upgradable by a guard;
 *     made before `inner`
 * @property {() => unknown} [inner] called and awaited while the object is held
 *
 * @typedef {{ object: any, number: number, name: string, ask?: number | string | undefined }} Held
 */

export class FuzzSection {
    /** The number of its runs. */
    runs = 0;
    isOpen = false;
    #mayHold = false;
    #player;
    #name;
    #held;
    #body;
    #release;

    /**
     * @param {import('./player.js').Player} player
     * @param {string} name of the section's request; '' if no async context is checked
     * @param {Held} held
     * @param {Body} body
     * @param {(guard: any) => void} [release] releases the object, if no method does
     */
    constructor(player, name, held, body, release) {
        this.#player = player;
        this.#name = name;
        this.#held = held;
        this.#body = body;
        this.#release = release;
        this.ends = body.ends ?? 'returns';
        if (release) {
            this.#hold(); // counts a hold now, since the section may hold the lock before its own code runs
        }
    }

    #hold() {
        this.#player.holdings += this.#mayHold ? 0 : 1;
        this.#mayHold = true;
    }

    /** Notes that the section holds nothing from now on. */
    letGo() {
        this.#player.holdings -= this.#mayHold ? 1 : 0;
        this.#mayHold = false;
    }

    enter() {
        const { object, number, name, ask } = this.#held;
        const inside = this.#player.words.enter(number, amountOf(object, ask));
        if (inside > roomOf(object) && !this.#player.spoilt.includes(name)) {
            this.#player.fails(
                'inside',
                `${this.#name}: ${inside} of ${name} are held, of ${roomOf(object)}`,
            );
        }
        this.isOpen = true;
    }

    /**
     * Notes that the section holds the lock in another mode from now on.
     *
     * @param {import('./moves.js').Upgradable['mode']} mode
     */
    become(mode) {
        this.leave();
        this.#held = { ...this.#held, ask: mode };
        if (mode !== 'nothing') {
            this.enter();
        }
    }

    leave() {
        this.isOpen = false;
        const { object, number, ask } = this.#held;
        this.#player.words.leave(number, amountOf(object, ask));
    }

    /** @param {string} where */
    checkContext(where) {
        if (this.#player.contexts && this.#name !== '' && contextOr(this.#name) !== this.#name) {
            const seen = contextOr(this.#name) ?? 'none';
            this.#player.fails('context', `${this.#name}: ${where} ran in the context of ${seen}`);
        }
    }

    /** @param {unknown} guard */
    #end(guard) {
        const isOver = this.#held.ask === 'nothing';
        if (!isOver) {
            this.leave();
        }
        if (this.#release) {
            if (!isOver) {
                this.#release(guard);
            }
            this.letGo();
        }
        return this.#name;
    }

    /** @param {unknown} guard @returns {import('./moves.js').Upgradable} */
    #upgradable(guard) {
        const mode = /** @type {any} */ (this.#held.ask);
        const become = (/** @type {import('./moves.js').Upgradable['mode']} */ next) => this.become(next);
        return { player: this.#player, held: guard, name: this.#name, mode, become, holdings: 1 };
    }

    /** @param {unknown} guard */
    async #later(guard) {
        const { inner, sleep = 0, moves = [] } = this.#body;
        try {
            for (const move of moves) {
                await moveLater(this.#upgradable(guard), move);
            }
            await inner?.();
            if (this.ends === 'sleeps') {
                await new Promise((resolve) => setTimeout(resolve, sleep));
            } else if (this.ends === 'turns') {
                await afterOtherTasks();
            } else {
                await undefined;
            }
            this.checkContext('what follows an await of the callback');
        } finally {
            this.#end(guard);
        }
        if (this.ends === 'rejects') {
            throw new Thrown(this.#name);
        }
        return this.#name;
    }

    /** @param {unknown} [guard] */
    run(guard) {
        this.runs += 1;
        this.#hold();
        this.checkContext('the callback');
        this.enter();
        this.#body.begins?.();
        work(this.#body.work ?? 0);
        const { inner, moves } = this.#body;
        if (this.ends === 'thenable' && !inner && !moves) {
            return {
                /** @param {(value: unknown) => void} resolve @param {(reason: unknown) => void} reject */
                then: (resolve, reject) => void this.#later(guard).then(resolve, reject),
            };
        }
        if (inner || moves || ['awaits', 'turns', 'sleeps', 'rejects'].includes(this.ends)) {
            return this.#later(guard);
        }
        this.#end(guard);
        if (this.ends === 'throws') {
            throw new Thrown(this.#name);
        }
        return this.#name;
    }
}
