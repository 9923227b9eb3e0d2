/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Makes the engine refuse to block in this thread, as in a Firefox shared worker. */
Atomics.wait = () => {
    throw new TypeError('Atomics.wait cannot be called in this context');
};
