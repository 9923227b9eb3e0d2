/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** @typedef {import('./request.js').Request} Request */

/** Requests in the order made; adding at the end and taking out anywhere cost the same for any length. */
export class RequestList {
    /** @type {Request | undefined} */
    first;
    /** @type {Request | undefined} */
    #last;

    /** @param {Request} request */
    append(request) {
        request.previous = this.#last;
        if (this.#last === undefined) {
            this.first = request;
        } else {
            this.#last.next = request;
        }
        this.#last = request;
    }

    /** @param {Request} request one of the list */
    remove(request) {
        const { previous, next } = request;
        if (previous === undefined) {
            this.first = next;
        } else {
            previous.next = next;
        }
        if (next === undefined) {
            this.#last = previous;
        } else {
            next.previous = previous;
        }
        // Whoever keeps its promise keeps no others by it.
        request.previous = undefined;
        request.next = undefined;
    }
}
