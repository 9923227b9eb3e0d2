/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The project's rules that a program can check; CONTRIBUTING.md has the others. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../scripts/run-quietly.mjs';
import { importsOf } from '../../scripts/imports.mjs';
import { isQuick } from '../support/tier.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** @param {string[]} commandLine */
function outputOf(commandLine) {
    const { ok, output } = runQuietly(commandLine, { cwd: ROOT });
    assert.ok(ok, `${commandLine.slice(0, 4).join(' ')} … failed:\n${output}`);
    return output;
}

/**
 * @param {string} packageName
 * @param {string} script
 * @param {string[]} args
 */
function runNodeTool(packageName, script, args) {
    outputOf([process.execPath, join(ROOT, 'node_modules', packageName, script), ...args]);
}

/**
 * The files of the project: those in git, and new ones that git does not ignore.
 * @param {...string} patterns
 */
function projectFiles(...patterns) {
    const files = listedFiles(...patterns);
    assert.notEqual(files.length, 0, `git lists no file for ${patterns.join(' ')}`);
    return files;
}

/** Lists the files of projectFiles, and allows an empty list. @param {...string} patterns */
function listedFiles(...patterns) {
    const list = ['git', 'ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
    return outputOf(list)
        .split('\n')
        .filter((file) => file !== '' && existsSync(join(ROOT, file)));
}

/** @param {string} file */
function textOf(file) {
    return readFileSync(join(ROOT, file), 'utf8');
}

/** @param {string[]} complaints */
function assertNone(complaints) {
    assert.equal(complaints.length, 0, `\n${complaints.join('\n')}`);
}

/** Caches the tool's findings for unchanged files, below build/. @param {string} tool */
function cachedIn(tool) {
    return ['--cache', '--cache-strategy=content', `--cache-location=build/house/${tool}`];
}

/* In the quick tier the tools look at the sources that ship, and some at the scripts. */

test('house: eslint finds nothing', () => {
    const lookedAt = isQuick ? ['js-glue', 'scripts'] : ['.'];
    runNodeTool('eslint', 'bin/eslint.js', ['--max-warnings=0', ...cachedIn('eslint'), ...lookedAt]);
});

test('house: prettier would change nothing', () => {
    runNodeTool('prettier', 'bin/prettier.cjs', [
        ...['--check', '--log-level=warn', ...cachedIn('prettier'), isQuick ? 'js-glue' : '.'],
    ]);
});

test('house: the types of JavaScript are sound', () => {
    runNodeTool('typescript', 'bin/tsc', [
        '-p',
        isQuick ? 'tests/tools/tsconfig.quick.json' : 'tsconfig.json',
    ]);
});

test('house: clang-format would change nothing', () => {
    outputOf(['clang-format', '--dry-run', '--Werror', ...projectFiles('*.[ch]', '*.[ch]pp')]);
});

test('house: every source file says its licence in its first two lines', () => {
    const sources = projectFiles(
        '*.[ch]',
        '*.[ch]pp',
        '*.js',
        '*.mjs',
        '*.html',
        '*.css',
        '*.py',
        '*.cmake',
        '*CMakeLists.txt',
        '.ci/run',
    );
    assertNone(sources.filter((file) => !hasLicenceLines(textOf(file))));
});

/** @param {string} text */
function hasLicenceLines(text) {
    const lines = text.split('\n');
    // These two must come first in their files, since other programs require that.
    const start = /^(#!|<!doctype)/i.test(lines[0] ?? '') ? 1 : 0;
    return (
        /SPDX-License-Identifier: MIT$/.test(lines[start] ?? '') &&
        /Copyright \(c\) \d{4} the holdfast authors( \*\/| -->)?$/.test(lines[start + 1] ?? '')
    );
}

/* The folders from which a folder's JavaScript may import, besides itself. Scripts run before packages are
 * installed, and the glue runs on users' pages: neither may import packages. */
/** @type {Record<string, { folders: string[], packages: boolean }>} */
const MAY_IMPORT = {
    'js-glue': { folders: [], packages: false },
    scripts: { folders: ['js-glue'], packages: false },
    // setup.mjs starts this script after packages are installed.
    'scripts/build-library.mjs': { folders: [], packages: true },
    // The README's facts include the size of a page.
    'scripts/readme-facts.mjs': { folders: ['js-glue', 'browsers'], packages: false },
    'scripts/build-dist.mjs': { folders: [], packages: true },
    // This script starts the browsers and bundles the tests' programs, once packages are installed.
    'scripts/test.mjs': { folders: ['browsers', 'tests'], packages: false },
    browsers: { folders: ['scripts'], packages: true },
    models: { folders: ['js-glue', 'scripts', 'browsers'], packages: true },
    // The benchmarks measure the built package.
    benchmarks: { folders: ['scripts', 'browsers'], packages: true },
    // This scenario measures an example of the documents.
    'benchmarks/scenarios/sqlite.js': {
        folders: ['scripts', 'browsers', 'docs', 'benchmarks'],
        packages: true,
    },
    docs: { folders: ['scripts', 'browsers'], packages: true },
    demo: { folders: ['js-glue', 'scripts', 'browsers', 'benchmarks'], packages: true },
    tests: {
        folders: ['js-glue', 'scripts', 'browsers', 'demo', 'docs', 'benchmarks', 'models'],
        packages: true,
    },
};

test('house: files import only from folders that the design allows', () => {
    const sources = projectFiles('*.js', '*.mjs').filter((file) => file.includes('/'));
    assertNone(sources.flatMap((file) => wrongImports(file)));
});

/** @param {string} file */
function wrongImports(file) {
    const [folder = ''] = file.split('/');
    const allowed = MAY_IMPORT[file] ?? MAY_IMPORT[folder];
    if (!allowed) {
        return [`${file}: tests/tools/house.test.js does not know what ${folder}/ may import`];
    }
    return importsOf(textOf(file))
        .filter((specifier) => !mayImport(file, folder, allowed, specifier))
        .map((specifier) => `${file} imports ${specifier}`);
}

/**
 * @param {string} file
 * @param {string} folder
 * @param {{ folders: string[], packages: boolean }} allowed
 * @param {string} specifier
 */
function mayImport(file, folder, allowed, specifier) {
    if (specifier.startsWith('.')) {
        const [target = ''] = join(file, '..', specifier).split('/');
        return [folder, ...allowed.folders].includes(target);
    }
    return allowed.packages || (specifier.startsWith('node:') && folder !== 'js-glue');
}

test('house: the C library includes only its own headers and those of the C standard library', () => {
    assertNone(projectFiles('c-src/**').filter(isCSource).flatMap(upwardIncludes));
});

/** @param {string} file */
function isCSource(file) {
    return /\.[ch](pp)?$/.test(file);
}

/** @param {string} file */
function upwardIncludes(file) {
    // A published header must not need an unpublished one.
    const isPublic = file.startsWith('c-src/include/');
    // Compilers search only c-src/include, so code in other folders has the path to c-src.
    const folder = dirname(file);
    const folders = isPublic ? ['c-src/include'] : ['c-src/include', folder];
    return [...textOf(file).matchAll(/^\s*#\s*include "([^"]+)"/gm)]
        .map((match) => match[1] ?? '')
        .filter((name) => {
            const isUpward = name.includes('..') && (isPublic || !join(folder, name).startsWith('c-src/'));
            return isUpward || !folders.some((folder) => existsSync(join(ROOT, folder, name)));
        })
        .map((name) => `${file} includes "${name}"`);
}

/* The layers of c-src, from the lowest up. A file includes only files of lower layers, so there are no
 * cycles. */
const C_FLOORS = [
    ['futex'],
    ['futex_linux', 'futex_wasm', 'clock', 'waiting', 'agents'],
    ['identity', 'records', 'inside', 'space'],
    ['gate_word'],
    ['gate_async'],
    ['gate'],
    ['gate_block', 'holds', 'owned'],
    ['semaphore_parts', 'channel'],
    ['mutex', 'rwlock', 'semaphore', 'event', 'condition', 'latch', 'barrier', 'once', 'channel_block'],
    ['owner_probe'],
    ['recursive_mutex', 'threads', 'linkable'],
    ['async', 'suspending', 'exports', 'holds_exports', 'recursive_exports', 'channel_exports'],
];

test('house: each file of c-src includes only files of lower layers', () => {
    // Two include the sources.
    const files = projectFiles(':(glob)c-src/*.[ch]').filter((file) => !/\/(holdfast|layout)\.c$/.test(file));
    assertNone(files.flatMap(includesFromAbove));
});

/** @param {string} file of c-src, or such a name */
const floorOf = (file) => C_FLOORS.findIndex((floor) => floor.includes(parse(file).name));

/** @param {string} file */
function includesFromAbove(file) {
    if (floorOf(file) < 0) {
        return [`${file}: tests/tools/house.test.js does not know its floor`];
    }
    return [...textOf(file).matchAll(/^#\s*include "(?!holdfast\/)([^"]+)"/gm)]
        .map(([, name = '']) => name)
        .filter((name) => {
            const isItsHeader = name.endsWith('.h') && parse(name).name === parse(file).name;
            const isBelow = name.endsWith('.h') && floorOf(name) >= 0 && floorOf(name) < floorOf(file);
            return !isItsHeader && !isBelow;
        })
        .map((name) => `${file} includes "${name}", which does not stand below it`);
}

test('house: each test and model that a comment in the C sources names exists', () => {
    const sources = projectFiles(':(glob)c-src/*.c').filter((file) => /^\/\* STATES/m.test(textOf(file)));
    assertNone(sources.flatMap(wrongChecks));
});

/** @param {string} file */
function wrongChecks(file) {
    const [, block = ''] = /^ \* CHECKED +([^]*?)(?:\*\/|^ \*$)/m.exec(textOf(file)) ?? [];
    // A name with a slash is a path from the root, and a pattern, as git has them; another name is of the same folder.
    const names = block.match(/[\w*.-]+\/[\w*./-]*|[\w*-]+\.\w+/g) ?? [];
    const paths = names.map((name) => (name.includes('/') ? name : `c-src/${name}`));
    return paths.length === 0
        ? [`${file} does not say what checks it`]
        : paths
              .filter((path) => listedFiles(path).length === 0)
              .map((path) => `${file}: there is no ${path}`);
}

test('house: no file contains the address of a package registry', () => {
    // A pattern with brackets, so that this file itself does not contain the names.
    const host =
        /registry[.](npmjs|yarnpkg|npmmirror)|deb[.]debian[.]org|archive[.]ubuntu[.]com|pypi[.]org|crates[.]io/i;
    assertNone(projectFiles().filter((file) => host.test(textOf(file))));
    for (const lock of projectFiles('*package-lock.json')) {
        assert.doesNotMatch(textOf(lock), /"resolved": "http/, lock);
    }
});

test("house: workflows use only GitHub's own actions, and run commands that package.json has", () => {
    const { scripts } = JSON.parse(textOf('package.json'));
    for (const file of projectFiles('.github/workflows')) {
        const used = Array.from(textOf(file).matchAll(/\buses: *(\S+)/g), ([, action = '']) => action);
        assertNone(used.filter((action) => !/^actions\/[\w-]+@v\d+$/.test(action)));
        const commands = Array.from(
            textOf(file).matchAll(/\bnpm (?:run )?([\w:-]+)/g),
            ([, name = '']) => name,
        );
        assert.ok(commands.includes('test'), `${file} does not run npm test`);
        assertNone(commands.filter((name) => !(name in scripts)).map((name) => `${file}: npm run ${name}`));
    }
});

test('house: tests/README.md names every test file under the heading of its folder', () => {
    const sections = textOf('tests/README.md').split(/^## /m);
    const isNamed = (/** @type {string} */ file) => {
        const [, folder, name] = file.split('/');
        return sections.some((text) => text.startsWith(`${folder}\n`) && text.includes(`\`${name}\``));
    };
    // Other folders with tests are described as a whole.
    const files = projectFiles('tests/*.test.js').filter(
        (file) => !/^tests\/(browser|deaths|fuzz|runtimes|stress)\//.test(file),
    );
    assertNone(files.filter((file) => !isNamed(file)));
});

/** Test files that name missing files on purpose. */
const NAMES_OTHERS = ['tests/runtimes/report.test.js', 'tests/tools/test-files.test.js'];

test('house: every test file that another file names exists', () => {
    const named = projectFiles()
        .filter((file) => !NAMES_OTHERS.includes(file))
        .flatMap((file) => {
            const names = textOf(file).matchAll(/(?<![\w/.-])tests\/[\w/-]+\.test\.js/g);
            return Array.from(names, ([name]) => ({ file, name }));
        });
    assert.notEqual(named.length, 0);
    assertNone(
        named
            .filter(({ name }) => !existsSync(join(ROOT, name)))
            .map(({ file, name }) => `${file}: there is no ${name}`),
    );
});

/* Questions may begin with these words. */
const NAMES_NOTHING = /^[ \t]*(?:\/\*\*?|\*|\/\/)[ \t]+(?:Who|What|Where|Those|Whether)\b(?![^.]*\?).*/gm;

test('house: no comment begins with Who, What, Where, Those or Whether', () => {
    const sources = projectFiles('*.[ch]', '*.[ch]pp', '*.js', '*.mjs', '*.ts', '*.css');
    assertNone(
        sources.flatMap((file) =>
            Array.from(textOf(file).matchAll(NAMES_NOTHING), ([text]) => `${file}: ${text}`),
        ),
    );
});

test('house: every top-level folder has a README', () => {
    const folders = new Set(projectFiles().flatMap((file) => file.match(/^([^./][^/]*)\//)?.[1] ?? []));
    assertNone(
        [...folders].map((folder) => `${folder}/README.md`).filter((file) => !existsSync(join(ROOT, file))),
    );
});
