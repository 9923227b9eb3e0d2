/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { parse } from 'acorn';

/**
 * @typedef {object} Token
 * @property {'name' | 'number' | 'string' | 'other'} kind keywords are names
 * @property {string} text
 * @property {number} start in the source
 * @property {number} end
 *
 * @typedef {{ name: string, first: number, last: number }} Unit a function's body, or a constant's value, by its tokens
 */

const OF_C =
    /\/\*[\s\S]*?\*\/|\/\/.*|^[ \t]*#(?:\\\n|.)*|(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')|(?<name>[A-Za-z_]\w*)|(?<number>\d[\w.]*)|(?<other>(?:<<|>>|[-+*/%&|^=!<>])=|->|\+\+|--|<<|>>|&&|\|\||\S)/gm;
const MACRO = /^[ \t]*#define[ \t]+(?<name>\w+)[ \t]+(?<value>.*)$/gm;
const KEYWORD =
    /^(?:if|for|while|do|else|switch|case|default|catch|return|throw|sizeof|function|new|typeof|void|yield|in|of|await|const|let)$/;
const OPENS = /^(?:[([{]|\$\{)$/;
const CLOSES = /^[)\]}]$/;
const ENDS = /^(?:|[,;?:]|=>|(?:[-+*/%&|^]|<<|>>>?|&&|\|\||\?\?)?=)$/;

/** The weakest comes first. @type {string[][]} */
const BINARY = [
    ...[['||', '??'], ['&&'], ['|'], ['^'], ['&'], ['==', '!=', '===', '!==']],
    ...[
        ['<', '<=', '>', '>=', 'in', 'instanceof'],
        ['<<', '>>', '>>>'],
        ['+', '-'],
        ['*', '/', '%'],
    ],
];
const STRENGTH = new Map(BINARY.flatMap((operators, at) => operators.map((one) => [one, at])));

/** @param {string} text of C @param {number} [offset] of it in its file @returns {Token[]} */
function tokensOfC(text, offset = 0) {
    return [...text.matchAll(OF_C)].flatMap(({ 0: all, index, groups = {} }) => {
        const kind = /** @type {const} */ (['name', 'number', 'string', 'other']).find(
            (each) => groups[each],
        );
        return kind ? { kind, text: all, start: offset + index, end: offset + index + all.length } : [];
    });
}

/** @param {string} text of a module of JavaScript @returns {Token[]} */
function tokensOfJavaScript(text) {
    /** @type {import('acorn').Token[]} */
    const tokens = [];
    parse(text, { ecmaVersion: 'latest', sourceType: 'module', onToken: tokens });
    // A template may have an empty token between its parts.
    const some = tokens.filter(({ start, end }) => end > start);
    return some.map(({ type: { label, keyword }, start, end }) => {
        const isName = keyword !== undefined || label === 'name' || label === 'privateId';
        const isString = ['string', 'template', 'regexp', '`'].includes(label);
        const kind = isName ? 'name' : label === 'num' ? 'number' : isString ? 'string' : 'other';
        return { kind, text: text.slice(start, end), start, end };
    });
}

/** A source, as tokens and brackets, functions and operands. */
export class Source {
    /** The matching bracket of each bracket, by index. @type {Map<number, number>} */
    #partner = new Map();
    /** Functions; constants of the file, of a class or an enum; macros. @type {Unit[]} */
    units = [];

    /** @param {string} file @param {string} text */
    constructor(file, text) {
        this.text = text;
        this.isC = /\.[ch]$/.test(file);
        this.tokens = this.isC ? tokensOfC(text) : tokensOfJavaScript(text);
        this.#pair(0);
        this.#findUnits();
        for (const { 0: all, index, groups: { name = '', value = '' } = {} } of this.isC
            ? text.matchAll(MACRO)
            : []) {
            const first = this.tokens.push({ kind: 'other', text: ';', start: index, end: index });
            this.tokens.push(...tokensOfC(value, index + all.length - value.length));
            this.#pair(first);
            this.units.push({ name, first, last: this.tokens.length - 1 });
        }
    }

    /** @param {number} first */
    #pair(first) {
        /** @type {number[]} */
        const open = [];
        for (let at = first; at < this.tokens.length; at += 1) {
            if (OPENS.test(this.word(at))) {
                open.push(at);
            } else if (CLOSES.test(this.word(at))) {
                const from = open.pop() ?? at;
                this.#partner.set(from, at).set(at, from);
            }
        }
    }

    #findUnits() {
        for (let at = 0; at < this.tokens.length; at += 1) {
            const [name, next] = [this.word(at), this.word(at + 1)];
            if (this.isName(at) && next === '=') {
                const last = this.#next(at + 2, (each) => /^[,;)}]$/.test(this.word(each))) - 1;
                this.units.push({ name, first: at + 2, last });
                at = last;
            } else if (this.isName(at) && next === '(' && this.word(this.partnerOf(at + 1) + 1) === '{') {
                const body = this.partnerOf(at + 1) + 1;
                at = this.partnerOf(body);
                this.units.push({ name, first: body + 1, last: at - 1 });
            }
        }
    }

    /** @param {number} at */
    word(at) {
        return this.tokens[at]?.text ?? '';
    }

    /** @param {number} at */
    isName(at) {
        return this.tokens[at]?.kind === 'name' && !KEYWORD.test(this.word(at));
    }

    /** The index of the matching bracket; of any other token, its own index. @param {number} at */
    partnerOf(at) {
        return this.#partner.get(at) ?? at;
    }

    /** The precedence of the binary operator there; -1 if there is none. @param {number} at */
    strengthOf(at) {
        const { kind = '', text = '' } = this.tokens[at - 1] ?? {};
        const isBehindOperand = this.isName(at - 1) || /number|string/.test(kind) || /[)\]]/.test(text);
        return isBehindOperand ? (STRENGTH.get(this.word(at)) ?? -1) : -1;
    }

    /** The first token of an operator's left operand. @param {number} at @param {number} strength */
    startOfOperand(at, strength) {
        let start = at;
        for (let before = at - 1; ; before = start - 1) {
            const [word, other] = [this.word(before), this.partnerOf(before)];
            const isBlock = word === '}' && this.word(other) !== '${';
            const bound = this.strengthOf(before);
            const isOther = this.tokens[before]?.kind === 'name' && KEYWORD.test(word);
            if (ENDS.test(word) || other > before || isBlock || isOther || (bound >= 0 && bound < strength)) {
                return start;
            }
            start = other;
        }
    }

    /**
     * The last token of the operand that begins there, up to an operator of at most that precedence.
     * @param {number} at
     * @param {number} strength
     */
    endOfOperand(at, strength) {
        let end = this.partnerOf(at);
        for (let next = end + 1; ; next = end + 1) {
            const [word, other] = [this.word(next), this.partnerOf(next)];
            const bound = this.strengthOf(next);
            if (ENDS.test(word) || other < next || (bound >= 0 && bound <= strength)) {
                return end;
            }
            end = other;
        }
    }

    /**
     * The first wanted token from there on, outside of further brackets; 0 if a bracket closes before it.
     *
     * @param {number} from
     * @param {(at: number) => boolean} isWanted
     */
    #next(from, isWanted) {
        for (let at = from; at < this.tokens.length; at = Math.max(at, this.partnerOf(at)) + 1) {
            if (isWanted(at)) {
                return at;
            }
            if (this.partnerOf(at) < at) {
                return 0;
            }
        }
        return 0;
    }

    /** @param {number} at where a statement begins */
    semicolonBehind(at) {
        return this.#next(at, (each) => this.word(each) === ';');
    }

    /** @param {number} at of a question mark */
    colonOf(at) {
        let open = 0;
        return this.#next(at + 1, (each) => {
            open += this.word(each) === '?' ? 1 : this.word(each) === ':' ? -1 : 0;
            return open < 0;
        });
    }

    /** The last token of x ? y : z. @param {number} colon @returns {number} */
    endOfChoice(colon) {
        const last = this.endOfOperand(colon + 1, -1);
        return this.word(last + 1) === '?' ? this.endOfChoice(this.colonOf(last + 1)) : last;
    }

    /** The commas between arguments. @param {number} open @returns {number[]} */
    commasIn(open) {
        const commas = [];
        for (let at = open + 1; at < this.partnerOf(open); at = Math.max(at, this.partnerOf(at)) + 1) {
            if (this.word(at) === ',') {
                commas.push(at);
            }
        }
        return commas;
    }

    /** The unit's place in the text. @param {Unit} unit */
    extentOf({ first, last }) {
        return { start: this.tokens[first]?.start ?? 0, end: this.tokens[last]?.end ?? 0 };
    }

    /** @param {number} first @param {number} last */
    span(first, last) {
        return this.text.slice(this.tokens[first]?.start, this.tokens[last]?.end);
    }
}
