/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* A program as a file that a person can run. */

/**
 * @param {import('./referee.js').Code} code
 * @param {string[]} heading lines of a comment
 */
export function print(code, heading) {
    const objects = code.objects.map((spec) => `        ${JSON.stringify(spec)},`);
    const threads = code.threads.map((text) => `        ${text.replaceAll('\n', '\n        ')},`);
    const victims = (code.victims ?? []).map(
        ({ code: text, ...victim }) =>
            `        {\n            ...${JSON.stringify(victim)},\n            code: ${text.replaceAll('\n', '\n            ')},\n        },`,
    );
    return [
        ...heading.map((line) => `// ${line}`),
        "import { runAlone } from './tests/fuzz/run-alone.js';",
        '',
        'await runAlone({',
        '    objects: [',
        ...objects,
        '    ],',
        '    threads: [',
        ...threads,
        '    ],',
        ...(victims.length > 0 ? ['    victims: [', ...victims, '    ],'] : []),
        ...(code.contexts ? ['    contexts: true,'] : []),
        '});',
    ].join('\n');
}
