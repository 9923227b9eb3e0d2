/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import * as vega from 'vega';
import { compile } from 'vega-lite';

/* From panels to the text of an SVG. The layout is given in pixels and nothing
 * is measured, since this machine need not have the reader's fonts. */

export const WIDTH = 800;
export const MARGIN = { left: 16, top: 18, right: 16, bottom: 14 };
const HEAD_HEIGHT = 76;
const FOOT_PADDING = 8;
const CAPTION_HEIGHT = 15;
const CAPTION_LETTERS = 132;
const AXIS_HEIGHT = 46;
const PANEL_TITLE_HEIGHT = 26;

const FONT = 'system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif';

const INK = '#24292f';
const PALE_INK = '#59636e';
export const RULE = '#8c959f';
const GRID = '#e6e9ed';

/** A background of its own, so that one file serves light pages and dark ones. */
const BACKGROUND = '#ffffff';

/** @type {import('vega-lite').Config} */
const CONFIG = {
    font: FONT,
    aria: false, // the document says it in words
    background: BACKGROUND,
    view: { stroke: null },
    axis: {
        domain: false,
        ticks: false,
        gridColor: GRID,
        labelColor: PALE_INK,
        labelFontSize: 12,
        labelPadding: 6,
        titleColor: PALE_INK,
        titleFontSize: 12,
        titleFontWeight: 'normal',
        titlePadding: 8,
    },
    text: { fontSize: 12 },
};

/**
 * A layer or a panel of Vega-Lite. Its types are too wide to help here; its compiler checks what it is given.
 *
 * @typedef {Record<string, unknown>} Layer
 *
 * @typedef {object} Panel
 * @property {string} title
 * @property {Layer[]} layers
 *
 * @typedef {object} Layout in pixels
 * @property {number} columns
 * @property {number} width of a panel, without the axes and the labels beside it
 * @property {number} height
 * @property {number} left of the first panel, for its axis
 * @property {number} gap between columns
 *
 * @typedef {object} Picture
 * @property {string} title what one sees
 * @property {string} subtitle what is drawn
 * @property {string} caption where and when it was measured
 * @property {Layout} layout
 * @property {Panel[]} panels
 */

/**
 * A line of text over or under all panels.
 *
 * @param {string} text
 * @param {Record<string, unknown>} look
 * @returns {Layer}
 */
function line(text, look) {
    const mark = { type: 'text', align: 'left', baseline: 'top', text, ...look };
    return { data: { values: [{}] }, encoding: {}, mark };
}

/**
 * Text that can be read on whatever it lies on.
 *
 * @param {Layer} layer with a mark of text
 * @returns {Layer[]}
 */
export function withHalo(layer) {
    const mark = /** @type {object} */ (layer.mark);
    const halo = { stroke: BACKGROUND, strokeWidth: 4, strokeJoin: 'round', color: BACKGROUND };
    return [{ ...layer, mark: { ...mark, ...halo } }, layer];
}

/** In lines that fit. @param {string} caption */
function wrap(caption) {
    /** @type {string[]} */
    const lines = [];
    for (const part of caption.split('; ')) {
        const longer = `${lines.at(-1)}; ${part}`;
        const fits = lines.length > 0 && longer.length <= CAPTION_LETTERS;
        lines.splice(fits ? -1 : lines.length, 1, fits ? longer : part);
    }
    return lines;
}

/** Down to the caption. @param {Picture} picture */
function bodyHeightOf({ layout, panels }) {
    const rows = Math.ceil(panels.length / layout.columns);
    return HEAD_HEIGHT + rows * (layout.height + AXIS_HEIGHT) + (rows - 1) * PANEL_TITLE_HEIGHT;
}

/** @param {Picture} picture */
function specOf(picture) {
    const { title, subtitle, caption, layout, panels } = picture;
    const { columns, width, height, left, gap } = layout;
    const x = -left;
    const lines = [
        line(title, { x, y: 0, fontSize: 16, fontWeight: 600, color: INK }),
        line(subtitle, { x, y: 26, fontSize: 13, color: PALE_INK }),
        ...wrap(caption).map((text, index) =>
            line(text, {
                x,
                y: bodyHeightOf(picture) + FOOT_PADDING + index * CAPTION_HEIGHT,
                fontSize: 11,
                color: PALE_INK,
            }),
        ),
    ];
    const concat = panels.map((panel) => ({
        width,
        height,
        layer: [
            line(panel.title, { x: 0, y: -PANEL_TITLE_HEIGHT, fontSize: 13, fontWeight: 600, color: INK }),
            ...panel.layers,
        ],
    }));
    return {
        config: CONFIG,
        bounds: 'flush',
        spacing: 0,
        vconcat: [
            { width: 0, height: HEAD_HEIGHT, layer: lines },
            {
                columns,
                bounds: 'flush',
                spacing: { row: AXIS_HEIGHT + PANEL_TITLE_HEIGHT, column: gap },
                concat,
            },
        ],
    };
}

/** @param {Picture} picture */
export async function draw(picture) {
    const { spec } = compile(/** @type {any} */ (specOf(picture)));
    const padding = { ...MARGIN, left: MARGIN.left + picture.layout.left, right: 0 };
    const size = {
        autosize: { type: 'none' },
        padding,
        width: WIDTH - padding.left,
        height: bodyHeightOf(picture) + FOOT_PADDING + wrap(picture.caption).length * CAPTION_HEIGHT,
    };
    const view = new vega.View(vega.parse(/** @type {any} */ ({ ...spec, ...size })), { renderer: 'none' });
    const svg = await view.toSVG();
    view.finalize();
    return `${shorten(svg)}\n`;
}

/**
 * The same picture in half the bytes: the font once, no digits that nobody can see, no marks of Vega's own.
 *
 * @param {string} svg
 */
function shorten(svg) {
    return svg
        .replace(/ (?:class|role|aria-\w+|xmlns:xlink|version)="[^"]*"/g, '')
        .replace(/<path(?: [\w-]+="[^"]*")* d=""[^>]*>|<path d="M0,0h0v0h0Z"\/>/g, '')
        .replaceAll(` font-family="${FONT}"`, '')
        .replace('<svg ', `<svg font-family="${FONT}" `)
        .replace(/ (?:d|transform|x2|y2)="[^"]*"/g, (attribute) =>
            attribute.replace(/-?\d+\.\d+/g, (number) => String(Math.round(Number(number) * 10) / 10)),
        );
}
