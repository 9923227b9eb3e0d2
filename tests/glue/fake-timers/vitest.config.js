/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Test files here have the tool's name in theirs. */
export default { test: { include: ['*.vitest.js', '*.vitest.test.js'] } };
