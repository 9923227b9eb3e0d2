/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { askAndCount } from '../support/retaking.js';

/* Requests an object again and again in a given way, and posts how many rounds of the page each request
 * took. */

self.onmessage = async ({ data }) => postMessage(await askAndCount(data));
