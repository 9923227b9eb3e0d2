/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';

/** Globals that the glue takes at import, so that a program's tests may fake them (js-glue/thread/environment.js). */
const FROM_ENVIRONMENT = [
    'Atomics',
    'Date',
    'MessageChannel',
    'clearImmediate',
    'clearInterval',
    'clearTimeout',
    'performance',
    'process',
    'queueMicrotask',
    'requestAnimationFrame',
    'requestIdleCallback',
    'scheduler',
    'setImmediate',
    'setInterval',
    'setTimeout',
];

export default defineConfig([
    globalIgnores([
        'build/',
        'dist/',
        'types/',
        'js-glue/memory/*-bytes.js',
        'emscripten/holdfast-library.js',
    ]),
    js.configs.recommended,
    {
        languageOptions: { globals: globals['shared-node-browser'] },
        rules: {
            curly: 'error',
            eqeqeq: 'error',
            'no-var': 'error',
            'no-implicit-coercion': 'error',
            'object-shorthand': 'error',
            'prefer-const': 'error',
            'prefer-template': 'error',
            // A method may have parameters for overriding methods alone.
            'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
        },
    },
    {
        files: ['js-glue/**'],
        languageOptions: { globals: { ...globals.browser, ...globals.worker } },
        rules: {
            'no-console': 'error',
            // A name is the same wherever it is imported.
            'no-restricted-syntax': [
                'error',
                { selector: 'ExportDefaultDeclaration', message: 'The glue has named exports only.' },
            ],
            'no-restricted-globals': [
                'error',
                {
                    globals: FROM_ENVIRONMENT.map((name) => ({
                        name,
                        message: 'Take it from environment.js.',
                    })),
                    checkGlobalObject: true,
                },
            ],
        },
    },
    {
        // The timeline that entries are added to is the caller's. web-locks.js has nothing of the package but its public API.
        files: [
            'js-glue/web-locks.js',
            'js-glue/thread/environment.js',
            'js-glue/trace.js',
            'js-glue/trace/lock-timeline.js',
        ],
        rules: { 'no-restricted-globals': 'off' },
    },
    {
        files: [
            'scripts/**',
            'browsers/**',
            'tests/**',
            'benchmarks/**',
            'demo/**',
            'models/**',
            'docs/**',
            '*.js',
        ],
        languageOptions: { globals: { ...globals.node, ...globals.browser, ...globals.worker } },
    },
]);
