/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Mutex, RwLock } from '../../js-glue/index.js';
import { RecoverableRwLock, RecoverableSemaphore } from '../../js-glue/recoverable.js';
import { reach } from '../support/board.js';
import { GIVEN_UP, Shared } from './shared-words.js';
import * as sleeper from './sleeper.js';

/* Runs in an iframe, in one of four roles: it requests the lock once, and records a rejection; it holds
 * locks for ever; it holds the lock again and again while it sleeps; or it uses a channel. */

/** @param {{ handle: import('./shared-words.js').SharedHandle, index: number }} task */
function ask({ handle, index }) {
    const shared = Shared.from(handle);
    const request = shared.mutex.execAsync(async () => {
        await new Promise((resolve) => setTimeout(resolve));
        shared.countedSection(index);
    });
    request.catch(({ code }) => code === 'HF_NO_TIMERS' && shared.publish(GIVEN_UP, 1));
}

const never = new Promise(() => {});

/**
 * Holds one lock of each class, by sections and guards that never end.
 *
 * @param {{ handles: import('./deaths.js').Holdables['handles'], leaves?: boolean }} task `leaves`: the iframe removes itself
 *     first, and the running job goes on
 */
function holdAll({ handles, leaves }) {
    if (leaves) {
        window.frameElement?.remove();
    }
    void Mutex.from(handles.other).execAsync(() => new Promise((resolve) => setTimeout(resolve, 1e6)));
    void RecoverableSemaphore.from(handles.seats).execAsync(() => never, { permits: 2 });
    void RecoverableRwLock.from(handles.shared).execAsync(() => never, { mode: 'shared' });
    RwLock.from(handles.exclusive).tryAcquire(); // not acquireAsync(), which might wait for a turn of the event loop
    Mutex.from(handles.mutex).tryAcquire();
}

/** @param {{ handle: import('./shared-words.js').SharedHandle, index: number }} task */
function sleepInside({ handle, index }) {
    void sleeper.sleepInside(Shared.from(handle), index);
}

/** @param {{ handle: Mutex['handle'] }} task */
function useLock({ handle }) {
    void Mutex.from(handle).execAsync(() => {});
}

// The servers of most tests have only this folder, so the code that only `npm run deaths` needs is imported
// on demand.
const deaths = () => import('../deaths/mortal.js');

/**
 * Holds the lock without a section, since sections would end with the iframe.
 * @param {import('../deaths/mortal.js').Victim} task
 */
async function takeLock({ handle, board }) {
    const { THERE } = await deaths();
    Mutex.from(handle).tryLock(); // nothing in this frame retains that Mutex object
    reach(board, THERE);
}

/** @param {import('../deaths/mortal.js').Victim} task */
async function adopt(task) {
    await (await deaths()).adopt(task);
}

/**
 * Waits for a message by a request and by a loop; or sends one in place, and removes the iframe before it is sent.
 * @param {{ handle: import('../../js-glue/channel.js').Channel['handle'], leaves: boolean }} task
 */
async function useChannel({ handle, leaves }) {
    const { Channel } = await import('../../js-glue/channel.js');
    const channel = Channel.from(handle);
    if (leaves) {
        channel.trySendInPlace(1, () => window.frameElement?.remove());
        return;
    }
    channel.receiveAsync().catch(() => {});
    channel[Symbol.asyncIterator]()
        .next()
        .catch(() => {});
    parent.postMessage('waits', origin);
}

/** @type {Record<import('./page-threads.js').FrameMethod, (task: any) => unknown>} */
const METHODS = { ask, holdAll, sleepInside, useLock, takeLock, adopt, useChannel };

addEventListener('message', ({ data }) => METHODS[/** @type {'ask'} */ (data.method)](data.task));
Object.assign(globalThis, METHODS);

parent.postMessage('ready', origin);
