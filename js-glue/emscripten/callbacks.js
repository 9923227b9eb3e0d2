/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_DONE, RESULT_NOT_OWNER, RESULT_OK, RESULT_TIMEOUT } from '../memory/layout.js';
import { environment } from '../thread/environment.js';
import { disarm, hasTimers } from '../thread/event-loop.js';
import { throwLater } from '../thread/throw-later.js';
import { PendingRequest } from '../waiting/request.js';
import { Queue } from '../waiting/queue.js';
import { Waited } from './waited.js';

/* Requests of an Emscripten program (c-src/async.c), which end by a call of a function of C. They wait as those of the
 * package do, in queues of their own. scripts/build-library.mjs puts all of this into a library for the linker. */

/**
 * The program's runtime. Functions of C are numbers, called by these.
 *
 * @typedef {object} Program
 * @property {() => WebAssembly.Memory} memory
 * @property {() => boolean} isOver it has ended, and calls nobody back, though its page lives on
 * @property {(f: number, object: number, self: number, kind: number, token: number, ask: number) => number} step
 * @property {(f: number, object: number, self: number) => void} withdraw
 * @property {(f: number, object: number, ask: number) => number} end
 * @property {(f: number, object: number, asks: boolean) => void} probe
 * @property {(f: number, result: number, userData: number) => void} callBack as a callback of the runtime, at whose end the
 *     thread may end
 * @property {() => void} keepAlive the runtime goes on when what runs now has returned
 * @property {() => void} keepAliveNoMore
 */

/**
 * A request, as C makes it.
 *
 * @typedef {object} Call
 * @property {number} id
 * @property {number} callback
 * @property {number} userData
 * @property {number} object that it is about
 */

/**
 * @typedef {object} Listener
 * @property {(result: number) => void} granted
 * @property {(result: number) => void} ended otherwise. C is called back later, since it may free the object, which the
 *     queue still uses
 */

/** @type {Listener} */
const NOBODY = { granted() {}, ended() {} };

/** Above so many queues, those that are not needed any more are searched for. */
const FEW_QUEUES = 64;

/** All of its requests get the same result at a time. */
class CallbackQueue extends Queue {
    /**
     * @param {Waited} waited
     * @param {number} object
     */
    constructor(waited, object) {
        super(waited);
        this.object = object >>> 0;
    }

    /** Its words are not touched again, also if this is called by a callback of its own. Requires: no request waits. */
    close() {
        this.gate.withdraw();
        this.free();
        disarm(this);
    }
}

/** Pending requests by their numbers. Each keeps its thread alive. */
class CallbackRequest extends PendingRequest {
    /** True if cancel() has ended the request. */
    isCancelled = false;
    /** Its result if the engine cannot wait. */
    impossible = RESULT_TIMEOUT;

    /**
     * @param {Callbacks} callbacks
     * @param {CallbackQueue} queue
     * @param {number} ask
     * @param {number} timeout
     * @param {Call} call
     * @param {Listener} listener
     */
    constructor(callbacks, queue, ask, timeout, call, listener) {
        super(queue, ask, timeout);
        this.callbacks = callbacks;
        this.call = call;
        this.listener = listener;
        callbacks.begin(call, this);
    }

    endWait() {
        super.endWait();
        this.callbacks.end(this.call);
    }

    timeoutError() {
        return RESULT_TIMEOUT;
    }

    /** After the end of the program nothing is granted, since nobody would give it back. */
    endedBy() {
        if (!hasTimers()) {
            return { reason: this.impossible };
        }
        return this.queue.gate.isOver() ? { reason: RESULT_TIMEOUT } : undefined;
    }

    run() {
        const { result } = this.queue.gate; // which may be one of success that is not RESULT_OK
        if (this.isCancelled) {
            this.listener.ended(result);
        } else {
            this.listener.granted(result);
        }
    }

    /** @param {number} [reason] none: the engine cannot wait */
    reject(reason = this.impossible) {
        if (!this.isCancelled) {
            this.listener.ended(reason);
        }
    }

    /** @returns {boolean} whether it is not called back */
    cancel() {
        this.isCancelled = true;
        return !this.queue.giveUp(this, RESULT_TIMEOUT);
    }

    /** @returns {boolean} as `cancel`, for who asked */
    cancelByCaller() {
        return this.cancel();
    }

    /** Nobody gets its result any more. */
    drop() {
        this.listener = NOBODY;
        this.cancel();
    }

    get object() {
        return /** @type {CallbackQueue} */ (this.queue).object;
    }
}

/** A request that locks a condition's mutex again: its caller cannot cancel it. */
class LastRequest extends CallbackRequest {
    impossible = RESULT_NOT_OWNER;

    cancelByCaller() {
        return false;
    }
}

/** A result that C gets when the running job ends. */
class PostedResult {
    /**
     * @param {Callbacks} callbacks
     * @param {Call} call
     * @param {number} result
     */
    constructor(callbacks, call, result) {
        this.callbacks = callbacks;
        this.call = call;
        this.result = result;
        callbacks.begin(call, this);
    }

