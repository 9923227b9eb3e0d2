/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { alternate, alternateAsync } from './alternate.js';
import { execute, executeMany } from './execute.js';
import { awaitLock, awaitWord, giveLock, giveWord, takeLock, takeWord } from './handoff.js';
import { hold } from './hold.js';
import { manyLocks } from './many-locks.js';
import { memory } from './memory.js';
import { neighbours } from './neighbours.js';
import { permits } from './permits.js';
import { readWrite } from './read-write.js';
import { rounds } from './rounds.js';
import { sections } from './sections.js';
import { uncontended } from './uncontended.js';

/** The jobs of workers. */
export const jobs = {
    alternate,
    alternateAsync,
    execute,
    executeMany,
    awaitLock,
    awaitWord,
    giveLock,
    giveWord,
    takeLock,
    takeWord,
    hold,
    manyLocks,
    memory,
    neighbours,
    permits,
    readWrite,
    rounds,
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
