/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { counted, seconds } from '../wording.js';
import { heldBy } from './graph.js';

/* Threads and locks as cards: elements with text, for copying and for screen readers. */

/**
 * @typedef {import('./graph.js').Inspection} Inspection
 * @typedef {import('./graph.js').InspectedThread} InspectedThread
 * @typedef {import('./graph.js').InspectedObject} InspectedObject
 *
 * @typedef {object} Content of a card
 * @property {string} key
 * @property {string} state for its looks
 * @property {string[]} texts of its parts
 */

/** The parts of a card, by their classes. */
const THREAD_PARTS = ['name', 'tag', 'line', 'line', 'since'];
const LOCK_PARTS = ['name', 'tag', 'line', 'since', 'line'];

/** @param {Inspection} inspection @param {InspectedThread} thread @returns {Content} */
function contentOfThread(inspection, { name, isThis, isAlive, waitsFor: [wait] }) {
    const held = heldBy(inspection, name);
    const tag = isThis ? 'this page' : 'alive';
    const states = [
        { state: 'dead', is: !isAlive },
        { state: 'waits', is: wait !== undefined },
        { state: isThis ? 'page' : 'holds', is: held.length > 0 },
    ];
    return {
        key: name,
        state: states.find(({ is }) => is)?.state ?? '',
        texts: [
            name,
            isAlive ? tag : 'dead',
            held.length === 0 ? 'holds nothing' : `holds ${held.join(', ')}`,
            wait === undefined
                ? 'waits for nothing'
                : `${wait.blocks ? 'blocked for' : 'asks for'} ${wait.name}`,
            wait === undefined ? '' : `for ${seconds(wait.milliseconds)}`,
        ],
    };
}

/** @param {InspectedObject} object */
function useOf({ holder, isAbandoned, inUse }) {
    if (holder !== undefined) {
        return isAbandoned ? `abandoned by ${holder}` : `held by ${holder}`;
    }
    return inUse ? `${inUse} ${inUse === 1 ? 'reads' : 'read'}` : 'free';
}

/** @param {Inspection} inspection @param {InspectedObject} object @returns {Content} */
function contentOfLock({ threads }, object) {
    const { name, kind, holder, heldFor, isAbandoned, inUse, next, waiting } = object;
    const isHere = threads.some((thread) => thread.isThis && thread.name === holder);
    const states = [
        { state: 'dead', is: isAbandoned },
        { state: 'page', is: isHere },
        { state: 'holds', is: holder !== undefined || Boolean(inUse) },
    ];
    const queue = [waiting > 0 ? counted(waiting, 'waits', 'wait') : 'nobody waits', next && `${next} next`];
    return {
        key: name,
        state: states.find(({ is }) => is)?.state ?? '',
        texts: [
            name,
            kind,
            useOf(object),
            heldFor === undefined ? '' : `for ${seconds(heldFor)} at least`,
            queue.filter(Boolean).join(', '),
        ],
    };
}

/** A list of cards, whose elements are kept from one update to the next. */
class Cards {
    #list;
    #parts;
    /** @type {Map<string, HTMLElement>} */
    #cards = new Map();

    /** @param {HTMLElement} list @param {string[]} parts */
    constructor(list, parts) {
        this.#list = list;
        this.#parts = parts;
        list.replaceChildren();
    }

    /** @param {Content[]} contents */
    show(contents) {
        const keys = new Set(contents.map(({ key }) => key));
        for (const [key, card] of this.#cards) {
            if (!keys.has(key)) {
                card.remove();
                this.#cards.delete(key);
            }
        }
        contents.forEach(({ key, state, texts }, index) => {
            const card = this.#cards.get(key) ?? this.#make(key);
            if (this.#list.children[index] !== card) {
                this.#list.insertBefore(card, this.#list.children[index] ?? null);
            }
            card.dataset.state = state;
            texts.forEach((text, part) => setText(card.children[part], text));
        });
    }

    /** @param {string} key */
    of(key) {
        return this.#cards.get(key);
    }

    /** @param {string} key */
    #make(key) {
        const card = document.createElement('li');
        card.className = 'card';
        card.dataset.name = key;
        card.append(
            ...this.#parts.map((part) => Object.assign(document.createElement('span'), { className: part })),
        );
        this.#cards.set(key, card);
        return card;
    }
}

/** @param {Element | undefined} element @param {string} text */
function setText(element, text) {
    if (element && element.textContent !== text) {
        element.textContent = text;
    }
}

export class Board {
    #threads;
    #locks;

    /** @param {HTMLElement} threads @param {HTMLElement} locks */
    constructor(threads, locks) {
        this.#threads = new Cards(threads, THREAD_PARTS);
        this.#locks = new Cards(locks, LOCK_PARTS);
    }

    /** @param {Inspection} inspection */
    show(inspection) {
        this.#threads.show(inspection.threads.map((thread) => contentOfThread(inspection, thread)));
        this.#locks.show(inspection.objects.map((object) => contentOfLock(inspection, object)));
    }

    /** @param {string} name */
    threadCard(name) {
        return this.#threads.of(name);
    }

    /** @param {string} name */
    lockCard(name) {
        return this.#locks.of(name);
    }
}
