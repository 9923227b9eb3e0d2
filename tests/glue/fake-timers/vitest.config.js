/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Files of tests have the tool's name here. */
export default { test: { include: ['*.vitest.js', '*.vitest.test.js'] } };
