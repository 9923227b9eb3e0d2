/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { serve } from '../browsers/serve.js';

const START_PAGE = '/demo/page/';

const FOLDERS = ['demo', 'js-glue', 'benchmarks/rivals'];

/**
 * Serves the demo page until it is closed.
 * @param {object} [options] @param {number} [options.port] 0, the default, for a free one
 * @param {boolean} [options.isolated] whether the isolation headers are sent; the default
 * @param {boolean} [options.isFixed] whether no file changes while it serves
 * @throws {NodeJS.ErrnoException} if the port is in use
 * @returns {Promise<{ origin: string, page: string, close: () => Promise<void> }>}
 */
export async function startServer(options = {}) {
    const server = await serve({ ...options, folders: FOLDERS, startPage: START_PAGE });
    return { ...server, page: server.origin + START_PAGE };
}
