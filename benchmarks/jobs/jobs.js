/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { execute } from './execute.js';
import { giveLock, takeLock, giveWord, takeWord } from './handoff.js';
import { hold } from './hold.js';
import { manyLocks } from './many-locks.js';
import { memory } from './memory.js';
import { sections } from './sections.js';
import { uncontended } from './uncontended.js';

/** What a worker can be told to do. */
export const jobs = {
    execute,
    giveLock,
    takeLock,
    giveWord,
    takeWord,
    hold,
    manyLocks,
    memory,
    sections,
    uncontended,
};

/** @typedef {keyof typeof jobs} Job */

/**
 * @template {Job} J
 * @typedef {Parameters<(typeof jobs)[J]>[0]['options']} OptionsOf
 */

/**
 * @template {Job} J
 * @typedef {Awaited<ReturnType<(typeof jobs)[J]>>} ResultOf
 */
