/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Makes this thread look like one of a browser without Atomics.waitAsync. */
Reflect.deleteProperty(Atomics, 'waitAsync');
