/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { duration } from '../wording.js';

/* The story in words: threads that were killed, noticed a death, repaired data, or gave up. */

/** Older lines go. */
const KEPT_LINES = 9;

/** @param {string[]} names */
function listed(names) {
    return names.join(' and ') || 'nothing';
}

/** @param {string} text */
function firstSentence(text) {
    return text.replace(/\. .*$/s, '.');
}

export class Story {
    #list;
    #began = performance.now();
    /** @type {Map<string, number>} when threads were killed, by their names */
    #killed = new Map();
    /** @type {Set<string>} the pairs of a death and a lock that were reported */
    #noticed = new Set();

    /** @param {HTMLElement} list */
    constructor(list) {
        this.#list = list;
        list.replaceChildren();
        this.#say('The threads start.');
    }

    /** @param {string} who @param {import('./shop.js').News} news */
    tell(who, news) {
        if (news.told === 'killed') {
            this.#killed.set(who, news.at);
        }
        const words = this.#wordsOf(who, news);
        if (words !== undefined) {
            this.#say(words, news.told);
        }
    }

    /** @param {string} who @param {import('./shop.js').News} news @returns {string | undefined} */
    #wordsOf(who, news) {
        switch (news.told) {
            case 'killed':
                return `${who} is killed. It holds ${listed(news.held)}, and nobody knows yet.`;
            case 'noticed':
                return this.#noticeOf(who, news);
            case 'repaired':
                return `${who} has repaired ${news.lock}: ${news.first} and ${news.second} are ${news.first} and ${news.first} now.`;
            case 'hired':
                return `${who} replaces ${news.after}.`;
            case 'deadlock':
                return `${news.message} Neither gives up. Kill one of them; otherwise the page does so in a minute.`;
            case 'gaveUp':
                return `HF_DEADLOCK is thrown in ${who}. ${firstSentence(news.message)} ${who} gives ${news.keeps} back, and all go on.`;
            case 'quarrel':
                return `${who} and ${news.other} now take orders and stock in opposite order.`;
            case 'present':
            case 'ready':
            case 'settled':
                return undefined;
        }
    }

    /**
     * Each waiter reports a death; only the first report is news.
     * @param {string} who @param {import('./shop-locks.js').Noticed} news
     */
    #noticeOf(who, { owner, lock, at }) {
        const death = `${owner} ${lock}`;
        if (this.#noticed.has(death)) {
            return undefined;
        }
        this.#noticed.add(death);
        const killed = this.#killed.get(owner);
        const after = killed === undefined ? '' : ` ${duration(Math.max(0, at - killed))} after the kill`;
        return `${who} notices${after} that ${owner || 'a thread'} died while it held ${lock}: AbandonedError.`;
    }

    /** @param {string} words @param {string} [told] */
    #say(words, told = '') {
        const line = document.createElement('li');
        line.dataset.told = told;
        const time = document.createElement('span');
        time.textContent = `${((performance.now() - this.#began) / 1000).toFixed(1)}\u00a0s`;
        line.append(time, ` ${words}`);
        this.#list.append(line);
        if (this.#list.children.length > KEPT_LINES) {
            this.#list.firstElementChild?.remove();
        }
    }
}
