/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Defects that were mended, put back: the fuzzer, or a test, has to notice each. `edits` undo the mend, in the glue as it
 * is now; without any, the defect is still there. */

/**
 * @typedef {{ file: string, from: string, to: string }} Edit what stands in the file exactly once
 *
 * @typedef {object} PutBack
 * @property {number} defect its number in the issue that lists them
 * @property {string} name
 * @property {Edit[]} edits
 * @property {string[]} switches of the fuzzer: those that the defect needs
 * @property {string[]} tests files that notice it
 */

/** @type {PutBack[]} */
export const PUT_BACK = [
    {
        defect: 1,
        name: 'one signal ends requests twice',
        edits: [
            {
                file: 'js-glue/waiting/decide.js',
                from: "return request.waits ? { state, actions: [{ type: 'end', request, reason }] } : unchanged;",
                to: "return { state, actions: [{ type: 'end', request, reason }] };",
            },
            {
                file: 'js-glue/waiting/decide.js',
                from: "changes ? [{ type: 'defer' }] : []",
                to: "changes ? [{ type: 'check', watched: 0 }] : []",
            },
            {
                file: 'js-glue/waiting/ends.js',
                from: '        for (const request of this.#requests) {\n            this.#requests.delete(request);\n',
                to: '        for (const request of [...this.#requests]) {\n',
            },
        ],
        switches: ['sharedSignals'],
        tests: ['tests/glue/shared-signal.test.js'],
    },
    {
        defect: 2,
        name: "callbacks run in another one's context",
        edits: [
            {
                file: 'js-glue/waiting/request.js',
                from: 'callback ? inContext(start) : start',
                to: 'start',
            },
        ],
        switches: ['contexts'],
        tests: ['tests/glue/async-context.test.js'],
    },
    {
        defect: 3,
        name: 'event loops starve among themselves',
        edits: [
            {
                file: 'c-src/senior.h',
                from: 'return !hf__outranks_senior(line, token) && ',
                to: 'return false && ',
            },
        ],
        switches: ['loopContests'],
        tests: ['tests/glue/overtaking.test.js'],
    },
    {
        defect: 4,
        name: 'faked timers are those of the glue',
        edits: [
            {
                file: 'js-glue/thread/environment.js',
                from: "queueMicrotask: bound(scope, 'queueMicrotask'),",
                to: 'queueMicrotask: (task) => scope.queueMicrotask(task),',
            },
            {
                file: 'js-glue/thread/environment.js',
                from: "now: bound(scope.performance ?? Date, 'now'),",
                to: 'now: () => scope.performance.now(),',
            },
            {
                file: 'js-glue/thread/environment.js',
                from: "setImmediate: bound(scope, 'setImmediate'),",
                to: 'setImmediate: (task) => scope.setImmediate(task),',
            },
        ],
        switches: [],
        tests: ['tests/glue/fake-timers.test.js'],
    },
    {
        defect: 5,
        name: 'an async predicate counts as true',
        edits: [
            {
                file: 'js-glue/waiting/section.js',
                from: 'if (isThenable(answer) || isGenerator(answer)) {',
                to: 'if (isGenerator(answer)) {',
            },
        ],
        switches: ['asyncPredicates'],
        tests: ['tests/glue/condition.test.js'],
    },
    {
        defect: 6,
        name: 'a reset does nothing while an event is reserved',
        edits: [
            {
                file: 'c-src/gate.c',
                from: 'while (used_in(word) == 0 && !hf__cas64_rlx(',
                to: 'while (used_in(word) == 0 && !(word & CALLED) && !hf__cas64_rlx(',
            },
        ],
        switches: ['resets'],
        tests: ['tests/glue/event.test.js'],
    },
    {
        defect: 7,
        name: 'exhausted memory turns blocking off',
        edits: [
            {
                file: 'js-glue/thread/agent.js',
                from: '        throw error; // no memory, or no stack: that says nothing of blocking',
                to: '        return false;',
            },
        ],
        switches: [],
        tests: ['tests/glue/missing-runtime-parts.test.js'],
    },
    {
        defect: 8,
        name: 'a signal whose method throws stops a queue',
        edits: [
            {
                file: 'js-glue/waiting/ends.js',
                from: "throwLater(error); // a polyfill's: the requests end all the same",
                to: 'throw error;',
            },
            {
                file: 'js-glue/waiting/queue.js',
                from: '        try {\n            this.#handleEvents();\n        } finally {\n            this.#dispatching = false;\n        }',
                to: '        this.#handleEvents();\n        this.#dispatching = false;',
            },
            {
                file: 'js-glue/waiting/queue.js',
                from: 'const outcome = this.#attempt(action);',
                to: 'const outcome = this.#perform(action);',
            },
        ],
        switches: ['throwingSignals'],
        tests: ['tests/glue/throwing-signals.test.js'],
    },
    {
        defect: 12,
        name: 'inits leave words as they were',
        edits: [
            {
                file: 'c-src/semaphore.c',
                from: '    hf__store_rlx(&semaphore->gate.line, 0);\n',
                to: '',
            },
            { file: 'c-src/event.c', from: '    hf__store_rlx(&event->gate.line, 0);\n', to: '' },
            {
                file: 'js-glue/memory/placed.js',
                from: '            new Uint8Array(attachment.memory.buffer, this.#byteOffset, shape.BYTES).fill(0);\n',
                to: '',
            },
        ],
        switches: ['dirtyMemory'],
        tests: ['tests/glue/garbage-words.test.js'],
    },
    {
        defect: 12,
        name: 'a loop has no end where a word is wrong',
        edits: [
            {
                file: 'js-glue/waiting/decide.js',
                from: 'export const MOST_REFUSALS = 4;',
                to: 'export const MOST_REFUSALS = Infinity;',
            },
        ],
        switches: ['strayWords'],
        tests: ['tests/glue/garbage-words.test.js'],
    },
    {
        defect: 13,
        name: 'a dead successor blocks what has room',
        edits: [
            {
                file: 'c-src/gate.c',
                from: 'return !(word & CALLED) && has_room(',
                to: 'return false && has_room(',
            },
        ],
        switches: ['deadSuccessors'],
        tests: ['tests/glue/dead-successor.test.js'],
    },
    {
        defect: 14,
        name: 'a freed lock has requests',
        edits: [
            {
                file: 'js-glue/waiting/queue.js',
                from: "        this.isFreed = true;\n        this.hear({ type: 'freed' });\n",
                to: '',
            },
        ],
        switches: ['freedWithRequests'],
        tests: ['tests/glue/freed-locks.test.js'],
    },
    {
        defect: 14,
        name: 'a freed lock is released',
        edits: [
            {
                file: 'js-glue/waiting/gate-queue.js',
                from: 'if (held.isOver || this.isFreed) {',
                to: 'if (held.isOver) {',
            },
        ],
        switches: ['freedWhileHeld'],
        tests: ['tests/glue/freed-locks.test.js'],
    },
    {
        defect: 19,
        name: 'a request lets its thread pass for ever',
        edits: [
            {
                file: 'c-src/gate.c',
                from: 'return successor_of(word) == self && !(word & ASYNC) == (kind == HF__BLOCKING);',
                to: 'return successor_of(word) == self;',
            },
        ],
        switches: ['ownRequests'],
        tests: ['tests/glue/overtaking.test.js'],
    },
    {
        defect: 20,
        name: 'a burst has no end',
        edits: [
            {
                file: 'js-glue/thread/event-loop.js',
                from: 'return environment.now() > burstEnd;',
                to: 'return false;',
            },
        ],
        switches: ['crowds'],
        tests: ['tests/glue/yielding.test.js'],
    },
];
