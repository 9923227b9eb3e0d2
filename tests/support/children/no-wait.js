/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A thread in which the engine refuses to block, as in a Firefox shared worker. */
Atomics.wait = () => {
    throw new TypeError('Atomics.wait cannot be called in this context');
};