    drop() {
        this.callbacks.end(this.call);
    }

    /** An arrival at a barrier whose round is over cannot be taken back. */
    cancelByCaller() {
        if (this.result === RESULT_OK || this.result === RESULT_DONE) {
            return false;
        }
        this.drop();
        return true;
    }

    get object() {
        return this.call.object >>> 0;
    }
}

/** All requests of this thread. */
export class Callbacks {
    /** By their numbers. @type {Map<number, CallbackRequest | PostedResult>} */
    requests = new Map();
    /** The queues, by what they wait for, who waits, and how. @type {Map<string, CallbackQueue>} */
    #queues = new Map();
    #fewQueues = FEW_QUEUES;

    /** @param {Program} program */
    constructor(program) {
        this.program = program;
    }

    /**
     * @param {Call} call
     * @param {CallbackRequest | PostedResult} request
     */
    begin({ id }, request) {
        this.requests.set(id, request);
        this.program.keepAlive();
    }

    /** @param {Call} call */
    end({ id }) {
        if (this.requests.delete(id)) {
            this.program.keepAliveNoMore();
        }
    }

    /**
     * @param {Call} call
     * @param {number} result
     */
    callBack({ callback, userData }, result) {
        try {
            this.program.callBack(callback, result, userData);
        } catch (error) {
            throwLater(error);
        }
    }

    /** Says if this thread can wait for anything. */
    isPossible() {
        return hasTimers();
    }

    /**
     * @param {Call} call
     * @param {number} how hf__waited of c-src/async.c
     * @param {number} object
     * @param {number} self who waits
     * @param {number} ask
     * @param {number} timeout milliseconds
     * @param {number} then how to wait for the next object afterwards, without a limit; 0: not at all
     * @param {number} nextObject
     */
    ask(call, how, object, self, ask, timeout, then, nextObject) {
        const queue = this.#queueFor(how, object, self);
        /** @type {Listener} */
        let listener = this.#listenerFor(call);
        if (then !== 0) {
            const goOn = (/** @type {number} */ result) => {
                const next = this.#queueFor(then, nextObject, self);
                const last = this.#listenerFor(call, result);
                next.add(new LastRequest(this, next, self, Infinity, call, last));
            };
            listener = { granted: goOn, ended: goOn };
        }
        queue.add(new CallbackRequest(this, queue, ask, timeout > 0 ? timeout : 0, call, listener));
    }

    /**
     * @param {Call} call
     * @param {number} [before] what came before this, which counts if this goes well
     * @returns {Listener}
     */
    #listenerFor(call, before = RESULT_OK) {
        const all = (/** @type {number} */ result) => (result === RESULT_OK ? before : result);
        return {
            granted: (result) => this.callBack(call, all(result)),
            ended: (result) => this.tell(call, all(result)),
        };
    }

    /**
     * @param {number} how
     * @param {number} object
     * @param {number} self
     */
    #queueFor(how, object, self) {
        const key = `${object} ${self} ${how}`;
        let queue = this.#queues.get(key);
        if (queue === undefined) {
            if (this.#queues.size >= this.#fewQueues) {
                this.#leaveOutIdle();
            }
            queue = new CallbackQueue(new Waited(this.program, how, object, self), object);
            this.#queues.set(key, queue);
        }
        return queue;
    }

    #leaveOutIdle() {
        this.#queues.forEach((queue, key) => {
            if (!queue.first) {
                queue.close();
                this.#queues.delete(key);
            }
        });
        this.#fewQueues = Math.max(FEW_QUEUES, 2 * this.#queues.size);
    }

    /**
     * @param {Call} call
     * @param {number} result
     */
    tell(call, result) {
        const posted = new PostedResult(this, call, result);
        environment.queueMicrotask(() => {
            if (this.requests.get(call.id) === posted) {
                this.end(call);
                this.callBack(call, result);
            }
        });
    }

    /**
     * @param {number} id
     * @returns {boolean} whether it was pending, and is not called back now
     */
    cancel(id) {
        return this.requests.get(id)?.cancelByCaller() === true;
    }

    /**
     * @param {number} id
     * @param {number} callback
     * @param {number} userData
     * @returns {boolean} whether it is pending, and calls that function then
     */
    redirect(id, callback, userData) {
        const request = this.requests.get(id);
        if (request !== undefined) {
            request.call.callback = callback;
            request.call.userData = userData;
        }
        return request !== undefined;
    }

    /**
     * Ends the requests for what is there.
     *
     * @param {number} begin
     * @param {number} end
     */
    forget(begin, end) {
        const isThere = (/** @type {{ object: number }} */ { object }) => object >= begin && object < end;
        for (const request of this.requests.values()) {
            if (isThere(request)) {
                request.drop();
            }
        }
        this.#queues.forEach((queue, key) => {
            if (isThere(queue)) {
                queue.close();
                this.#queues.delete(key);
            }
        });
    }

    /** The thread of C ends; this one may go on with another one of C. */
    endAll() {
        this.forget(0, Infinity);
    }
}
