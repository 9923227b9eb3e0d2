/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { host, runtime } from './realm.js';
import { UPGRADABLE, WHOLE } from './whole.js';

/* The programs' tools: the package's objects, numbers that the locks guard, and signals. A program's results go to its
 * log, a part of its thread's state; entering and leaving are reported to the judges. */

/**
 * @typedef {object} Task of a thread
 * @property {string} log its calls and their outcomes, since its last mark
 * @property {'ready' | 'runs' | 'done'} is
 * @property {((value?: any) => void)[]} later functions, each of which lets the task go on in a later job
 *
 * @typedef {'enters' | 'leaves' | 'downgrades' | 'upgrades'} Crossing of a section's border; after
 *     `downgrades` the thread is a reader, after `upgrades` the writer
 *
 * @typedef {object} Signal an AbortSignal that the explorer aborts
 * @property {boolean} aborted
 * @property {unknown} reason
 * @property {Set<() => void>} listeners
 */

/** Methods, grouped by what they do with a lock or permits. */
const RUN_SECTIONS = ['execAsync', 'exec'];
const GIVES_GUARD = 'acquireAsync';
const TAKE = [
    ...['lock', 'lockShared', 'lockUpgradable', 'tryLock', 'tryLockShared', 'tryLockUpgradable'],
    ...['enter', 'tryEnter'],
];
const GIVE_BACK = ['unlock', 'unlockShared', 'unlockUpgradable', 'leave'];
const DOWNGRADES = 'downgrade';
const UPGRADE = ['upgrade', 'tryUpgrade'];
const COUNT_PERMITS = ['enter', 'tryEnter', 'leave', 'execAsync'];

/** The programs' wrappers of the package's objects. @type {WeakMap<object, { name: string, object: object }>} */
const originals = new WeakMap();

/** The signals of all tasks, by name. @type {Record<string, Signal>} */
export const signals = {};

/** The task whose call into the package runs; -1: no task, or unknown. */
let calling = -1;

export function callingTask() {
    return calling;
}

/** @param {any} value */
function isPromise(value) {
    return typeof value?.then === 'function';
}

/** @param {any} error */
function nameOf(error) {
    return error?.code ?? error?.name ?? String(error);
}

/**
 * The amount that a call takes or gives back.
 *
 * @param {object} object
 * @param {string} method
 * @param {any[]} args
 */
function amountOf(object, method, args) {
    const { mode, permits } = args.find((arg) => typeof arg === 'object') ?? {};
    if (method.endsWith('Shared') || mode === 'shared') {
        return 1;
    }
    if (method.endsWith('Upgradable') || mode === 'upgradable') {
        return UPGRADABLE;
    }
    return 'leave' in object && COUNT_PERMITS.includes(method)
        ? (permits ?? args.find((arg) => typeof arg === 'number') ?? 1)
        : WHOLE;
}

/** @returns {Signal} */
function newSignal() {
    /** @type {Signal['listeners']} */
    const listeners = new Set();
    const signal = {
        ...{ aborted: false, reason: undefined, listeners },
        addEventListener: (/** @type {any} */ _, /** @type {() => void} */ listener) =>
            listeners.add(listener),
        removeEventListener: (/** @type {any} */ _, /** @type {() => void} */ listener) =>
            listeners.delete(listener),
    };
    return signal;
}

/** The tools of one task's program. The scenario's objects are added by their names. */
export class Kit {
    /** @type {Task} */
    #task;
    /** @type {number} */
    #at;

    /** @param {Task} task @param {number} at @param {Record<string, object>} objects */
    constructor(task, at, objects) {
        this.#task = task;
        this.#at = at;
        for (const [name, object] of Object.entries(objects)) {
            Object.assign(this, { [name]: this.#followed(name, object) });
        }
    }

    /** @param {string} words */
    #note(words) {
        this.#task.log += `${words} `;
    }

    /** Wraps an object so that its calls are logged. @param {string} name @param {any} object */
    #followed(name, object) {
        const [on = ''] = name.split('.'); // the mutex inside a recursive one is in the same words
        const followed = new Proxy(object, {
            get: (_, key) => {
                const found = object[key];
                return typeof found === 'function' && typeof key === 'string'
                    ? (/** @type {any[]} */ ...args) => this.#call(on, object, key, args)
                    : found;
            },
        });
        originals.set(followed, { name: on, object });
        return followed;
    }

    /** @param {string} on @param {any} object @param {string} method @param {any[]} args */
    #call(on, object, method, args) {
        if (calling < 0) {
            host.pass();
        }
        this.#note(`${on}.${method}`);
        let amount = amountOf(object, method, args);
        const cross = (/** @type {Crossing} */ where) => {
            host.tell(where, on, this.#at, [amount]);
            amount = where === 'downgrades' ? 1 : where === 'upgrades' ? WHOLE : amount;
        };
        const given = args.map((arg) => originals.get(arg)?.object ?? arg);
        const mutex = originals.get(args[0]);
        if (mutex) {
            return this.#waits(mutex.name, object, method, given);
        }
        if (RUN_SECTIONS.includes(method)) {
            given[0] = this.#section(args[0], cross);
        }
        if (GIVE_BACK.includes(method)) {
            cross('leaves');
        }
        if (method === DOWNGRADES) {
            cross('downgrades');
        }
        const before = calling;
        calling = this.#at;
        try {
            const result = object[method](...given);
            return isPromise(result)
                ? this.#awaited(method, result, cross)
                : this.#got(method, result, cross);
        } catch (error) {
            this.#note(nameOf(error));
            throw error;
        } finally {
            calling = before;
        }
    }

