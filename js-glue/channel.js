/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

export { Answerer, CallRequest } from './channel/answerer.js';
export { Caller } from './channel/caller.js';
export { Channel } from './channel/channel.js';

/** @typedef {import('./channel/message.js').Message} Message */
