/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
import { test } from 'node:test';
import { startServer } from '../../demo/server.mjs';
import { ONLY_IN_ALL } from '../support/tier.js';
import { inEachBrowser, withPage } from './each-browser.js';

/**
 * @typedef {import('./each-browser.js').Page} Page
 * @typedef {import('../../demo/page/mutex/journal.js').Section} Section
 */

const WATCHDOG_MS = 20_000;

/** The size of the narrowest screens in use. */
const NARROW = { width: 360, height: 740 };

/** True if the driver can emulate prefers-reduced-motion. */
const CAN_WANT_NO_MOTION = { chromium: true, firefox: false, webkit: false };

const VIEWS = ['mutex', 'semaphore', 'rwlock', 'threads', 'channel'];

/**
 * @param {Page} page
 * @returns {string[]} a list of the page's errors from now on
 */
function complaintsOf(page) {
    /** @type {string[]} */
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    return complaints;
}

/**
 * Waits until the element is visible, and returns its text.
 * @param {Page} page
 * @param {string} selector
 * @param {RegExp} [text] a part of its text
 */
async function appears(page, selector, text = /./) {
    const saysIt = (/** @type {string} */ selector, /** @type {string} */ text) => {
        const element = document.querySelector(selector);
        return element?.checkVisibility() && new RegExp(text).test(element.textContent);
    };
    try {
        await page.waitForFunction(saysIt, { timeout: WATCHDOG_MS }, selector, text.source);
    } catch (error) {
        const said = await page.$eval('body', (body) => body.innerText);
        throw new Error(`${selector} does not say ${text}; the page says:\n${said}`, { cause: error });
    }
}

/**
 * @param {Page} page
 * @param {string} selector
 * @returns {Promise<string>}
 */
function textOf(page, selector) {
    return page.$eval(selector, (element) => element.textContent);
}

/**
 * @param {Page} page
 * @param {string} selector of an element
 * @param {string} state a selector that the element matches in that state
 */
function isIn(page, selector, state) {
    return page.$eval(selector, (element, selector) => element.matches(selector), state);
}

/**
 * Waits until the table shows figures of that lock, and workers run sections.
 * @param {Page} page
 * @param {'holdfast' | 'textbook'} lock
 */
async function figuresRun(page, lock) {
    await appears(page, `#sections-${lock}`, /[1-9]/);
    await appears(page, `#median-${lock}`, /m?s/);
    await appears(page, '#lost', /Updates lost: 0\./);
}

/**
 * Waits until the drawing has changed twice and has more than one colour.
 * @param {Page} page
 * @param {string} id of a canvas
 */
async function draws(page, id) {
    const changes = (/** @type {string} */ id) => {
        const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById(id));
        const data = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        const pixels = new Uint32Array(/** @type {Uint8ClampedArray} */ (data).buffer);
        const picture = `${new Set(pixels).size > 1}${pixels.reduce((sum, pixel, at) => (sum * 31 + pixel * at) | 0, 0)}`;
        const seen = (canvas.dataset.seen ?? '').split(' ').filter(Boolean);
        canvas.dataset.seen = [...new Set([...seen, picture])].join(' ');
        return seen.filter((one) => one.startsWith('true')).length >= 2;
    };
    try {
        await page.waitForFunction(changes, { timeout: WATCHDOG_MS, polling: 100 }, id);
    } catch (error) {
        throw new Error(`nothing moves on the canvas ${id}`, { cause: error });
    }
}

/**
 * The answer to exactly this path, which fetch would normalise first.
 * @param {string} origin
 * @param {string} path
 */
async function answerTo(origin, path) {
    const request = get(origin, { path });
    const [response] = await once(request, 'response');
    response.resume();
    return { status: response.statusCode, location: response.headers.location };
}

/**
 * Waits until the text describes the drawing of the mutex.
 * @param {Page} page
 */