    /**
     * Reports that a condition wait does not hold the mutex, except in the predicate.
     * @param {string} mutex
     * @param {any} object
     * @param {string} method
     * @param {any[]} given
     */
    #waits(mutex, object, method, given) {
        const cross = (/** @type {Crossing} */ where) => host.tell(where, mutex, this.#at, [WHOLE]);
        const enters = () => cross('enters');
        const last = given.at(-1);
        if (last?.predicate) {
            const predicate = () => {
                cross('enters');
                const answer = last.predicate();
                cross('leaves');
                return answer;
            };
            given.splice(-1, 1, { ...last, predicate });
        }
        cross('leaves');
        let result;
        try {
            result = object[method](...given);
        } catch (error) {
            enters(); // the thread holds the mutex again, or never released it
            this.#note(nameOf(error));
            throw error;
        }
        if (isPromise(result)) {
            result.then(enters, enters);
            return this.#awaited(method, result, cross);
        }
        enters();
        return this.#got(method, result, cross);
    }

    /** @param {string} method @param {Promise<any>} promise @param {(where: Crossing) => void} cross */
    #awaited(method, promise, cross) {
        const noted = promise.then(
            (value) => this.#got(method, value, cross),
            (error) => this.#note(nameOf(error)),
        );
        // A program that gets a guard gets the one that is noted. Otherwise it gets the package's own promise, since
        // the package has to know it if a callback returns it.
        return method === GIVES_GUARD ? promise.then(() => noted) : promise;
    }

    /** @param {string} method @param {any} value @param {(where: Crossing) => void} cross */
    #got(method, value, cross) {
        this.#note(method === GIVES_GUARD ? 'guard' : String(value));
        if (method === GIVES_GUARD || (TAKE.includes(method) && value !== false)) {
            cross('enters');
        }
        if (UPGRADE.includes(method) && value !== false) {
            cross('upgrades');
        }
        return method === GIVES_GUARD ? this.#guard(value, cross) : value;
    }

    /**
     * @param {{ release: () => void, downgrade?: () => void, upgradeAsync?: (options?: object) => Promise<void> }} guard
     * @param {(where: Crossing) => void} cross
     */
    #guard(guard, cross) {
        const downgrade = () => {
            this.#note('downgrade');
            cross('downgrades');
            guard.downgrade?.();
        };
        const upgradeAsync = async (/** @type {object} */ options) => {
            this.#note('upgradeAsync');
            const upgrades = guard.upgradeAsync?.(options).then(
                () => true,
                (error) => {
                    this.#note(nameOf(error));
                    return false;
                },
            );
            const is = await upgrades;
            if (is) {
                this.#note('upgraded');
                cross('upgrades');
            }
            return is;
        };
        const release = () => {
            this.#note('release');
            cross('leaves');
            guard.release();
        };
        return { release, downgrade, upgradeAsync };
    }

    /** @param {() => any} callback @param {(where: Crossing) => void} cross */
    #section(callback, cross) {
        return () => {
            this.#note('in');
            cross('enters');
            const leave = () => {
                this.#note('out');
                cross('leaves');
            };
            let result;
            try {
                result = callback();
            } catch (error) {
                leave();
                throw error;
            }
            if (isPromise(result)) {
                result.then(leave, leave); // before the package handles the result, and releases the lock
            } else {
                leave();
            }
            return result;
        };
    }

    /**
     * Calls an export of the module that no class uses, as a C thread does.
     * @param {any} object
     * @param {string} name of the export
     * @param {...number} parameters
     * @returns {any}
     */
    call(object, name, ...parameters) {
        if (calling < 0) {
            host.pass();
        }
        this.#note(name);
        const { byteOffset } = object;
        const before = calling;
        calling = this.#at;
        try {
            const value = host.ask({ is: 'call', name, parameters: [byteOffset, ...parameters] });
            this.#note(String(value));
            return value;
        } finally {
            calling = before;
        }
    }

    /**
     * Adds to a number that the locks guard, and returns what it was.
     * @param {string} on
     * @param {number} by
     * @returns {number}
     */
    add(on, by) {
        const before = host.ask({ is: 'data', on, by });
        this.#note(before);
        return before;
    }

    /** @param {string} on */
    read(on) {
        return this.add(on, 0);
    }

    /** Reads the number in a predicate, whose answers need not be logged. @param {string} on @returns {number} */
    look(on) {
        return host.ask({ is: 'data', on, by: 0 });
    }

    /** Continues when the number has reached `least`. @param {string} on @param {number} least */
    until(on, least) {
        host.ask({ is: 'until', on, least });
    }

    /** @param {boolean} holds @param {string} words */
    check(holds, words) {
        host.goOn();
        if (!holds) {
            host.violates(words);
        }
    }

    /** Clears the log when the past no longer matters. @param {string} label */
    mark(label) {
        host.goOn();
        this.#task.log = `${label} `;
        host.mark();
    }

    /** Returns whether the program now waits for longer than a reservation lasts; both answers are explored.
     * @returns {boolean} */
    watch() {
        const watches = host.ask({ is: 'watch' });
        this.#note(`watch ${watches}`);
        runtime.now += watches ? 10 : 0;
        return watches;
    }

    later() {
        this.#note('later');
        return new Promise((resolve) => this.#task.later.push(resolve));
    }

    /** @param {string} [name] for a signal of several requests */
    signal(name = `of task ${this.#at}`) {
        return (signals[name] ??= newSignal());
    }

    /** Gives the task another signal. */
    renewSignal() {
        delete signals[`of task ${this.#at}`];
    }

    /** Adds one to the number `on` when the call into the module next ends. @param {string} call @param {string} on */
    announce(call, on) {
        host.announce(call, on);
    }
}
