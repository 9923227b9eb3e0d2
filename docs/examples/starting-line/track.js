/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Counts of the track, by index. */
export const STARTED = 0;
export const ARRIVED = 1;
export const IN_RELAY = 2;
export const COUNTS = 3;
