/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Compiled as uses.ts is, but with the types of the web: holdfast's types then refer to them. */
import { LockSpace, Mutex } from 'holdfast';
import { loadModule } from 'holdfast/external';

const space = new LockSpace();
const mutex = new Mutex({ space });
export const memories: WebAssembly.Memory[] = [space.memory, mutex.memory, mutex.handle.memory];
export const grow: WebAssembly.Memory['grow'] = (pages) => space.memory.grow(pages);

export function placeIn(memory: WebAssembly.Memory): Mutex {
    return Mutex.at(memory, 64);
}

export function load(): Promise<WebAssembly.Module> {
    return loadModule(fetch('/holdfast.wasm'));
}

export function within(signal: AbortSignal): Promise<void> {
    return mutex.execAsync(() => {}, { signal });
}

// @ts-expect-error a table is no memory
Mutex.at(new WebAssembly.Table({ element: 'anyfunc', initial: 1 }), 64);
