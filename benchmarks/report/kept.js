/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Finds figures of the last page, for scenarios that were not measured again. */

/** The cells of a row, from the second on; the last one is the verdict. */
const ROW = /^\| .*\|$/gm;
const MET = /^(\d+) of (\d+) bounds are met/m;
const MISSED_ROW = /^\| ([\w-]+) \| .*\|$/gm;

/** @param {string} row @returns {string} the verdict, '' without a bound */
const verdictIn = (row) => row.split('|').at(-2)?.trim() ?? '';

export class Kept {
    #page;

    /** @param {string} page the document as it was; '': there is none */
    constructor(page) {
        this.#page = page;
    }

    /** @param {string} name @returns {string | undefined} the title of a picture */
    pictureTitle(name) {
        return new RegExp(`^!\\[(.*)\\]\\(figures/${name}\\.svg\\)$`, 'm').exec(this.#page)?.[1];
    }

    /** @param {string} heading the line @returns {string | undefined} the section's text, from its table on */
    figures(heading) {
        const section = this.#section(heading);
        const start = section.indexOf('\n| figure |');
        return start < 0 ? undefined : section.slice(start).trim();
    }

    /** @param {string} heading */
    #section(heading) {
        const start = this.#page.indexOf(`\n${heading}\n`);
        const after = this.#page.slice(start + 1 + heading.length);
        const end = /^##+ /m.exec(after)?.index ?? after.length;
        return start < 0 ? '' : after.slice(0, end);
    }

    /**
     * The bounds of all but these scenarios.
     * @param {Map<string, string>} headings of the scenarios that were measured again, by name
     */
    bounds(headings) {
        const section = this.#section('## The bounds');
        const [, met = '0', all = '0'] = MET.exec(section) ?? [];
        const verdicts = [...headings.values()]
            .flatMap((heading) => this.figures(heading)?.match(ROW) ?? [])
            .map(verdictIn)
            .filter((verdict) => /met|MISSED/.test(verdict));
        return {
            met: Number(met) - verdicts.filter((verdict) => !verdict.includes('MISSED')).length,
            all: Number(all) - verdicts.length,
            rows: Array.from(section.matchAll(MISSED_ROW))
                .filter(([, name = '']) => name !== 'scenario' && !headings.has(name))
                .map(([row]) => row),
        };
    }
}
