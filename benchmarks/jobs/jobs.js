/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { alternate, alternateAsync } from './alternate.js';
import { giveLock, takeLock } from './handoff.js';
import { loops } from './loops.js';
import { memory } from './memory.js';
import { answerMessages, askMessages, callMessages, receiveMessages, sendMessages } from './messages.js';
import { readWrite, sections } from './sections.js';

/** The jobs of workers. */
export const jobs = {
    ...{ alternate, alternateAsync },
    ...{ giveLock, takeLock },
    loops,
    memory,
    ...{ answerMessages, askMessages, callMessages, receiveMessages, sendMessages },
    ...{ readWrite, sections },
};

/** @typedef {keyof typeof jobs} Job */

/** @template {Job} J @typedef {Parameters<(typeof jobs)[J]>[0]['options']} OptionsOf */

/** @template {Job} J @typedef {Awaited<ReturnType<(typeof jobs)[J]>>} ResultOf */
