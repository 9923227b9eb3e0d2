/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/* No sandbox, since tests run as root in containers; the others keep the browser from the network. */
const ARGS = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
];

/** The system's Chromium, headless; HOLDFAST_CHROMIUM names another one. */
export function launchChromium() {
    const executablePath = process.env.HOLDFAST_CHROMIUM ?? PATHS.find((path) => existsSync(path));
    if (executablePath === undefined) {
        throw new Error(`No Chromium at ${PATHS.join(', ')}. Install one, or set HOLDFAST_CHROMIUM.`);
    }
    return chromium.launch({ executablePath, args: ARGS });
}
