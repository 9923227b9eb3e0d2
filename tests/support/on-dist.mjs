/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { register } from 'node:module';

/* With `node --import` of this file, imports of an entry in the sources load the built entry. */

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, next) {
    const resolved = await next(specifier, context);
    return {
        ...resolved,
        url: resolved.url.replace(
            /\/js-glue\/(channel|debug|index|keyed|recoverable|tc39|trace|web-locks)\.js$/,
            '/dist/$1.js',
        ),
    };
}

register(import.meta.url);
