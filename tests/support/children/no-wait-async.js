/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A browser without Atomics.waitAsync. */
Reflect.deleteProperty(Atomics, 'waitAsync');
