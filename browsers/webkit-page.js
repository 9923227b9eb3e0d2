/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { EventEmitter } from 'node:events';
import { error as errors, Key } from 'selenium-webdriver';
import { callInPage, listenInPage, waitInPage, withElementInPage } from './in-page.js';

/** The time for which puppeteer waits by default. */
export const LONGEST_WAIT_MS = 30_000;

/**
 * @typedef {string | ((...args: any[]) => unknown)} Script
 * @typedef {<T>(action: () => Promise<T>) => Promise<T>} InWindow performs the action while the driver controls the page's window
 */

/** @param {Script} script @returns {string} a function */
function functionOf(script) {
    return typeof script === 'string' ? `() => (${script})` : String(script);
}

/** @param {string} key by the name that puppeteer and pages use */
function codeOf(key) {
    const name = key.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
    return /** @type {Record<string, any>} */ (Key)[name] ?? key;
}

/**
 * A window of WebKit with as much of puppeteer's Page as launch.js names. WebDriver has no events: the page's messages are read
 * when a call ends, and not before its document is loaded.
 */
export class WebKitPage {
    #driver;
    #inWindow;
    #inOtherWindow;
    #events = new EventEmitter();
    #address = 'about:blank';
    /** @type {{ width: number, height: number } | undefined} */
    #size;

    keyboard = {
        /** @param {string} key */
        press: async (key) => {
            await this.#inWindow(() => this.#driver.actions().sendKeys(codeOf(key)).perform());
            await this.#listen();
        },
    };

    /**
     * @param {import('selenium-webdriver').WebDriver} driver
     * @param {InWindow} inWindow
     * @param {() => Promise<void>} inOtherWindow closes the page's window, and opens another in its place
     */
    constructor(driver, inWindow, inOtherWindow) {
        this.#driver = driver;
        this.#inWindow = inWindow;
        this.#inOtherWindow = inOtherWindow;
    }

    /** @param {string} address */
    async goto(address) {
        await this.#load(address);
        await this.#call(listenInPage, []);
        // The driver itself does not wait for the modules of the page.
        await this.waitForFunction(() => document.readyState === 'complete');
    }

    /**
     * On a busy machine a load sometimes never begins, and every later call in that window waits for it. So the load is tried
     * once more in another window.
     *
     * @param {string} address
     */
    async #load(address) {
        const load = () => this.#driver.get(address);
        try {
            await this.#inWindow(load);
        } catch (error) {
            if (!(error instanceof errors.TimeoutError)) {
                throw error;
            }
            await this.#inOtherWindow();
            await this.#resize();
            await this.#inWindow(load);
        }
    }

    /** The page's address at the end of the last call. */
    url() {
        return this.#address;
    }

    /**
     * @param {Script} script
     * @param {...unknown} args
     * @returns {Promise<any>}
     */
    evaluate(script, ...args) {
        return this.#call(functionOf(script), args);
    }

    /**
     * @param {Script} condition
     * @param {{ timeout?: number }} [options]
     * @param {...unknown} args
     */
    async waitForFunction(condition, { timeout = LONGEST_WAIT_MS } = {}, ...args) {
        await this.#call(waitInPage(functionOf(condition)), [timeout, ...args]);
    }

    /**
     * @param {string} selector
     * @param {(element: any, ...args: any[]) => unknown} use
     * @param {...unknown} args
     * @returns {Promise<any>}
     */
    $eval(selector, use, ...args) {
        return this.#call(withElementInPage(String(use)), [selector, ...args]);
    }

    /** @param {string} selector */
    async focus(selector) {
        await this.$eval(selector, (element) => element.focus());
    }

    /**
     * @param {'console' | 'pageerror'} event
     * @param {(said: any) => void} listener
     */
    on(event, listener) {
        this.#events.on(event, listener);
        return this;
    }

    async close() {
        await this.#inWindow(() => this.#driver.close());
    }

    /** Reads the page's messages since the last call. */
    async #listen() {
        await this.#call('() => {}', []);
    }

    /** @param {{ width: number, height: number }} size */
    async setViewport({ width, height }) {
        this.#size = { width, height };
        await this.#resize();
    }

    async #resize() {
        const size = this.#size;
        if (size !== undefined) {
            await this.#inWindow(() => this.#driver.manage().window().setRect(size));
        }
    }

    /**
     * @param {string} called a function
     * @param {unknown[]} args
     */
    async #call(called, args) {
        // The arguments as an object, since JSON turns an undefined element of an array into null.
        const given = JSON.stringify({ ...args, length: args.length });
        const answer = await this.#inWindow(() => this.#driver.executeScript(callInPage(called), given));
        const { value, error, address, said } = JSON.parse(/** @type {string} */ (answer));
        this.#address = address;
        for (const { event, type, text } of said) {
            this.#events.emit(
                event,
                event === 'console' ? { type: () => type, text: () => text } : new Error(text),
            );
        }
        if (error) {
            throw new Error(error.message, { cause: error.stack });
        }
        return value;
    }
}
