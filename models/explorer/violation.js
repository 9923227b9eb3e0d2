/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** What a lock may never do. Any other error is one of the models. */
export class Violation extends Error {
    name = 'Violation';
}