async function saysWhatItDraws(page) {
    await appears(page, '#close-up-words', /held the lock [\d.]+\sm?s later\. Workers ran [\d,]+ section/);
    await appears(page, '#frame-rate', /[1-9]\d* frames\/s, longest/);
    for (const [id, words] of /** @type {[string, RegExp][]} */ ([
        ['timeline', /half of the requests wait|has been waiting/],
        ['close-up', /Workers ran/],
        ['histogram', /[1-9][\d,]* answered request/],
    ])) {
        assert.match((await page.$eval(`#${id}`, (canvas) => canvas.ariaLabel)) ?? '', words);
    }
}

/**
 * True if the element is focused and selected. (`:focus` needs an active window, which WebKit's windows are
 * not without a window manager.)
 * @param {Page} page
 * @param {string} selector
 */
function isChosenTab(page, selector) {
    return page.$eval(
        selector,
        (tab) => tab === document.activeElement && tab.matches('[aria-selected=true]'),
    );
}

/**
 * Presses a key with the focus on that element.
 * @param {Page} page
 * @param {string} selector
 * @param {import('puppeteer-core').KeyInput} key
 */
async function press(page, selector, key) {
    await page.focus(selector);
    await page.keyboard.press(key);
}

/**
 * The share of sections that ran at the same time, although a lock should keep them apart.
 * @param {Page} page
 */
function overlapOfSections(page) {
    return page.evaluate(async (watchdogMs) => {
        const { Round } = await import(/** @type {string} */ ('/demo/page/mutex/round.js'));
        const round = new Round({ lock: 'holdfast', workers: 2, sectionUs: 500 });
        const end = performance.now() + watchdogMs;
        while (round.workerSections < 200) {
            await new Promise((resolve) => setTimeout(resolve, 20));
            if (performance.now() > end) {
                throw new Error(`after ${watchdogMs} ms workers have run ${round.workerSections} sections`);
            }
        }
        const sections = round.threads.workers.flatMap((/** @type {any} */ { reader }) =>
            reader.between(-Infinity, Infinity),
        );
        round.stop();
        sections.sort((/** @type {Section} */ one, /** @type {Section} */ other) => one.begin - other.begin);
        const total = sections.reduce(
            (/** @type {number} */ sum, /** @type {Section} */ { begin, end }) => sum + end - begin,
            0,
        );
        const overlap = sections.reduce(
            (/** @type {number} */ sum, /** @type {Section} */ { begin }, /** @type {number} */ index) =>
                sum + Math.max(0, (sections[index - 1]?.end ?? begin) - begin),
            0,
        );
        return overlap / total;
    }, WATCHDOG_MS);
}

/**
 * Kills holders until a death is noticed: a worker may release its locks while it is being killed.
 * @param {Page} page
 */
async function killHolder(page) {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
        await press(page, '#threads-kill', 'Enter');
        await appears(page, `#threads-log :nth-child(${attempt} of [data-told=hired])`);
        if (await page.evaluate(() => document.querySelector('[data-told=noticed]') !== null)) {
            return;
        }
    }
    throw new Error(`nobody notices a death:\n${await textOf(page, '#threads-log')}`);
}

/**
 * Records what the view of threads says, since some states last only a moment.
 * @param {Page} page
 * @returns {Promise<() => Promise<string>>} what it has said since then
 */
async function noteThreadsWords(page) {
    await page.evaluate(() => {
        const words = /** @type {HTMLElement} */ (document.getElementById('threads-words'));
        const note = () => (words.dataset.said = `${words.dataset.said ?? ''}\n${words.textContent}`);
        new MutationObserver(note).observe(words, { childList: true });
    });
    return () => page.$eval('#threads-words', (words) => words.getAttribute('data-said') ?? '');
}

/** @param {Page} page */
async function wantNoMotion(page) {
    const { emulateMediaFeatures } = /** @type {import('puppeteer-core').Page} */ (page);
    await emulateMediaFeatures.call(page, [{ name: 'prefers-reduced-motion', value: 'reduce' }]);
}

