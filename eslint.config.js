/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';

export default defineConfig([
    globalIgnores(['build/', 'types/', 'js-glue/wasm-bytes.js']),
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
        },
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
