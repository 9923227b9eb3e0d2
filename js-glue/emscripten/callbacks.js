/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { RESULT_DONE, RESULT_NOT_OWNER, RESULT_OK, RESULT_TIMEOUT } from '../memory/layout.js';
import { environment } from '../thread/environment.js';
import { disarm, hasTimers } from '../thread/event-loop.js';
import { throwLater } from '../thread/throw-later.js';
import { PendingRequest } from '../waiting/request.js';
import { Queue } from '../waiting/queue.js';
import { Waited } from './waited.js';

/* Requests of an Emscripten program (c-src/async.c), which end by calling a function of C. They wait as the
 * package's requests do, in separate queues. scripts/build-library.mjs puts all of this into a library for
 * the linker. */

/**
 * The program's runtime. Functions of C are numbers, called through these.
 * @typedef {object} Program
 * @property {() => WebAssembly.Memory} memory
 * @property {() => boolean} isOver whether it has ended: its page lives on, but no function of C may be called
 * @property {(f: number, object: number, self: number, kind: number, token: number, ask: number) => number} step
 * @property {(f: number, object: number, self: number) => void} withdraw
 * @property {(f: number, object: number, ask: number) => number} end
 * @property {(f: number, object: number, asks: boolean) => void} probe
 * @property {(f: number, result: number, userData: number) => void} callBack runs a callback in the runtime; the
 *     thread may end after it
 * @property {() => void} keepAlive keeps the runtime alive after the running code returns
 * @property {() => void} keepAliveNoMore
 */

/**
 * A request as C describes it.
 * @typedef {object} Call
 * @property {number} id
 * @property {number} callback
 * @property {number} userData
 * @property {number} object the C object to wait for
 */

/**
 * @typedef {object} Listener
 * @property {(result: number) => void} granted
 * @property {(result: number) => void} ended without a grant. C is called back later, since it may free the object,
 *     which the queue still uses
 */

/** @type {Listener} */
const NOBODY = { granted() {}, ended() {} };

/** Above this number, queues that are no longer needed are searched for. */
const FEW_QUEUES = 64;

/** The queue of one C object, for one thread and one way to wait. */
class CallbackQueue extends Queue {
    /** @param {Waited} waited @param {number} object */
    constructor(waited, object) {
        super(waited);
        this.object = object >>> 0;
    }

    /**
     * Closes a queue without requests: it does not touch its words again, even if one of its own callbacks calls
     * this.
     */
    close() {
        this.gate.withdraw();
        this.free();
        disarm(this);
    }
}

/** A pending request of C. Keeps the thread alive. */
class CallbackRequest extends PendingRequest {
    isCancelled = false;
    /** The request's result if the engine cannot wait. */
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

    /** Grants nothing after the program has ended, since no code would release it. */
    check() {
        if (!hasTimers()) {
            throw this.impossible;
        }
        if (this.queue.gate.isOver()) {
            throw RESULT_TIMEOUT;
        }
    }

    run() {
        const { result } = this.queue.gate; // results other than RESULT_OK may be successes too
        if (this.isCancelled) {
            this.listener.ended(result);
        } else {
            this.listener.granted(result);
        }
    }

    /** @param {number} [reason] absent: the engine cannot wait */
    reject(reason = this.impossible) {
        if (!this.isCancelled) {
            this.listener.ended(reason);
        }
    }

    /** @returns {boolean} whether its callback will not run */
    cancel() {
        this.isCancelled = true;
        return !this.queue.giveUp(this, RESULT_TIMEOUT);
    }

    /** @returns {boolean} as `cancel`, for the caller that asked */
    cancelByCaller() {
        return this.cancel();
    }

    /** Ends the request without a callback. */
    drop() {
        this.listener = NOBODY;
        this.cancel();
    }

    get object() {
        return /** @type {CallbackQueue} */ (this.queue).object;
    }
}

/** A request that locks a condition's mutex again, which the caller cannot cancel. */
class LastRequest extends CallbackRequest {
    impossible = RESULT_NOT_OWNER;

    cancelByCaller() {
        return false;
    }
}

/** A result that C gets after the running job. */
class PostedResult {
    /** @param {Callbacks} callbacks @param {Call} call @param {number} result */
    constructor(callbacks, call, result) {
        this.callbacks = callbacks;
        this.call = call;
        this.result = result;
        callbacks.begin(call, this);
    }

    drop() {
        this.callbacks.end(this.call);
    }

    /** An arrival that completed a barrier's round cannot be taken back. */
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
    /** The requests, by number. @type {Map<number, CallbackRequest | PostedResult>} */
    requests = new Map();
    /** The queues, by object, waiting thread, and way to wait. @type {Map<string, CallbackQueue>} */
    #queues = new Map();
    #fewQueues = FEW_QUEUES;

    /** @param {Program} program */
    constructor(program) {
        this.program = program;
    }

    /** @param {Call} call @param {CallbackRequest | PostedResult} request */
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

    /** @param {Call} call @param {number} result */
    callBack({ callback, userData }, result) {
        try {
            this.program.callBack(callback, result, userData);
        } catch (error) {
            throwLater(error);
        }
    }

    /** True if this thread can wait at all. */
    isPossible() {
        return hasTimers();
    }

    /**
     * @param {Call} call
     * @param {number} how hf__waited of c-src/async.c
     * @param {number} object
     * @param {number} self identity of the waiting thread
     * @param {number} ask
     * @param {number} timeout milliseconds
     * @param {number} then how to wait for the next object afterwards, without a limit; 0: no next object
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
     * @param {number} [before] the result of the wait before it, which the caller gets if this one succeeds
     * @returns {Listener}
     */
    #listenerFor(call, before = RESULT_OK) {
        const all = (/** @type {number} */ result) => (result === RESULT_OK ? before : result);
        return {
            granted: (result) => this.callBack(call, all(result)),
            ended: (result) => this.tell(call, all(result)),
        };
    }

    /** @param {number} how @param {number} object @param {number} self */
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

    /** @param {Call} call @param {number} result */
    tell(call, result) {
        const posted = new PostedResult(this, call, result);
        environment.queueMicrotask(() => {
            if (this.requests.get(call.id) === posted) {
                this.end(call);
                this.callBack(call, result);
            }
        });
    }

    /** @param {number} id @returns {boolean} whether it was pending; then its callback will not run */
    cancel(id) {
        return this.requests.get(id)?.cancelByCaller() === true;
    }

    /**
     * @param {number} id
     * @param {number} callback
     * @param {number} userData
     * @returns {boolean} whether it is pending; then it will call that function
     */
    redirect(id, callback, userData) {
        const request = this.requests.get(id);
        if (request !== undefined) {
            request.call.callback = callback;
            request.call.userData = userData;
        }
        return request !== undefined;
    }

    /** Ends the requests for objects in that range of memory. @param {number} begin @param {number} end */
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

    /** Ends all requests when the C thread ends; this JavaScript thread may run another C thread later. */
    endAll() {
        this.forget(0, Infinity);
    }
}
