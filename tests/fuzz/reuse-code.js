/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { literal } from './call-code.js';

/* Code that frees a lock while a request, a guard or a section of it exists. The lock is the thread's own, so
 * the next object gets its address. */

/**
 * @typedef {object} Reuse
 * @property {string} kind
 * @property {any} [options]
 * @property {number} [ask] the number of permits, which must be all
 * @property {'request' | 'guard' | 'section'} pending
 * @property {boolean} [asBytes] whether plain bytes come after it, and no other lock
 */

/** @param {Reuse} step @param {string} name of the request @returns {string} */
export function reuseCode(step, name) {
    switch (step.pending) {
        case 'request':
            return withRequest(step, name);
        case 'guard':
            return isLock(step) ? withGuard(step) : withSection(step);
        default:
            return withSection(step);
    }
}

/** @param {Reuse} step */
const isLock = ({ kind }) => ['Mutex', 'RwLock'].includes(kind);

/** @param {Reuse} step */
const ofOld = ({ kind, options }) => `'${kind}', ${literal(options) ?? 'undefined'}`;

/** @param {Reuse} step @param {string} name */
function withRequest(step, name) {
    const { kind, options, ask, asBytes } = step;
    const permits = options ? `{ permits: ${ask} }` : '';
    const take = isLock(step) ? 'old.acquireAsync()' : `old.enterAsync(${permits})`;
    const asks = `t.asks(${name}, {}, () => old.execAsync(() => {}), { must: 'any' })`;
    const use = `async (old) => { await ${take}; ${asks}; await t.turn(); }`;
    if (asBytes) {
        return `await t.leavesBytes(${ofOld(step)}, ${use});`;
    }
    const isFree = isLock(step) ? 'next.tryLock()' : 'next.value === next.max && next.tryEnter()';
    const look = `async (next) => { await t.sleep(120); t.check(${isFree}, 'a new ${kind} is free'); }`;
    return `await t.reuses(${ofOld(step)}, ${use}, ${look});`;
}

/** @param {Reuse} step */
function withGuard(step) {
    const { kind } = step;
    const use = 'async (old) => { guard = await old.acquireAsync(); }';
    const isFree = `t.check(next.tryLock(), 'a new ${kind} is free')`;
    const isHeld = `t.check(!next.tryLock(), 'a guard of the last ${kind} at that place released it')`;
    const look = `(next) => { ${isFree}; try { guard.release(); } catch {} ${isHeld}; }`;
    return `{ let guard; await t.reuses(${ofOld(step)}, ${use}, ${look}); }`;
}

/** @param {Reuse} step */
function withSection(step) {
    const { kind } = step;
    const runs = `old.execAsync(() => new Promise((resolve) => (end = resolve)))`;
    const use = `(old) => { section = ${runs}.catch(() => {}); }`;
    const isFree = `t.check(${isLock(step) ? 'next.tryLock()' : 'next.tryEnter()'}, 'a new ${kind} is free')`;
    const still = isLock(step) ? '!next.tryLock()' : 'next.value === next.max - 1';
    const isHeld = `t.check(${still}, 'a section of the last ${kind} at that place released it')`;
    const look = `async (next) => { ${isFree}; end(); await section; ${isHeld}; }`;
    return `{ let end, section; await t.reuses(${ofOld(step)}, ${use}, ${look}); }`;
}
