/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* `node docs/examples/sqlite/build.mjs` fetches SQLite's sources from npm and compiles the program with holdfast's
 * mutexes and with SQLite's own, into build/sqlite. Quick when nothing has changed. */
import { createHash } from 'node:crypto';
import {
    existsSync,
    mkdirSync,
    readdirSync,
    readFileSync,
    renameSync,
    statSync,
    writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneAtATime } from '../../../scripts/one-at-a-time.mjs';
import { runQuietly } from '../../../scripts/run-quietly.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLE = 'docs/examples/sqlite';
export const FOLDER = join(ROOT, 'build', 'sqlite');
const SQLITE = join(FOLDER, 'package', 'deps', 'sqlite3');
const OBJECT = join(FOLDER, 'sqlite3.o');

/** A package that brings SQLite's sources in one file. */
const PACKAGE = 'better-sqlite3';
const VERSION = '12.11.1';
const SHA512 = 'dq9AtApgg5PGFtBzPFSBl3HZQjHok5gaQCM6zh2Yk0aSmDCs1CbnVI8/HgASQkNKsWFpseIO9beg5xxpYhbIfA==';

/** A few megabytes from a slow mirror; a compiler on a loaded machine. */
const LIMIT_SECONDS = 600;

export const MUTEXES = /** @type {const} */ (['holdfast', 'stock']);

const COMPILE = ['-pthread', '-O2'];
const OPTIONS = ['-DSQLITE_THREADSAFE=1', '-DSQLITE_OMIT_LOAD_EXTENSION'];
const LINK = [
    ...['-sPTHREAD_POOL_SIZE=4', `-sINITIAL_MEMORY=${2 ** 27}`, '-sEXIT_RUNTIME'],
    ...['-sENVIRONMENT=web,worker,node'],
];

/** The options of a program, besides its own source. */
const WITH = {
    holdfast: [
        ...['-DWITH_HOLDFAST', `-I${EXAMPLE}`, `${EXAMPLE}/holdfast-sqlite.c`, 'c-src/holdfast.c'],
        ...['--js-library', 'emscripten/holdfast-library.js'],
    ],
    stock: [],
};

/**
 * @param {string[]} commandLine
 * @param {string} cwd
 */
function run(commandLine, cwd) {
    // Debian's Emscripten finds its optimiser of JavaScript there.
    const env = { ...process.env, NODE_PATH: '/usr/share/nodejs' };
    const { ok, output } = runQuietly(commandLine, { cwd, env, limitSeconds: LIMIT_SECONDS });
    if (!ok) {
        throw new Error(`${commandLine.join(' ')} failed:\n${output}`);
    }
}

function fetchSqlite() {
    if (existsSync(join(SQLITE, 'sqlite3.c'))) {
        return;
    }
    run(['npm', 'pack', '--loglevel=error', `${PACKAGE}@${VERSION}`], FOLDER);
    const tarball = join(FOLDER, `${PACKAGE}-${VERSION}.tgz`);
    const sha512 = createHash('sha512').update(readFileSync(tarball)).digest('base64');
    if (sha512 !== SHA512) {
        throw new Error(`${tarball} is not what was published: its SHA-512 is ${sha512}`);
    }
    run(['tar', 'xzf', tarball, 'package/deps/sqlite3'], FOLDER);
}

function compileSqlite() {
    if (!existsSync(OBJECT)) {
        const unfinished = join(FOLDER, 'unfinished.o');
        run(['emcc', ...COMPILE, ...OPTIONS, '-c', join(SQLITE, 'sqlite3.c'), '-o', unfinished], ROOT);
        renameSync(unfinished, OBJECT);
    }
}

/**
 * When the newest of the files in these folders changed.
 *
 * @param {string[]} folders from the root
 */
function lastChangeIn(folders) {
    const files = folders.flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
            join(folder, file),
        ),
    );
    return Math.max(...files.map((file) => statSync(join(ROOT, file)).mtimeMs));
}

/**
 * Links a program with SQLite, unless it is newer than all sources. Requires: build() went well.
 *
 * @param {string} name of the program in build/sqlite, without its ending
 * @param {string} source from the root
 * @param {keyof typeof WITH} mutexes
 * @param {string[]} options further ones
 * @returns {string} the file for Node
 */
export function link(name, source, mutexes, ...options) {
    const program = join(FOLDER, `${name}.js`);
    const changedAt = lastChangeIn([EXAMPLE, dirname(source), 'c-src', 'emscripten']);
    if (!existsSync(program) || statSync(program).mtimeMs <= changedAt) {
        const language = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-Ic-src/include', '-Ic-src'];
        const sources = ['-isystem', SQLITE, source, ...WITH[mutexes], OBJECT];
        run(['emcc', ...COMPILE, ...language, ...sources, ...LINK, ...options, '-o', program], ROOT);
    }
    return program;
}

/** @throws {Error} with what npm or the compiler said */
export function build() {
    mkdirSync(FOLDER, { recursive: true });
    // Emscripten writes CommonJS for Node.
    writeFileSync(join(FOLDER, 'package.json'), '{ "type": "commonjs" }\n');
    return oneAtATime(join(FOLDER, 'builds'), () => {
        fetchSqlite();
        compileSqlite();
        return MUTEXES.map((mutexes) =>
            link(mutexes, `${EXAMPLE}/program.c`, mutexes, '-Wl,--wrap=sqlite3_exec'),
        );
    });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    for (const program of build()) {
        console.log(`node --no-experimental-fetch ${relative(process.cwd(), program)} 4`);
    }
}
