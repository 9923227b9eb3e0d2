/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Types of engine objects: `lib: dom` has all of them, `@types/node` some. A program's own types are used if
 * it has them, otherwise those below. scripts/build-types.mjs puts them in the published types. */

type Scope = typeof globalThis;

/** A `WebAssembly.Memory`. */
export type Memory = Scope extends { WebAssembly: { Memory: { prototype: infer Known } } }
    ? Known
    : { readonly buffer: ArrayBufferLike; grow(delta: number): number };

/** A `WebAssembly.Module`. */
export type Module = Scope extends { WebAssembly: { Module: { prototype: infer Known } } } ? Known : object;

/** An `AbortSignal`. */
export type Signal = Scope extends { AbortSignal: { prototype: infer Known } }
    ? Known
    : {
          readonly aborted: boolean;
          readonly reason: any;
          addEventListener(type: 'abort', listener: () => void, options?: any): void;
          removeEventListener(type: 'abort', listener: () => void, options?: any): void;
      };
