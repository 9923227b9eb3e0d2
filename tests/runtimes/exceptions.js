/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Exceptions: abilities that a runtime lacks, and the tests that therefore fail there. Any other failure is a
 * fault. A program of the same name in limits/ shows the behaviour; when it fails, the runtime has changed,
 * and the exception may go. */

/**
 * @typedef {object} Exception
 * @property {string} name as in the table, and of its program
 * @property {string} runtime its word
 * @property {string} words for the document: the limit, and its effect on users
 * @property {RegExp} tests their titles
 * @property {RegExp} fault how they fail
 * @property {RegExp} elsewhere the output of its program in runtimes without the limit
 */

/** @type {Exception[]} */
export const EXCEPTIONS = [
    {
        name: 'terminated-threads-go-on',
        runtime: 'deno',
        words:
            'In Deno `worker.terminate()` tells a thread to end, and ends none that is busy or blocks. One that blocks for ' +
            'a lock waits on; it gets the lock in its turn, runs to the end of its job, and dies then, as the holder if that ' +
            'job did not release the lock, which leaves it locked as in every runtime. Tell workers by a message to end, ' +
            'instead of ending them.',
        tests: /waiters that die.* do not stop the others|^abandoned: .* when the holder dies: (blocked|computing)$|^condition: a waiter that dies \(blocked\)|^dead heir: .* overtakes a dead heir that was blocked$|^recoverable: .*: (blocked|computing)$|^keyed deaths: at every step|^recoverable: (permits of a living thread|threads that die|event loops that die)/,
        fault: /(round \d+.*|key \d+ after step \d+|the survivor|news of the death|a request): not done within \d+ ms|nobody passed by the dead heir|\d !== 3/,
        elsewhere: /of threads that were ended these go on: none/,
    },
    {
        name: 'timers-are-not-listed',
        runtime: 'bun',
        words:
            'In Bun `process.getActiveResourcesInfo()` names no timers, so tests cannot count them there. That the process ' +
            'lives while a request waits, and ends by itself then, is tested by processes of their own, which pass.',
        tests: /: a request waits, keeps the process alive meanwhile, and is granted$/,
        fault: /0 !== 1/,
        elsewhere: /timers are listed/,
    },
];

/** @param {string} runtime its word @param {string} title */
export function exceptionFor(runtime, title) {
    return EXCEPTIONS.find((exception) => exception.runtime === runtime && exception.tests.test(title));
}
