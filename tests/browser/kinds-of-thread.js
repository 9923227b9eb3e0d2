/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Runs on the page: starts a thread of each kind in browsers, and collects what each may do. */

const PROGRAM = new URL('report-support.js', import.meta.url);

/** @param {any} port that a report comes through @returns {Promise<any>} */
function reportFrom(port) {
    return new Promise((resolve, reject) => {
        port.onmessage = (/** @type {MessageEvent} */ { data }) => resolve(data);
        port.onerror = (/** @type {any} */ { message }) => reject(new Error(message ?? 'it did not start'));
    });
}

async function ofFrame() {
    const frame = document.createElement('iframe');
    frame.src = 'blank.html';
    document.body.append(frame);
    await new Promise((resolve) => (frame.onload = resolve));
    const { support } = await /** @type {any} */ (frame.contentWindow).eval("import('/js-glue/index.js')");
    return support();
}

async function ofPage() {
    const { support } = await import('../../js-glue/index.js');
    return support();
}

async function ofServiceWorker() {
    const registration = await navigator.serviceWorker.register(PROGRAM, { type: 'module' });
    try {
        const worker = registration.installing ?? registration.waiting ?? registration.active;
        const report = reportFrom(navigator.serviceWorker);
        navigator.serviceWorker.startMessages();
        worker?.postMessage('report');
        return await report;
    } finally {
        await registration.unregister();
    }
}

async function ofAudioWorklet() {
    const context = new OfflineAudioContext(1, 128, 44_100);
    await context.audioWorklet.addModule(PROGRAM);
    const node = new AudioWorkletNode(context, 'report-support');
    node.connect(context.destination);
    const report = reportFrom(node.port);
    await context.startRendering();
    return report;
}

/** The reports of each kind of thread. */
const KINDS = {
    page: ofPage,
    iframe: ofFrame,
    'dedicated worker': () => reportFrom(new Worker(PROGRAM, { type: 'module' })),
    'nested worker': () => reportFrom(new Worker(`${PROGRAM}?nested`, { type: 'module' })),
    'shared worker': () => reportFrom(new SharedWorker(PROGRAM, { type: 'module' }).port),
    'service worker': ofServiceWorker,
    'audio worklet': ofAudioWorklet,
};

/**
 * A silent thread is started again: Firefox does not start each nested worker (page-threads.js). The first
 * report counts: on a busy machine a thread may be late.
 */
const TRIES = 6;
const WATCHDOG_MS = 5000;

/**
 * @param {string} kind
 * @param {() => Promise<{ mayBlock: boolean, asyncWait: string }>} ask
 */
async function reportOf(kind, ask) {
    const asked = [];
    for (let tries = 0; tries < TRIES; tries += 1) {
        asked.push(ask());
        const silence = new Promise((resolve) => setTimeout(resolve, WATCHDOG_MS));
        const report = await Promise.race([...asked, silence]);
        if (report) {
            return report;
        }
    }
    throw new Error(`no report of the ${kind} within ${TRIES} times ${WATCHDOG_MS} ms`);
}

/** @returns {Promise<Record<string, { mayBlock: boolean, asyncWait: string }>>} */
export async function reportsOfAllKinds() {
    const reports = Object.entries(KINDS).map(async ([kind, ask]) => {
        const { mayBlock, asyncWait } = await reportOf(kind, ask);
        return [kind, { mayBlock, asyncWait }];
    });
    return Object.fromEntries(await Promise.all(reports));
}
