/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { Source } from './tokens.js';

/* Each operator replaces one place in the body of a function, or in the value of a constant:
 *
 *     never, always   a condition is false, true; of x ? y : z, z or y is left
 *     left, right     of two operands that one is left
 *     compare         == becomes !=, < becomes <=
 *     not, await      it is left out
 *     drop            a statement is left out
 *     swap, short     the last two arguments change places; the last one is left out
 *     flag            a constant in a mask is 0, any other is one more
 *     number          one more; the other boolean
 *     result          0 is returned */

/** @typedef {{ operator: string, unit: string, start: number, end: number, to: string }} Place in a file's text */

const FLAG = /^[A-Z][A-Z\d]+(?:_[A-Z\d]+)*$/;
/** A loop whose condition is always true would never end. */
const CONDITIONED = /^(?:if|while)$/;
const ALTERNATIVES = /^(?:&&|\|\||\?\?)$/;
/** The right operand of these is left out. */
const JOINED = /^(?:[-+|^&]|<<|>>>?)$/;
const LONE_FLAG = /^~?[A-Z][A-Z\d_]+$/;
/** @type {Record<string, string>} */
const COMPARED = {
    ...{ '==': '!=', '!=': '==', '===': '!==', '!==': '===' },
    ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>' },
};
const BEGINS_STATEMENT = /^(?:[;{}]|else|do)$/;
const STATEMENT_GOES_ON = /^(?:[(.[=]|->|\?\.|\+\+|--|[-+*/%&|^]=)$/;

/**
 * @typedef {[operator: string, first: number, last: number, to: string]} Replacement of tokens
 * @typedef {(source: Source, at: number) => Generator<Replacement>} Operators what they make of one token
 */

/** @type {Operators} */
function* conditions(source, at) {
    const keyword = source.word(at - 1);
    if (source.word(at) === '(' && CONDITIONED.test(keyword)) {
        yield ['never', at, source.partnerOf(at), '(0)'];
        if (keyword === 'if') {
            yield ['always', at, source.partnerOf(at), '(1)'];
        }
    }
}

/** @type {Operators} */
function* choices(source, at) {
    if (source.word(at) === '?') {
        const colon = source.colonOf(at);
        const [first, last] = [source.startOfOperand(at, 0), source.endOfChoice(colon)];
        yield ['never', first, last, `(${source.span(colon + 1, last)})`];
        yield ['always', first, last, `(${source.span(at + 1, colon - 1)})`];
    }
}

/** @type {Operators} */
function* operands(source, at) {
    const [operator, strength] = [source.word(at), source.strengthOf(at)];
    if (strength < 0) {
        return;
    }
    const [first, last] = [source.startOfOperand(at, strength), source.endOfOperand(at + 1, strength)];
    const [left, right] = [source.span(first, at - 1), source.span(at + 1, last)];
    const compared = COMPARED[operator];
    if (compared) {
        yield ['compare', at, at, compared];
    }
    if (ALTERNATIVES.test(operator) || (JOINED.test(operator) && !LONE_FLAG.test(right))) {
        yield ['left', first, last, `(${left})`];
    }
    if (ALTERNATIVES.test(operator)) {
        yield ['right', first, last, `(${right})`];
    }
}

/** @type {Operators} */
function* words(source, at) {
    const [before, word, next] = [source.word(at - 1), source.word(at), source.word(at + 1)];
    if (word === '!' && !CONDITIONED.test(source.word(at - 2))) {
        yield ['not', at, at, ''];
    } else if (word === 'await') {
        yield ['await', at, at, ''];
    } else if (word === 'return' && next !== ';' && source.word(at + 2) !== ';') {
        yield ['result', at + 1, source.semicolonBehind(at) - 1, '0'];
    } else if (source.tokens[at]?.kind === 'number') {
        yield ['number', at, at, word.endsWith('n') ? `(${word} + 1n)` : `(${word} + 1)`];
    } else if (word === 'true' || word === 'false') {
        yield ['number', at, at, word === 'true' ? 'false' : 'true'];
    } else if (FLAG.test(word) && !/^[(.]$/.test(next) && before !== '.' && before !== 'case') {
        const isMask = /^[|&~]=?$/.test(before) || /^[|&]$/.test(next);
        yield ['flag', at, at, isMask ? '0' : `(${word} + 1)`];
    }
}

/** @type {Operators} */
function* statements(source, at) {
    const before = source.word(at - 1);
    const isBehindCondition = before === ')' && CONDITIONED.test(source.word(source.partnerOf(at - 1) - 1));
    const begins = isBehindCondition || BEGINS_STATEMENT.test(before);
    const second = source.word(at) === 'await' ? at + 2 : at + 1;
    const isOne = begins && source.isName(second - 1) && STATEMENT_GOES_ON.test(source.word(second));
    const last = isOne ? source.semicolonBehind(at) : 0;
    if (last > 0) {
        yield ['drop', at, last, ';'];
    }
}

/** @type {Operators} */
function* calls(source, at) {
    const close = source.partnerOf(at);
    const last = source.word(close - 1) === ',' ? close - 2 : close - 1;
    const commas = source.isName(at - 1) && source.word(at) === '(' ? source.commasIn(at) : [];
    const [comma = 0, former = at] = commas.filter((each) => each < last).reverse();
    // In C, the first argument often has another type.
    if (comma > 0 && !(source.isC && former === at)) {
        const [one, other] = [source.span(former + 1, comma - 1), source.span(comma + 1, last)];
        yield ['swap', former + 1, last, `${other}, ${one}`];
        if (!source.isC) {
            yield ['short', comma, last, ''];
        }
    }
}

const OPERATORS = [conditions, choices, operands, words, statements, calls];

/** @param {string} file @param {string} text @returns {Place[]} */
export function placesIn(file, text) {
    const source = new Source(file, text);
    return source.units.flatMap(({ name, first, last }) =>
        Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((at) =>
            OPERATORS.flatMap((operators) => [...operators(source, at)]).map(([operator, from, to, by]) => ({
                ...{ operator, unit: name, to: by },
                start: source.tokens[from]?.start ?? 0,
                end: source.tokens[to]?.end ?? 0,
            })),
        ),
    );
}
