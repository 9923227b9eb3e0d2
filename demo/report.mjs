/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import Table from 'cli-table3';
import { titleOf } from './contestants.js';

/** @typedef {import('./contest.mjs').Result} Result */

const integer = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** @param {number} ms */
function milliseconds(ms) {
    return `${decimal.format(ms)} ms`;
}

/**
 * The share of the time in which a worker held the lock. Sections a second would compare nothing here: the
 * lock that favours the worker with the short sections would run more of them.
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

/**
 * @param {Result[]} results of runs with the same workers
 * @returns {string} one column a run
 */
export function tableOf(results) {
    /** @type {(title: string, cell: (result: Result) => string) => string[]} */
    const row = (title, cell) => [title, ...results.map(cell)];
    const head = row('', ({ name }) => titleOf(name));
    /** @type {import('cli-table3').HorizontalAlignment[]} */
    const colAligns = ['left', ...results.map(() => /** @type {const} */ ('right'))];
    const table = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
    results[0]?.workers.forEach(({ sectionUs }, index) => {
        const title = `sections of worker ${index + 1} (${decimal.format(sectionUs)} µs each)`;
        table.push(row(title, ({ workers }) => integer.format(workers[index]?.sections ?? 0)));
    });
    table.push(
        row('share of the time that workers held it', shareHeld),
        row('sections of the event-loop thread', ({ loopSections }) => integer.format(loopSections)),
        row('its requests unanswered at the end', unansweredOf),
        row('its wait: median', ({ requests }) => milliseconds(requests.medianMs)),
        row('its wait: 99th percentile', ({ requests }) => milliseconds(requests.p99Ms)),
        row('its wait: worst', ({ requests }) => milliseconds(requests.worstMs)),
        row('its beat: longest block', ({ longestBlockMs }) => milliseconds(longestBlockMs)),
        row('updates lost', lostOf),
    );
    return table.toString();
}

/** @param {Result} result */
function serviceOf({ name, requests }) {
    const waited = `waited ${milliseconds(requests.medianMs)} (median), ${milliseconds(requests.worstMs)} at worst`;
    return `with ${titleOf(name)} it ${waited}, and ${unansweredOf({ requests })} requests had no answer at the end`;
}

/**
 * What is seen, in one sentence that says nothing but the numbers of this run.
 * @param {Result[]} results
 */
export function sentenceOf(results) {
    const lost = results.reduce((sum, result) => sum + result.lost, 0);
    const updates = lost === 0 ? 'no update was lost' : `${lost} UPDATES WERE LOST`;
    return `The event-loop thread asked for the lock: ${results.map(serviceOf).join('; ')}; ${updates}.`;
}
