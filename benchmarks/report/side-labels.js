/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Names on the right of a panel, beside the ends of its lines, moved apart where they would cover each other. */

const LEADER = 14;
const LINE_HEIGHT = 14;
const LETTER_WIDTH = 6.6;

/**
 * How much room they need.
 *
 * @param {readonly string[]} names
 */
export function widthOfNames(names) {
    return Math.ceil(LEADER + LETTER_WIDTH * Math.max(...names.map(({ length }) => length)));
}

/**
 * Positions as near to the wanted ones as can be with a gap between any two: those that are too close become a
 * group, around the mean of what they want.
 *
 * @param {readonly number[]} wanted
 * @param {number} gap
 * @param {[number, number]} range
 */
export function moveApart(wanted, gap, [least, most]) {
    /** @typedef {{ members: number[], start: number, end: number }} Group */

    /** @param {number[]} members @returns {Group} */
    const around = (members) => {
        const size = (members.length - 1) * gap;
        const mean = members.reduce((sum, index) => sum + (wanted[index] ?? 0), 0) / members.length;
        const start = Math.max(least, Math.min(most - size, mean - size / 2));
        return { members, start, end: start + size };
    };

    /** @type {Group[]} */
    const groups = [];
    const order = [...wanted.keys()].sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
    for (const index of order) {
        let group = around([index]);
        for (let above = groups.at(-1); above && above.end + gap > group.start; above = groups.at(-1)) {
            groups.pop();
            group = around([...above.members, ...group.members]);
        }
        groups.push(group);
    }
    const positions = [...wanted];
    for (const { members, start } of groups) {
        for (const [place, index] of members.entries()) {
            positions[index] = start + place * gap;
        }
    }
    return positions;
}

/**
 * @typedef {object} End of a line
 * @property {string} name
 * @property {number} x in pixels
 * @property {number} y in pixels
 * @property {string | undefined} colour
 * @property {number} weight of the letters
 */

/**
 * @param {readonly End[]} ends
 * @param {{ width: number, height: number }} panel
 * @returns {import('./drawing.js').Layer[]}
 */
export function sideLabels(ends, { width, height }) {
    const wanted = ends.map(({ y }) => y);
    const places = moveApart(wanted, LINE_HEIGHT, [0, height]);
    return ends.flatMap(({ name, x, y, colour, weight }, index) => {
        const data = { values: [{}] };
        const place = places[index];
        const leader = {
            x: { value: x + 5 },
            x2: { value: width + LEADER - 3 },
            y: { value: y },
            y2: { value: place },
        };
        const text = { x: width + LEADER, y: place, align: 'left', baseline: 'middle', fontWeight: weight };
        return [
            { data, encoding: leader, mark: { type: 'rule', color: colour, opacity: 0.5 } },
            { data, encoding: {}, mark: { type: 'text', text: name, color: colour, ...text } },
        ];
    });
}
