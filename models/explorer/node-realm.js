/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';

/* A realm in Node for the package. Its microtasks are done when code that was run in it returns. */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ENTRY = 'models/explorer/thread.js';

const context = createContext({}, { microtaskMode: 'afterEvaluate' });
const step = new Script('step()');

/** @type {import('./glue-code.js').Realm} */
export const realm = {
    bundle(from = ROOT) {
        const { outputFiles } = buildSync({
            entryPoints: [join(from, ENTRY)],
            ...{ bundle: true, write: false, format: 'iife', globalName: 'thread', target: 'es2022' },
        });
        return outputFiles[0]?.text ?? '';
    },
    evaluate: (code) => new Script(code, { filename: 'glue.js' }).runInContext(context),
    runToEnd(task) {
        context.step = task;
        step.runInContext(context);
    },
};
