/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** A wait by waitAsync does not keep a thread of Node's alive; what this returns does, until it is cleared. */
export function keepAlive() {
    return setInterval(() => {}, 1000);
}
