/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { guarded, host, runSoon, runtime } from './realm.js';
import * as holdfast from '../../js-glue/index.js';
import { environment } from '../../js-glue/thread/environment.js';
import * as programs from '../programs/programs.js';
import { callingTask, Kit, signals } from './kit.js';

/* The code of one thread, with the package as it ships. glue-instance.js runs its jobs from outside. */

/**
 * @typedef {object} Setup
 * @property {{ name: string, is: string, address: number }[]} objects
 * @property {[program: string, ...parameters: any[]][]} tasks
 * @property {boolean} isOld whether it has already waited for long when its first job ends
 *
 * @typedef {object} Offer something that may happen next
 * @property {'starts' | 'goes on' | 'aborts' | 'timer' | 'sweeps' | 'hears'} job
 * @property {number} which
 * @property {number} [delay] of a timer
 */

/** A waiting time longer than that of any new request. */
const LONG_MS = 20;

/** @type {Record<string, string>} */
const CLASS_OF = {
    mutex: 'Mutex',
    'recursive mutex': 'RecursiveMutex',
    rwlock: 'RwLock',
    semaphore: 'CountingSemaphore',
    condition: 'Condition',
    event: 'Event',
    'auto event': 'Event',
    latch: 'Latch',
    barrier: 'Barrier',
    'c barrier': 'Barrier',
    once: 'Once',
};

environment.soon = runSoon; // an error in a job must not reject a promise

/** @type {import('./kit.js').Task[]} */
let tasks = [];
/** @type {Record<string, object>} */
const objects = {};
/** @type {Setup} */
let setup;

/** @param {Setup} given */
export function prepare(given) {
    setup = given;
    tasks = given.tasks.map(() => ({ log: '', is: 'ready', later: [] }));
    for (const { name, is, address } of given.objects) {
        const Class = /** @type {any} */ (holdfast)[CLASS_OF[is] ?? ''];
        if (Class) {
            objects[name] = Class.at(host.memory, address);
        }
        if (is === 'recursive mutex') {
            objects[`${name}.mutex`] = holdfast.Mutex.at(host.memory, address); // event loops wait for the inner mutex by this class
        }
    }
}

/** @param {number} at */
function start(at) {
    const task = /** @type {import('./kit.js').Task} */ (tasks[at]);
    const [name = '', ...parameters] = setup.tasks[at] ?? [];
    const fails = (/** @type {any} */ error) => host.violates(`task ${at} fails: ${error?.stack ?? error}`);
    const ends = () => Object.assign(task, { is: 'done', log: '' });
    task.is = 'runs';
    try {
        const result = /** @type {any} */ (programs)[name](new Kit(task, at, objects), ...parameters);
        if (result === undefined) {
            ends();
        } else {
            result.then(ends, fails);
        }
    } catch (error) {
        fails(error);
    }
    if (setup.isOld) {
        runtime.now = LONG_MS;
    }
}

/** @type {Record<Offer['job'], (which: number) => void>} */
const JOBS = {
    starts: start,
    'goes on': (at) => tasks[at]?.later.shift()?.(),
    aborts(at) {
        const signal = /** @type {import('./kit.js').Signal} */ (Object.values(signals)[at]);
        signal.aborted = true;
        signal.reason = new Error('aborted');
        for (const listener of [...signal.listeners]) {
            guarded(listener)();
        }
    },
    hears(address) {
        const entry = runtime.entries.get(address);
        runtime.entries.delete(address);
        entry?.resolve('ok');
    },
    timer(at) {
        const [timer] = runtime.timers.splice(at, 1);
        if (timer) {
            runtime.ahead = Math.max(timer.at - runtime.now, 0);
            guarded(timer.callback)();
        }
    },
    sweeps: (at) => runtime.clocks.splice(at, 1)[0]?.resolve('timed-out'),
};

/** @param {Offer['job']} job @param {number} which */
export function run(job, which) {
    JOBS[job](which);
}

/** @type {(job: Offer['job'], which: number, isPossible: boolean) => Offer[]} */
const offerIf = (job, which, isPossible) => (isPossible ? [{ job, which }] : []);

/** @returns {Offer[]} */
export function offers() {
    const ready = tasks.findIndex(({ is }) => is === 'ready');
    return [
        ...offerIf('starts', ready, ready >= 0),
        ...tasks.flatMap(({ later }, at) => offerIf('goes on', at, later.length > 0)),
        ...Object.values(signals).flatMap(({ aborted, listeners }, at) =>
            offerIf('aborts', at, !aborted && listeners.size > 0),
        ),
        ...runtime.timers.map(({ delay }, which) => ({ job: /** @type {const} */ ('timer'), which, delay })),
        ...runtime.clocks.flatMap((_, at) => offerIf('sweeps', at, true)),
    ];
}

/** The defect if the thread ends in this state, or ''. An unneeded entry may stay until a sweep takes it back. */
export function leftBehind() {
    const { timers, entries, clocks, keepsAlive } = runtime;
    if (timers.some(({ delay }) => delay === 0)) {
        return ''; // judged after one more job, which must come
    }
    /** @type {[boolean, string][]} */
    const wrongs = [
        [timers.length > 0, 'a timer'],
        [Object.values(signals).some(({ listeners }) => listeners.size > 0), 'a listener of a signal'],
        [keepsAlive !== 0, 'what keeps its process alive'],
        [entries.size > 0 && clocks.length === 0, 'an entry that no sweep takes back'],
        [clocks.length > 1, 'two sweeps'],
    ];
    const wrong = wrongs.find(([isWrong]) => isWrong);
    return wrong ? `a thread leaves ${wrong[1]} behind` : '';
}

/**
 * Resets times after a job, so that states can recur.
 *
 * @param {{ alarms: Map<object, number>, timer: { time: number } }} variables of the package
 */
export function turnBack({ alarms, timer }) {
    alarms.forEach((time, alarm) => alarms.set(alarm, time - runtime.ahead));
    timer.time -= runtime.ahead;
    for (const each of runtime.timers) {
        each.at -= runtime.ahead;
    }
    runtime.ahead = 0;
}

export function standing() {
    return tasks.map(({ is }) => is);
}

export { callingTask };
