/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ line: number, what: 'line' | 'branch' }} Place that did not run, or not in every way
 *
 * @typedef {object} FileCoverage
 * @property {string} file
 * @property {{ all: number, run: number }} lines
 * @property {{ all: number, run: number }} branches
 * @property {Place[]} missed
 *
 * @typedef {{ file: string, text: string, why: string }} Reason the text is part of the source line
 */

const OVERTAKEN =
    'whether another thread comes between the load and the compare-exchange is chance in a native run; the models ' +
    'take both ways';

/**
 * Code that a run may leave out, and why no test reliably runs it.
 * @type {Reason[]}
 */
export const REASONS = [
    ...[
        { file: 'c-src/gate.c', text: 'hf__cas64_acq(&gate->word, word, next)' },
        { file: 'c-src/gate.c', text: 'hf__cas64_acq(&gate->word, word, word + amount)' },
        { file: 'c-src/gate.c', text: 'hf__cas64_rlx(&gate->word, word, next)' },
        { file: 'c-src/gate.c', text: 'hf__cas64_rel(&gate->word, word, next)' },
        { file: 'c-src/gate_async.h', text: 'hf__cas_rlx(&gate->line, line, 0)' },
        { file: 'c-src/barrier.c', text: 'hf__cas64_acq_rel(&barrier->word, word,' },
        { file: 'c-src/barrier.c', text: 'hf__cas64_rlx(&barrier->word, word, word - ARRIVAL)' },
        { file: 'c-src/condition.c', text: 'hf__cas64_rlx(&condition->word, word,' },
        { file: 'c-src/event.c', text: 'hf__cas_rel(state, word,' },
        { file: 'c-src/event.c', text: 'hf__cas_rlx(state, word,' },
        { file: 'c-src/event.c', text: 'for (;;) {' },
        { file: 'c-src/latch.c', text: 'hf__cas_rel(&latch->word, word, next)' },
        { file: 'c-src/latch.c', text: 'hf__cas_rlx(&latch->word, word,' },
        { file: 'c-src/latch.c', text: 'for (;;) {' },
    ].map((place) => ({ ...place, why: OVERTAKEN })),
    {
        file: 'c-src/gate.c',
        text: 'overtaken >= NAPS_FROM && (word & ASYNC_WAITERS)',
        why: 'event loops, which set ASYNC_WAITERS, exist only where JavaScript does; the models have them',
    },
    {
        file: 'c-src/gate.c',
        text: 'bool naps = overtaken >= NAPS_FROM',
        why: 'a thread that naps has a place only if an event loop stood in the line before; the models have that',
    },
    ...[
        'static void forget_id(void)',
        'hf__thread_id_cache = 0;',
        'hf__thread_second = HF__THREAD_NO_SECOND;',
    ].map((text) => ({
        file: 'c-src/identity.c',
        text,
        why: 'it runs in the child of a fork(), which ends without a word of what it has run',
    })),
    ...['hf__cas_acq(word, old, old | mask)', 'if (old & mask) {', 'claim(space, begin, end)'].map(
        (text) => ({
            file: 'c-src/space.c',
            text,
            why: 'whether two threads claim the same granules at once is chance; there is no model of the allocator',
        }),
    ),
    {
        file: 'js-glue/memory/module.js',
        text: "new HoldfastError('HF_NO_WEBASSEMBLY'",
        why: "a page's policy refuses it (tests/browser/page.test.js)",
    },
    ...[
        { file: 'js-glue/thread/environment.js', text: 'isTimeFaked() ? () => Date.now()' },
        { file: 'js-glue/thread/identities.js', text: 'if (found.format !== FORMAT) {' },
        { file: 'js-glue/thread/identities.js', text: "throw new HoldfastError('HF_COPIES'," },
    ].map((place) => ({
        ...place,
        why: 'tests/glue/fake-timers.test.js and tests/glue/copies.test.js run it, bundled, which does not count here',
    })),
    ...[
        'function onPageHide(',
        'if (isTrusted && !persisted) {',
        'endLoop();',
        'presences.forEach(',
        'leave() {',
        'if (attachment !== undefined) {',
        "globalThis.addEventListener?.('pagehide'",
        'if (isLoopOver()) {',
        'presence.leave();',
    ].map((text) => ({
        file: 'js-glue/thread/presence.js',
        text,
        why: 'only windows come and go while their thread lives (tests/browser/threads.test.js)',
    })),
    ...['export function endLoop() {', 'isOver = true;'].map((text) => ({
        file: 'js-glue/thread/event-loop.js',
        text,
        why: 'only windows come and go while their thread lives (tests/browser/threads.test.js)',
    })),
    ...['} catch (error) {', 'throwLater(error);'].map((text) => ({
        file: 'js-glue/thread/throw-later.js',
        text,
        why: 'for want of stack or memory only',
    })),
    ...['AsyncResource ??=', 'if (!AsyncResource) {', 'return start;'].map((text) => ({
        file: 'js-glue/waiting/request.js',
        text,
        why: 'Node has the class; pages do not (tests/browser/requests.test.js)',
    })),
    ...["if (typeof document !== 'undefined') {", "return 'page';", "name !== '' ? name :"].map((text) => ({
        file: 'js-glue/trace.js',
        text,
        why: "a page, and a worker with a name, are the browsers' (tests/browser/trace.test.js)",
    })),
    {
        file: 'js-glue/waiting/guard.js',
        text: 'Symbol.dispose ??',
        why: 'Node has the symbol since 18.18; WebKit lacks it',
    },
    ...['if (mustEnd && ', 'return Promise.resolve(value);'].map((text) => ({
        file: 'js-glue/waiting/phase.js',
        text,
        why: 'the last of a round has to arrive between the arrival of a request that is refused and its end; that is chance',
    })),
];

/**
 * @param {string} root
 * @param {FileCoverage} coverage
 * @returns {{ place: Place, text: string, why: string }[]} with an empty reason where none is given
 */
export function explained(root, { file, missed }) {
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    return missed
        .map((place) => {
            const text = (lines[place.line - 1] ?? '').trim();
            const reason = REASONS.find((known) => known.file === file && text.includes(known.text));
            return { place, text, why: reason?.why ?? '' };
        })
        .filter(({ text }) => /\w/.test(text)); // leaves out lines that have only a brace
}
