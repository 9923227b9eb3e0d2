/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from './errors.js';
import { FILE_BYTES, FILE_CHECKSUM, FILE_MARK } from './memory/file-bytes.js';
import { give } from './memory/given.js';
import { refusal } from './memory/module.js';
import { valueError } from './options.js';
import { tagOf } from './thread/tag.js';

/* All entries in one, for programs that load the module as a file: docs/decisions/0006. Only as a built file:
 * the sources contain the module as text. */

export * from './index.js';
export { Answerer, Caller, CallRequest, Channel } from './channel.js';
export { debug, inspect, InspectedThread } from './debug.js';
export { KeyedMutex } from './keyed.js';
export { RecoverableRwLock, RecoverableSemaphore } from './recoverable.js';
export { trace } from './trace.js';

/**
 * @typedef {import('./debug.js').DebugOptions} DebugOptions
 * @typedef {import('./debug.js').DeadlockMember} DeadlockMember
 * @typedef {import('./debug.js').DeadlockReport} DeadlockReport
 * @typedef {import('./debug.js').InspectedObject} InspectedObject
 * @typedef {import('./debug.js').InspectedWait} InspectedWait
 * @typedef {import('./debug.js').Inspection} Inspection
 * @typedef {import('./debug.js').OwnDeadlockReport} OwnDeadlockReport
 * @typedef {import('./debug.js').OwnMember} OwnMember
 * @typedef {import('./debug.js').Report} Report
 * @typedef {import('./trace.js').TraceOptions} TraceOptions
 * @typedef {{ arrayBuffer(): Promise<ArrayBuffer>, ok?: boolean, status?: number }} Answer what `fetch` gives
 * @typedef {WebAssembly.Module | ArrayBufferLike | ArrayBufferView | Answer} ModuleSource
 */

/** @param {unknown} value @returns {value is WebAssembly.Module} */
function isModule(value) {
    return tagOf(value) === '[object WebAssembly.Module]';
}

/** Uses the module, unless it is another program's, or of another version. @param {WebAssembly.Module} module */
function giveChecked(module) {
    if (!WebAssembly.Module.exports(module).some(({ name }) => name === 'space_init')) {
        throw new HoldfastError(
            'HF_NOT_LOADED',
            'This WebAssembly.Module was not made from a holdfast.wasm.',
        );
    }
    const [mark = new ArrayBuffer(0)] = WebAssembly.Module.customSections(module, 'v');
    if (mark.byteLength !== 4 || new Int32Array(mark)[0] !== FILE_MARK) {
        throw new HoldfastError(
            'HF_NOT_LOADED',
            'This WebAssembly.Module is of another version of holdfast than this JavaScript: load the holdfast.wasm of the same package.',
        );
    }
    give(module);
    return module;
}

/** @param {Answer} answer */
async function bodyOf(answer) {
    if (answer.ok === false) {
        throw new HoldfastError('HF_NOT_LOADED', `The server answered ${answer.status} for the module.`);
    }
    return answer.arrayBuffer();
}

/** @param {Exclude<ModuleSource, WebAssembly.Module>} source */
async function bytesFrom(source) {
    const { buffer, byteOffset, byteLength } = /** @type {ArrayBufferView} */ (Object(source));
    if (typeof Object(source).arrayBuffer === 'function') {
        return new Uint8Array(await bodyOf(/** @type {Answer} */ (source)));
    }
    if (ArrayBuffer.isView(source)) {
        return new Uint8Array(buffer, byteOffset, byteLength);
    }
    if (/ArrayBuffer/.test(tagOf(source))) {
        return new Uint8Array(/** @type {ArrayBuffer} */ (source));
    }
    throw valueError(
        'HF_BAD_OPTION',
        'loadModule() takes the result of fetch(), bytes, or a WebAssembly.Module',
        source,
    );
}

/** Checks the version: a module of another version would use locks differently. @param {Uint8Array} bytes */
function checkFile(bytes) {
    const checksum = bytes.reduce((sum, byte) => (Math.imul(sum, 31) + byte) | 0, 0);
    if (bytes.length !== FILE_BYTES || checksum !== FILE_CHECKSUM) {
        throw new HoldfastError(
            'HF_NOT_LOADED',
            `These ${bytes.length} bytes are not the holdfast.wasm of this version of the package.`,
        );
    }
    return bytes;
}

/**
 * Gives this thread the module of `holdfast/holdfast.wasm`, before its first lock. Each thread needs it: post
 * the result to workers, where a call with it takes effect at once. Of several calls before the first lock
 * the last one counts.
 *
 * ```js
 * const module = await loadModule(fetch('/holdfast.wasm'));
 * worker.postMessage({ module, mutex: new Mutex().handle });
 * ```
 * Blocks: never. Callable from: any thread.
 * @param {ModuleSource | PromiseLike<ModuleSource>} source the result of `fetch` for the file, its bytes, or
 *     a module that another thread has compiled
 * @returns {Promise<WebAssembly.Module>} rejects with a `HoldfastError` (`HF_NOT_LOADED` for a missing file,
 *     or one of another version; `HF_NO_WEBASSEMBLY`; `HF_BAD_OPTION`), or as `source` does
 */
export async function loadModule(source) {
    if (isModule(source)) {
        return giveChecked(source); // without an await: a worker that does not await the result may make locks at once
    }
    const loaded = await source;
    return giveChecked(isModule(loaded) ? loaded : await compileFile(checkFile(await bytesFrom(loaded))));
}

/** @param {Uint8Array} bytes */
async function compileFile(bytes) {
    try {
        return await WebAssembly.compile(bytes.slice()); // a copy, since engines refuse shared bytes
    } catch (cause) {
        throw refusal(cause);
    }
}
