/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** Thrown if a lock breaks a rule. Any other error is a defect of the models. */
export class Violation extends Error {
    name = 'Violation';
}
