/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { pathToFileURL } from 'node:url';

/** @typedef {Awaited<ReturnType<typeof glueOf>>} Glue the parts of the package that the model runs */

const ROOT = new URL('../../', import.meta.url);

/** Loads these parts. @param {string} [folder] of other sources */
export async function glueOf(folder) {
    const root = folder === undefined ? ROOT : pathToFileURL(`${folder}/`);
    const load = (/** @type {string} */ file) => import(new URL(`js-glue/${file}`, root).href);
    /** @type {typeof import('../../js-glue/keyed.js')} */
    const { KeyedMutex } = await load('keyed.js');
    /** @type {typeof import('../../js-glue/memory/attachment.js')} */
    const { Attachment } = await load('memory/attachment.js');
    /** @type {typeof import('../../js-glue/memory/freeing-bytes.js')} */
    const { FREEING_TEXT } = await load('memory/freeing-bytes.js');
    /** @type {typeof import('../../js-glue/memory/layout.js')} */
    const layout = await load('memory/layout.js');
    /** @type {typeof import('../../js-glue/memory/module.js')} */
    const { instantiate } = await load('memory/module.js');
    /** @type {typeof import('../../js-glue/memory/placed.js')} */
    const { construct } = await load('memory/placed.js');
    /** @type {typeof import('../../js-glue/thread/environment.js')} */
    const { environment } = await load('thread/environment.js');
    return { ...layout, KeyedMutex, Attachment, FREEING_TEXT, instantiate, construct, environment };
}
