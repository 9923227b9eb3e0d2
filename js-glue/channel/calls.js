/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError } from '../errors.js';
import { initChannel, withChannel } from '../memory/channel.js';
import {
    CHANNEL_ALIGN,
    CHANNEL_HEADER,
    CHANNEL_RING_OFFSET,
    CHANNEL_SENDERS_OFFSET,
} from '../memory/layout.js';
import { foundFor, Placed } from '../memory/placed.js';
import { checkCount, isWhole } from '../options.js';
import { environment } from '../thread/environment.js';
import { lockError } from '../waiting/about.js';
import { bytesOf, checkRing, DEFAULT_RING, isRing } from './message.js';
import { Station, STATION_HEADER, stationBytes } from './station.js';

/**
 * @typedef {import('../memory/attachment.js').Attachment} Attachment
 *
 * @typedef {{ bytes?: number | undefined, callers?: number | undefined } & import('../memory/placed.js').PlaceOptions} CallsOptions
 */

/**
 * The word of the first station that has the number of calls that can be under way. The station's channel does not
 * use it.
 */
const CALLERS_OFFSET = CHANNEL_RING_OFFSET + 4;
const MOST_CALLERS = 255;
const DEFAULT_CALLERS = 4;

/** The head of a request or an answer: two numbers before its bytes. */
export const HEAD = 8;

/** An answer begins with the number of its call, and then one of these. */
export const ANSWERED = 0;
export const REFUSED = 1;

/** @param {Uint8Array} bytes @param {number} at @param {number} number */
function write32(bytes, at, number) {
    for (let byte = 0; byte < 4; byte += 1) {
        bytes[at + byte] = number >> (8 * byte);
    }
}

/** @param {Uint8Array} bytes @param {number} at */
function read32(bytes, at) {
    const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    return a | (b << 8) | (c << 16) | (d << 24);
}

/** @param {Uint8Array} bytes that came with a head @returns {[number, number]} */
export function headOf(bytes) {
    return [read32(bytes, 0), read32(bytes, 4)];
}

/**
 * Puts a head before the bytes.
 * @param {number} first
 * @param {number} second
 * @param {Uint8Array} bytes
 * @returns {[number, (place: Uint8Array) => void]} the size, and a callback that writes them in place
 */
export function withHead(first, second, bytes) {
    const fill = (/** @type {Uint8Array} */ place) => {
        write32(place, 0, first);
        write32(place, 4, second);
        place.set(bytes, HEAD);
    };
    return [HEAD + bytes.length, fill];
}

/**
 * The stations of each Caller and Answerer, made at first use.
 * @type {WeakMap<Calls, { known: (Station | undefined)[], make: (number: number) => Station }>}
 */
const stations = new WeakMap();

/**
 * Returns a station: 0 is the answering thread's, the others are for calls. Not a static method: bundles that do not
 * use the class would keep it.
 * @param {Calls} calls
 * @param {number} number
 */
export function stationOf(calls, number) {
    const { known, make } = /** @type {any} */ (stations.get(calls));
    return /** @type {Station} */ (known[number] ??= make(number));
}

/** The shared memory of calls, which a `Caller` and an `Answerer` have in common. @extends {Placed<'Answerer'>} */
export class Calls extends Placed {
    #bytes;
    #callers;

    /** @param {any[]} args */
    constructor(args) {
        /** @type {number | undefined} */
        let bytes;
        let callers = 0;
        /** @type {Attachment | undefined} */
        let base;
        super(
            args,
            ({ bytes: size = DEFAULT_RING, callers: most = DEFAULT_CALLERS }) => {
                const ring = (bytes = checkRing(size));
                callers = checkCount(most, 'callers', 1, MOST_CALLERS);
                return (_, byteOffset) => {
                    const { memory, words } = /** @type {Attachment} */ (base);
                    for (let station = 0; station <= callers; station += 1) {
                        initChannel(memory, byteOffset + station * stationBytes(ring) + STATION_HEADER, ring);
                    }
                    environment.store(words, (byteOffset + CALLERS_OFFSET) / 4, callers);
                };
            },
            (attachment) => {
                base = attachment;
                return withChannel(base, bytes && (callers + 1) * stationBytes(bytes) - STATION_HEADER);
            },
            ['bytes', 'callers'],
        );
        const found = foundFor(this);
        const { byteOffset, kind } = found;
        found.isKnown = true; // the block is not used again: another object there may need more bytes
        const attachment = /** @type {Attachment} */ (base);
        const wordAt = (/** @type {number} */ offset) =>
            environment.load(attachment.words, (byteOffset + offset) / 4);
        const ring = (this.#bytes = wordAt(STATION_HEADER + CHANNEL_SENDERS_OFFSET + CHANNEL_RING_OFFSET));
        callers = wordAt(CALLERS_OFFSET);
        if (!isRing(ring) || !isWhole(callers, 1, MOST_CALLERS)) {
            throw new HoldfastError(
                'HF_CORRUPT',
                `There is no answerer at ${byteOffset}. To make one, pass options to at(): {} is enough.`,
            );
        }
        attachment.check(byteOffset, (callers + 1) * stationBytes(ring), CHANNEL_ALIGN);
        const { name } = this;
        this.#callers = callers;
        stations.set(this, {
            known: [],
            make: (number) =>
                new Station({ attachment, byteOffset: byteOffset + number * stationBytes(ring), kind, name }),
        });
    }

    /** The size of each ring: the ring of the requests, and the rings of the answers. */
    get bytes() {
        return this.#bytes;
    }

    /** How many calls can be under way at a time. */
    get callers() {
        return this.#callers;
    }

    /** The size of the largest request, and of the largest answer, in bytes: half of `bytes` less 16. */
    get largest() {
        return this.#bytes / 2 - CHANNEL_HEADER - HEAD;
    }

    /** `true` if the answerer was closed. */
    get isClosed() {
        return stationOf(this, 0).channel.isClosed;
    }
}

/**
 * @param {Calls} calls
 * @param {unknown} message
 * @param {string} what the message is, for the error
 * @returns {Uint8Array} its bytes, not copied
 */
export function checkFits(calls, message, what) {
    const bytes = bytesOf(message);
    const { largest } = calls;
    if (bytes.length > largest) {
        throw lockError(
            stationOf(calls, 0).gate,
            'HF_OVERFLOW',
            `${what} of ${bytes.length} bytes is too large for %, which takes ${largest} at most. Make it with more { bytes }.`,
        );
    }
    return bytes;
}
