/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { availableParallelism } from 'node:os';
import Table from 'cli-table3';
import logUpdate from 'log-update';
import { TICK_EVERY_MS } from './contest.mjs';
import { titleOf } from './contestants.js';

/** @typedef {import('./contest.mjs').Result} Result */

const integer = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** @param {number} ms */
function milliseconds(ms) {
    return `${decimal.format(ms)} ms`;
}

/**
 * The share of the time in which a worker held the lock. Sections a second would not compare the locks: a
 * lock that favours the worker with the short sections runs more of them.
 * @param {Result} result
 */
function shareHeld({ workers, elapsedMs }) {
    const heldUs = workers.reduce((sum, { sections, sectionUs }) => sum + sections * sectionUs, 0);
    return `${integer.format(heldUs / 10 / elapsedMs)} %`;
}

/** @param {Pick<Result, 'requests'>} result */
function unansweredOf({ requests }) {
    return `${requests.unanswered} of ${requests.made}`;
}

/** @param {Result} result */
function lostOf({ lost, sections }) {
    return `${integer.format(lost)} of ${integer.format(sections)}`;
}

/** @param {Result[]} results of runs with the same workers @returns {string} one column a run */
export function tableOf(results) {
    /** @type {(title: string, cell: (result: Result) => string) => string[]} */
    const row = (title, cell) => [title, ...results.map(cell)];
    const head = row('', ({ name }) => titleOf(name));
    /** @type {import('cli-table3').HorizontalAlignment[]} */
    const colAligns = ['left', ...results.map(() => /** @type {const} */ ('right'))];
    const table = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
    results[0]?.workers.forEach(({ sectionUs }, index) => {
        const title = `worker ${index + 1}: times it held the lock, ${decimal.format(sectionUs)} µs each`;
        table.push(row(title, ({ workers }) => integer.format(workers[index]?.sections ?? 0)));
    });
    table.push(
        row('workers: share of the time that they held it', shareHeld),
        row('event loop: times it held the lock', ({ loopSections }) => integer.format(loopSections)),
        row('event loop: requests without an answer at the end', unansweredOf),
        row('event loop: wait for the lock, median', ({ requests }) => milliseconds(requests.medianMs)),
        row('event loop: wait for the lock, 99th percentile', ({ requests }) => milliseconds(requests.p99Ms)),
        row('event loop: wait for the lock, worst', ({ requests }) => milliseconds(requests.worstMs)),
        row(
            `event loop: longest pause between two ticks, due every ${TICK_EVERY_MS} ms`,
            ({ longestPauseMs }) => milliseconds(longestPauseMs),
        ),
        row('updates of the shared counter that were lost', lostOf),
    );
    return table.toString();
}

/** @param {Result} result */
function serviceOf({ name, requests }) {
    const { p99Ms, worstMs } = requests;
    return (
        `with ${titleOf(name)} 99 of 100 requests waited for at most ${milliseconds(p99Ms)} and the longest for ` +
        `${milliseconds(worstMs)}, and ${unansweredOf({ requests })} had no answer at the end`
    );
}

/** The result in one sentence, with the numbers of this run alone. @param {Result[]} results */
export function sentenceOf(results) {
    const lost = results.reduce((sum, result) => sum + result.lost, 0);
    const updates = lost === 0 ? 'no update was lost' : `${lost} UPDATES WERE LOST`;
    return `The event loop asked for the lock: ${results.map(serviceOf).join('; ')}; ${updates}.`;
}

/** The subject of the comparison, and the machine. @param {number} workers */
export function introductionOf(workers) {
    const cores = availableParallelism();
    const [locks, crew] =
        workers === 1 ? ['1 worker locks', '1 worker'] : [`${workers} workers lock`, `${workers} workers`];
    return (
        `${locks} in a loop, while the event loop of this thread asks for the lock sixty times a second.\n` +
        `The textbook lock is the one of the tutorials: compare-exchange; if that fails, wait and retry.\n` +
        `${crew} and this thread share ${cores === 1 ? '1 core' : `${cores} cores`}.`
    );
}

const LINE_EVERY_MS = 1000;

/** @param {import('./contest.mjs').Progress} progress */
function lineOf({ name, elapsedMs, sections, made, unanswered }) {
    const time = `${(elapsedMs / 1000).toFixed(1)} s`;
    const answered = `${made - unanswered} of ${made} requests answered`;
    return `${titleOf(name).padEnd(18)} ${time}   ${sections} sections   ${answered}`;
}

/** Shows how a run goes: one line that is written over on a terminal, a line a second elsewhere. */
export class ProgressLine {
    #nextLineMs = LINE_EVERY_MS;

    /** @param {import('./contest.mjs').Progress} progress */
    show(progress) {
        if (process.stdout.isTTY) {
            logUpdate(lineOf(progress));
        } else if (progress.elapsedMs >= this.#nextLineMs) {
            this.#nextLineMs += LINE_EVERY_MS;
            console.log(lineOf(progress));
        }
    }

    end() {
        logUpdate.done();
    }
}
