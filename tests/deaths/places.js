/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { fileURLToPath } from 'node:url';
import { BROWSER_NAMES, launchBrowser } from '../../browsers/launch.js';
import { serve } from '../../browsers/serve.js';
import { spawnTied } from '../../scripts/spawn-tied.mjs';
import { callOn, withPage } from '../browser/each-browser.js';
import { fetchRuntime } from '../runtimes/fetch.js';
import { RUNTIMES } from '../runtimes/runtimes.js';

/* Places in which threads die and are probed: the runtimes of tests/runtimes, and browsers. */

/**
 * @typedef {{ names: string[], deaths: number, probes: number, seed: number }} Job names: of ways to die
 * @typedef {object} Result
 * @property {{ name: string, times: number[], fault?: string }[]} deaths milliseconds
 * @property {{ state: string, looks: number, unknown: number, dead: number }[]} probes
 *
 * @typedef {object} Place
 * @property {string} name
 * @property {string} word
 * @property {() => Promise<string>} version
 * @property {(job: Job, tell: (line: string) => void) => Promise<Result>} play
 */

const PROGRAM = fileURLToPath(new URL('in-runtime.js', import.meta.url));
const [major] = process.versions.node.split('.');
/** Longer than any job; each wait in a job has a watchdog. */
const LONGEST_MS = 3_600_000;
/** While threads are probed, their process is suspended now and then. */
const SUSPENDED_MS = 1100;
const NOT_SUSPENDED_MS = 2500;

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {() => void} that ends it
 */
function suspendNowAndThen(child) {
    const timer = setInterval(() => {
        child.kill('SIGSTOP');
        setTimeout(() => child.kill('SIGCONT'), SUSPENDED_MS);
    }, SUSPENDED_MS + NOT_SUSPENDED_MS);
    return () => clearInterval(timer);
}

/** @param {import('../runtimes/runtimes.js').Runtime} runtime @returns {Place} */
function placeOfRuntime(runtime) {
    const { name, word, version, program } = runtime;
    const isThis = word === `node-${major}`;
    return {
        name,
        word,
        version: async () => (isThis ? process.versions.node : version),
        async play(job, tell) {
            const binary = isThis ? process.execPath : fetchRuntime(runtime);
            const { child, ended } = spawnTied(binary, [...program, PROGRAM, JSON.stringify(job)], {
                stdio: ['ignore', 'pipe', 'pipe'],
            });
            let output = '';
            let words = '';
            child.stdout?.on('data', (data) => (output += data));
            child.stderr?.on('data', (data) => {
                words = `${words}${data}`.slice(-4000);
                tell(String(data).trimEnd());
            });
            const end = job.deaths === 0 ? suspendNowAndThen(child) : () => {};
            const [code] = await ended.finally(end);
            if (code !== 0) {
                throw new Error(`${name} ended with ${code}\n${words}`);
            }
            return JSON.parse(output.trim().split('\n').at(-1) ?? '');
        },
    };
}

/** @param {import('../../browsers/launch.js').BrowserName} name @returns {Place} */
function placeOfBrowser(name) {
    /** @template T @param {(browser: import('../../browsers/launch.js').Browser) => Promise<T>} use */
    const use = async (use) => {
        const browser = await launchBrowser(name, { protocolTimeout: LONGEST_MS });
        try {
            return await use(browser);
        } finally {
            await browser.close();
        }
    };
    return {
        name: `${name[0]?.toUpperCase()}${name.slice(1)}`.replace('kit', 'Kit'),
        word: name,
        version: () => use(async (browser) => (await browser.version()).replace(/^.*\//, '')),
        async play(job, tell) {
            const server = await serve({
                isFixed: true,
                folders: ['js-glue', 'models', 'tests'],
                programs: ['tests/stress/browser-thread.js'],
            });
            try {
                return await use((browser) =>
                    withPage(browser, async (page) => {
                        page.on('console', (message) => tell(message.text()));
                        await page.goto(`${server.origin}/tests/browser/blank.html`);
                        return callOn(page, '/tests/deaths/page.js', 'playOnPage', job);
                    }),
                );
            } finally {
                await server.close();
            }
        },
    };
}

export const PLACES = [...RUNTIMES.map(placeOfRuntime), ...BROWSER_NAMES.map(placeOfBrowser)];
