/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The glue's Gate over a module that does nothing but note what it is asked for. So the calls that the glue makes can
 * be run one atomic instruction at a time, and what goes into them and what their numbers mean is left to the glue. */

/** @typedef {import('./primitive.js').Planned} Planned */

export class PlannedGate {
    #gate;
    /** @type {Planned} */
    #planned = [''];
    #outcome = 0n;

    /**
     * @param {typeof import('../js-glue/waiting/gate.js').Gate} Waitable
     * @param {number} self
     * @param {number} address
     * @param {number} capacity
     */
    constructor(Waitable, self, address, capacity) {
        const noting = (/** @type {string} */ name) => {
            return (/** @type {number} */ _, /** @type {number[]} */ ...parameters) => {
                this.#planned = [name, ...parameters];
                return this.#outcome;
            };
        };
        const names = ['gate_step', 'gate_withdraw', 'gate_try_after'];
        const exports = Object.fromEntries(names.map((name) => [name, noting(name)]));
        this.#gate = new Waitable(/** @type {any} */ ({ exports, self }), address, capacity, '');
    }

    /**
     * @param {number} amount
     * @param {boolean} comesLate
     * @param {Extract<import('../js-glue/waiting/decide.js').WaitAction, { type: 'step' }>} action
     * @param {number} [waited] milliseconds
     */
    planStep(amount, comesLate, { inLine, watched }, waited = 0) {
        this.#gate.step(amount, comesLate, inLine, watched, waited);
        return this.#planned;
    }

    planWithdraw() {
        this.#gate.withdraw();
        return this.#planned;
    }

    /** @param {number} amount */
    planTry(amount) {
        this.#gate.tryAfter(amount);
        return this.#planned;
    }

    /**
     * What a step has come to.
     * @param {import('./wasm-interpreter.js').Value} outcome
     */
    understand(outcome) {
        this.#outcome = BigInt(outcome);
        return this.#gate.step(0, false, false, 0, 0);
    }
}
