/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Builder } from 'selenium-webdriver';
import { DriverService } from 'selenium-webdriver/remote/index.js';
import { openDisplay } from './display.js';
import { LONGEST_WAIT_MS, WebKitPage } from './webkit-page.js';

/** The time for which puppeteer waits by default. */
const LONGEST_CALL_MS = 180_000;

/* Without this WebKitGTK has no SharedArrayBuffer, isolated or not. */
const SHARED_MEMORY = { JSC_useSharedArrayBuffer: '1' };

/**
 * Starts WebKitGTK's own small browser by its driver, with as much of puppeteer's interface as launch.js names.
 *
 * @param {string} driverPath
 * @param {string} xvfb the program that gives it a display
 * @param {import('./launch.js').LaunchOptions} options
 * @returns {Promise<import('./launch.js').Browser>}
 */
export async function launchWebKit(driverPath, xvfb, { timeout, protocolTimeout = LONGEST_CALL_MS }) {
    const display = await openDisplay(xvfb);
    const env = { ...process.env, ...SHARED_MEMORY, DISPLAY: display.name, GDK_BACKEND: 'x11' };
    const service = new DriverService.Builder(driverPath)
        .setHostname('127.0.0.1')
        .setEnvironment(/** @type {any} */ (env))
        .build();
    const end = async () => {
        await service.kill();
        await display.close();
    };
    try {
        const driver = await new Builder()
            .usingServer(await service.start(timeout))
            .withCapabilities({ browserName: 'MiniBrowser' })
            .build();
        const pageLoad = Math.min(LONGEST_WAIT_MS, protocolTimeout);
        await driver.manage().setTimeouts({ script: protocolTimeout, pageLoad });
        return new WebKitBrowser(driver, await driver.getWindowHandle(), end);
    } catch (error) {
        await end();
        throw error;
    }
}

/** Windows of one session. The driver controls one window at a time, so calls wait for each other. */
class WebKitBrowser {
    #driver;
    #firstWindow;
    #end;
    /** @type {Promise<unknown>} */
    #lastCall = Promise.resolve();

    /**
     * @param {import('selenium-webdriver').WebDriver} driver
     * @param {string} firstWindow which stays open, to open others from
     * @param {() => Promise<void>} end
     */
    constructor(driver, firstWindow, end) {
        this.#driver = driver;
        this.#firstWindow = firstWindow;
        this.#end = end;
    }

    /**
     * A window rather than a tab: a tab behind others has no frames.
     *
     * @returns {Promise<import('./launch.js').Page>}
     */
    async newPage() {
        let handle = await this.#openWindow();
        /** @type {import('./webkit-page.js').InWindow} */
        const inWindow = (action) =>
            this.#call(async () => {
                await this.#driver.switchTo().window(handle);
                return action();
            });
        const inOtherWindow = async () => {
            await inWindow(() => this.#driver.close());
            handle = await this.#openWindow();
        };
        // The methods return less than puppeteer's, so TypeScript needs the cast.
        return /** @type {any} */ (new WebKitPage(this.#driver, inWindow, inOtherWindow));
    }

    #openWindow() {
        return this.#call(async () => {
            await this.#driver.switchTo().window(this.#firstWindow);
            await this.#driver.switchTo().newWindow('window');
            return this.#driver.getWindowHandle();
        });
    }

    async version() {
        const capabilities = await this.#driver.getCapabilities();
        return `WebKitGTK/${capabilities.getBrowserVersion()}`;
    }

    async close() {
        try {
            await this.#driver.quit();
        } finally {
            await this.#end();
        }
    }

    /**
     * @template T
     * @param {() => Promise<T>} action
     * @returns {Promise<T>}
     */
    #call(action) {
        const result = this.#lastCall.then(action);
        this.#lastCall = result.catch(() => {});
        return result;
    }
}
