/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { awaitAmong, holdAsleep } from './event-loops.js';
import { giveLock, takeLock } from './handoff.js';
import { loops } from './loops.js';
import { memory } from './memory.js';
import * as messages from './messages.js';
import { alternate, alternateAsync, readWrite, sections } from './sections.js';

/** The jobs of workers. */
export const jobs = {
    ...{ alternate, alternateAsync, readWrite, sections },
    ...{ giveLock, takeLock },
    ...{ awaitAmong, holdAsleep, loops },
    memory,
    ...messages,
};

/** @typedef {keyof typeof jobs} Job */

/**
 * The task of a job. `thread`: its number among the threads that count.
 * @template Options
 * @typedef {{ arena: import('../arena.js').Arena, thread: number, options: Options & { contestant: string } }} TaskOf
 */

/** @template {Job} J @typedef {Parameters<(typeof jobs)[J]>[0]['options']} OptionsOf */

/** @template {Job} J @typedef {Awaited<ReturnType<(typeof jobs)[J]>>} ResultOf */
