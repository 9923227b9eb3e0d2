/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** True in `npm test`, which skips some tests of `npm run test:all`. */
export const isQuick = process.env['HOLDFAST_QUICK'] === '1';

/** Options of a test that only `npm run test:all` runs. */
export const ONLY_IN_ALL = { skip: isQuick && 'npm run test:all' };