/** @param {import('./each-browser.js').Place} place */
function demoPageTests(place) {
    /**
     * Opens the page, and checks that it has no errors.
     * @param {{ isolated?: boolean, view?: string, prepare?: (page: Page) => Promise<void> }} how
     * @param {(page: Page) => Promise<void>} look
     */
    async function onDemoPage({ isolated = true, view = 'mutex', prepare = async () => {} }, look) {
        const server = await startServer({ isolated, isFixed: true });
        try {
            await withPage(place.browser, async (page) => {
                const complaints = complaintsOf(page);
                await prepare(page);
                await page.goto(`${server.page}#${view}`);
                await look(page);
                assert.deepEqual(complaints, []);
            });
        } finally {
            await server.close();
        }
    }

    test('demo page: with either lock, chosen by keyboard, the figures and drawings move, and no update is lost', () =>
        onDemoPage({}, async (page) => {
            await figuresRun(page, 'holdfast');
            await saysWhatItDraws(page);
            assert.equal(await textOf(page, '#median-textbook'), '–');
            await press(page, 'input[value=holdfast]', 'ArrowRight');
            assert.equal(await isIn(page, 'input[value=textbook]', ':checked'), true);
            await figuresRun(page, 'textbook');
            assert.match(await textOf(page, '#median-holdfast'), /s$/, 'the other column stays');
            for (const id of ['timeline', 'close-up', 'histogram', 'frames']) {
                await draws(page, id);
            }
            await press(page, '#pause', 'Enter');
            assert.equal(await textOf(page, '#pause'), 'Start');
        }));

    test(
        'demo page: each slider works by keyboard, announces its value, and restarts the figures',
        ONLY_IN_ALL,
        () =>
            onDemoPage({}, async (page) => {
                await figuresRun(page, 'holdfast');
                for (const [
                    slider,
                    key,
                    text,
                ] of /** @type {[string, import('puppeteer-core').KeyInput, string][]} */ ([
                    ['workers', 'Home', '0'],
                    ['workers', 'ArrowRight', '1'],
                    ['section', 'ArrowRight', '210 µs'],
                    ['busy', 'ArrowRight', '5 of 60 ms'],
                ])) {
                    const selector = `#mutex-controls input[name=${slider}]`;
                    await press(page, selector, key);
                    assert.equal(await textOf(page, `#${slider}-value`), text);
                    assert.equal(await page.$eval(selector, (input) => input.ariaValueText), text);
                }
                await figuresRun(page, 'holdfast');
                assert.match(await textOf(page, '#workers-holdfast'), /^\S+\s%$/);
            }),
    );

    test(
        'demo page: the tabs work by keyboard, and in each tab every thread acquires the lock',
        ONLY_IN_ALL,
        () =>
            onDemoPage({}, async (page) => {
                await press(page, '#tab-mutex', 'ArrowRight');
                for (const view of ['semaphore', 'rwlock']) {
                    assert.equal(await isChosenTab(page, `#tab-${view}`), true);
                    await press(page, `#${view}-controls input[name=turn]`, 'Home');
                    await appears(page, `#${view}-workers-turns`, /[1-9]/);
                    await appears(page, `#${view}-page-turns`, /[1-9]/);
                    await appears(page, `#${view}-broken`, /broken 0 times/);
                    await draws(page, `${view}-scene`);
                    await draws(page, `${view}-strip`);
                    await press(page, `#tab-${view}`, 'ArrowRight');
                }
                assert.equal(await isChosenTab(page, '#tab-threads'), true);
                await press(page, '#tab-threads', 'ArrowRight');
                await appears(page, '#channel-channel-words', /messages wait, 0\.\d\sMB/);
                await press(page, '#tab-channel', 'ArrowRight');
                assert.equal(await isChosenTab(page, '#tab-mutex'), true);
                assert.equal(await isIn(page, '#channel', '[hidden]'), true);
                await press(page, '#tab-mutex', 'End');
                assert.match(page.url(), /#channel$/);
            }),
    );

    test('demo page: threads and locks are shown until the page is paused', ONLY_IN_ALL, () =>
        onDemoPage({ view: 'threads' }, async (page) => {
            for (const thread of ['page', 'seller', 'packer', 'buyer', 'auditor']) {
                await appears(page, `#threads-cards [data-name=${thread}]`, /alive|this page/);
            }
            await appears(page, '#threads-locks [data-name=orders]', /Mutexheld by (seller|packer|page)/);
            await appears(page, '#threads-locks [data-name=prices]', /RwLock(held by buyer|[12] reads?)/);
            await appears(
                page,
                '#threads-cards [data-state=waits]',
                /(blocked|asks) for (orders|stock|prices)/,
            );
            await appears(page, '#threads-text', /, blocked for (Mutex|RwLock) '/);
            await appears(page, '#threads-broken', /broken 0 times/);
            await draws(page, 'threads-lines');
            await press(page, '#pause', 'Enter');
            const text = await textOf(page, '#threads-text');
            for (const button of ['#threads-kill', '#threads-quarrel']) {
                assert.equal(await isIn(page, button, '[aria-disabled=true]'), true);
                await press(page, button, 'Enter');
            }
            assert.equal(await textOf(page, '#threads-text'), text);
        }),
    );

    test(
        'demo page: the death of a holder is detected and repaired, and another thread takes its place',
        ONLY_IN_ALL,
        () =>
            onDemoPage({ view: 'threads' }, async (page) => {
                const said = await noteThreadsWords(page);
                await killHolder(page);
                assert.match(await said(), /Abandoned: \w+ died while it held (orders|stock|prices)\./);
                await appears(page, '[data-told=killed]', /(seller|packer|buyer) is killed/);
                await appears(
                    page,
                    '[data-told=noticed]',
                    /notices [\d.]+\sm?s after the kill that \w+ died/,
                );
                await appears(
                    page,
                    '[data-told=repaired]',
                    /has repaired (orders|stock|prices): \d+ and \d+ are/,
                );
                await appears(page, '[data-told=hired]', /(seller|packer|buyer) \d replaces/);
                await appears(page, '#threads-cards [data-name*=" "][data-state=holds]', /alive.*holds \w+/);
                await appears(page, '#threads-broken', /broken 0 times/);
            }),
    );

    test(
        "demo page: the option 'throw' ends a deadlock; otherwise a deadlock lasts until a thread is killed",
        ONLY_IN_ALL,
        () =>
            onDemoPage({ view: 'threads' }, async (page) => {
                const ring =
                    /Deadlock: (seller|packer) holds (orders|stock) and waits for .*; (seller|packer) holds/;
                await press(page, '#threads-controls input[name=turn]', 'Home');
                await press(page, '#threads-quarrel', 'Enter');
                await appears(page, '[data-told=gaveUp]', new RegExp(`HF_DEADLOCK.*${ring.source}`));
                await appears(page, '#threads-quarrel[aria-disabled=false]');
                await press(page, '#threads-controls input[value=throw]', 'ArrowRight');
                await press(page, '#threads-quarrel', 'Enter');
                await appears(page, '[data-told=deadlock]', ring);
                await appears(page, '#threads-words', /Deadlock: (seller and packer|packer and seller) wait/);
                assert.equal(await isIn(page, '#threads-quarrel', '[aria-disabled=true]'), true);
                await press(page, '#threads-kill', 'Enter');
                await appears(page, '[data-told=repaired]', /has repaired/);
                await appears(page, '[data-told=hired]', /(seller|packer) 2 replaces/);
                await appears(page, '#threads-quarrel[aria-disabled=false]');
            }),
    );

    test(
        'demo page: messages by postMessage pile up, a channel has no backlog, and a killed sender blocks nobody',
        ONLY_IN_ALL,
        () =>
            onDemoPage({ view: 'channel' }, async (page) => {
                await press(page, '#channel-controls input[name=pace]', 'End');
                await appears(page, '#channel-post-age', /[1-9]\.\d\ss old/);
                await appears(page, '#channel-channel-words', /[1-9]\d* messages wait, 0\.\d\sMB/);
                await draws(page, 'channel-post-clock');
                await draws(page, 'channel-channel-clock');
                await press(page, '#channel-kill', 'Enter');
                await appears(page, '#channel-death', /The other one went on [\d.]+\ss later\./);
                assert.equal(await isIn(page, '#channel-kill', '[aria-disabled=true]'), true);
                await press(page, '#channel-stop', 'Enter');
                await appears(page, '#channel-channel-words', /Stopped, and nothing waits\./);
                await appears(page, '#channel-post-words', /Stopped, but [\d,]+ messages wait/);
                await press(page, '#channel-stop', 'Enter');
                await appears(page, '#channel-stop', /Stop the senders/);
                assert.equal(await isIn(page, '#channel-kill', '[aria-disabled=false]'), true);
            }),
    );

    test('demo page: each view has an address, and fits a narrow screen', ONLY_IN_ALL, () =>
        onDemoPage({ prepare: (page) => page.setViewport(NARROW) }, async (page) => {
            for (const view of VIEWS) {
                await page.evaluate((view) => (location.hash = view), view);
                await appears(page, `#${view} .lead`);
                const excess = await page.$eval('html', (html) => html.scrollWidth - html.clientWidth);
                assert.equal(excess, 0, 'nothing is wider than the screen');
            }
        }),
    );

    test(
        'demo page: the clocks of its threads agree, so successive sections do not overlap in the drawing',
        ONLY_IN_ALL,
        () =>
            onDemoPage({}, async (page) => {
                await press(page, '#pause', 'Enter');
                const overlap = await overlapOfSections(page);
                // Browsers' clocks advance in steps of up to 0.02 ms, and sections here last 0.5 ms.
                assert.ok(overlap < 0.06, `${overlap} of the time two of them ran at once`);
            }),
    );

    test('demo page: without the isolation headers the page names the missing ones', ONLY_IN_ALL, () =>
        onDemoPage({ isolated: false }, async (page) => {
            await appears(page, '#notice');
            const notice = await textOf(page, '#notice');
            assert.match(notice, /Cross-Origin-Opener-Policy: same-origin/);
            assert.match(notice, /Cross-Origin-Embedder-Policy: require-corp/);
            for (const control of ['#pause', '#tab-mutex', 'input[value=holdfast]']) {
                assert.equal(await isIn(page, control, ':disabled'), true);
            }
        }),
    );

    if (CAN_WANT_NO_MOTION[place.name]) {
        test('demo page: with prefers-reduced-motion the page starts paused', ONLY_IN_ALL, () =>
            onDemoPage({ prepare: wantNoMotion }, async (page) => {
                assert.equal(await textOf(page, '#pause'), 'Start');
                assert.equal(await textOf(page, '#median-holdfast'), '–');
                await press(page, '#pause', 'Enter');
                await figuresRun(page, 'holdfast');
            }),
        );
    } else {
        test('demo page: this driver cannot emulate prefers-reduced-motion', () =>
            assert.rejects(withPage(place.browser, wantNoMotion), /does not support CDP|reading 'call'/));
    }
}

inEachBrowser(demoPageTests, { quickly: ['chromium'] });

test('demo server: only the folders that the page needs are served', async () => {
    const server = await startServer();
    try {
        for (const path of [
            '/package.json',
            '/demo/../package.json',
            '/demo/..%2fpackage.json',
            '/.git/HEAD',
        ]) {
            assert.equal((await answerTo(server.origin, path)).status, 404, path);
        }
        const { headers } = await fetch(`${server.origin}/js-glue/index.js`);
        assert.match(headers.get('content-type') ?? '', /javascript/);
        assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
        assert.equal(headers.get('cross-origin-embedder-policy'), 'require-corp');
    } finally {
        await server.close();
    }
});

test('demo server: addresses that almost match the page redirect to it', async () => {
    const server = await startServer();
    try {
        for (const [path, location] of /** @type {[string, string][]} */ ([
            ['/', '/demo/page/'],
            ['/?x=1', '/demo/page/?x=1'],
            ['/demo/page', '/demo/page/'],
            ['/demo/page?x=1', '/demo/page/?x=1'],
        ])) {
            assert.deepEqual(await answerTo(server.origin, path), { status: 302, location }, path);
        }
        for (const path of ['/demo/page/', '/demo/page/?x=1']) {
            assert.equal((await answerTo(server.origin, path)).status, 200, path);
        }
        assert.equal((await answerTo(server.origin, '//demo/page')).status, 404);
    } finally {
        await server.close();
    }
});
