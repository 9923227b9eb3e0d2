/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

import { literal, WAYS_TO_BLOCK } from './call-code.js';
import { reuseCode } from './reuse-code.js';

/* A program as the JavaScript that runs: its threads are functions of the player `t` and of the objects. */

/**
 * @typedef {import('./program.js').Program} Program
 * @typedef {import('./program.js').Step} Step
 * @typedef {import('./program.js').Limits} Limits
 */

/**
 * @param {Record<string, string | undefined>} entries code by name
 */
function objectOf(entries) {
    const given = Object.entries(entries).filter(([, code]) => code !== undefined);
    return given.length === 0 ? '{}' : `{ ${given.map(([name, code]) => `${name}: ${code}`).join(', ')} }`;
}

/** @param {number | 'async'} predicate @param {string} mutex */
const predicateOf = (predicate, mutex) =>
    predicate === 'async' ? 'async () => false' : `t.predicate(${predicate}, '${mutex}')`;

/** @param {Limits} limits */
const limitsOf = ({ timeout, deadline, signal }) => ({
    timeout: timeout === undefined ? undefined : literal(timeout),
    deadline: deadline === undefined ? undefined : `t.deadline(${literal(deadline)})`,
    signal,
});

/** @param {import('./upgrades.js').Move[]} moves */
const movesOf = (moves) =>
    `[${moves.map(({ how, timeout, limits }) => objectOf({ how: literal(how), timeout: timeout === undefined ? undefined : literal(timeout), limits: limits && objectOf(limitsOf(limits)) })).join(', ')}]`;

/** The code of one thread's steps. */
class Writer {
    #requests = 0;
    #program;

    /** @param {Program} program */
    constructor(program) {
        this.#program = program;
    }

    /** @param {string} name */
    #kindOf(name) {
        return this.#program.objects.find((spec) => spec.name === name)?.kind ?? '';
    }

    #nextRequest() {
        this.#requests += 1;
        return `'r${this.#requests - 1}'`;
    }

    /** @param {Step[]} steps @param {string} indent @returns {string} */
    write(steps, indent) {
        return steps.map((step) => `${indent}${this.#write(step, indent)}`).join('\n');
    }

    /** @param {any} step @param {string} indent @returns {string} */
    #write(step, indent) {
        switch (step.do) {
            case 'request':
                return this.#awaited(step, this.#request(step, indent));
            case 'block':
                return this.#block(step);
            case 'waitAsync':
                return this.#awaited(step, this.#waitAsync(step));
            case 'waitBlock':
                return this.#waitBlock(step);
            case 'once':
                return this.#once(step, indent);
            case 'call':
                return this.#call(step);
            case 'setAndReset':
                return `${step.object}.set(); ${step.object}.reset(); t.check(!${step.object}.isSet && !${step.object}.wait(0), '${step.object} is set after its reset');`;
            case 'pause':
                return step.how === 'microtask'
                    ? 'await undefined;'
                    : step.how === 'turn'
                      ? 'await t.turn();'
                      : `await t.sleep(${step.how});`;
            case 'busy':
                return `t.busy(${step.work});`;
            case 'abort':
                return `t.abort(${step.signal});`;
            case 'stray':
                return `t.stray('${step.object}', ${step.word}, ${step.value});`;
            case 'nest':
                return this.#nest(step, indent);
            case 'loop':
                return this.#loop(step, indent);
            case 'times':
                return `for (let time = 0; time < ${step['count']}; time += 1) {\n${this.write(step['steps'], `${indent}    `)}\n${indent}}`;
            case 'retake':
                return this.#retake(step, indent);
            case 'crowd':
                return this.#crowd(step);
            case 'send':
            case 'receive':
                return this.#awaited(step, this.#mail(step));
            case 'reuse':
                return reuseCode(step, this.#nextRequest());
            default:
                throw new Error(`no step is called ${step.do}`);
        }
    }

    /** @param {any} step @param {string} call */
    #awaited({ awaited }, call) {
        return `${awaited ? 'await ' : ''}${call};`;
    }

    /** @param {any} step */
    #mail({ do: what, object, how, sizes, most, limits, throws }) {
        const options = objectOf({
            how: literal(how),
            sizes: sizes && `[${sizes.join(', ')}]`,
            most: most === undefined ? undefined : literal(most),
            limits: Object.keys(limits).length > 0 ? objectOf(limitsOf(limits)) : undefined,
            throws: throws ? 'true' : undefined,
        });
        return `t.mailbox.${what}s(${this.#nextRequest()}, '${object}', ${options})`;
    }

    /** @param {any} step @param {string} indent */
    #request({ object, ask, style, limits, body, bound, may }, indent) {
        const name = this.#nextRequest();
        const isLock = ['Mutex', 'OneKey', 'RwLock'].includes(this.#kindOf(object));
        const isPermits = this.#kindOf(object) === 'CountingSemaphore';
        const options = objectOf({
            permits: isPermits && ask !== 1 ? literal(ask) : undefined,
            mode: this.#kindOf(object) === 'RwLock' ? literal(ask) : undefined,
            ...limitsOf(limits),
        });
        const asked = literal(ask) ?? 'undefined';
        const written = this.#body(body, indent);
        const leave = isPermits ? `${object}.leave(${asked})` : `${object}.leave()`;
        const call =
            style === 'section'
                ? `${object}.${isLock ? 'execAsync' : 'execAsync'}(t.section('${object}', ${asked}, ${written}), ${options})`
                : isLock
                  ? `${object}.acquireAsync(${options}).then(t.section('${object}', ${asked}, ${written}, (guard) => guard.release()))`
                  : `${object}.enterAsync(${options}).then(t.section('${object}', ${asked}, ${written}, () => ${leave}))`;
        return this.#asks(name, limits, call, { bound, may });
    }

    /** @param {string} name @param {Limits} limits @param {string} call @param {any} [expected] */
    #asks(name, limits, call, expected = {}) {
        const given = objectOf(
            Object.fromEntries(
                Object.entries(expected).map(([key, value]) => [
                    key,
                    value === undefined ? undefined : literal(value),
                ]),
            ),
        );
        return `t.asks(${name}, ${objectOf(limitsOf(limits))}, () => ${call}${given === '{}' ? '' : `, ${given}`})`;
    }

    /** @param {any} body @param {string} indent */
    #body({ work, ends, sleep, aborts, moves, inner }, indent) {
        return objectOf({
            work: work ? literal(work) : undefined,
            ends: ends === 'returns' || ends === undefined ? undefined : literal(ends),
            sleep: ends === 'sleeps' ? literal(sleep) : undefined,
            begins: aborts ? `() => t.abort(${aborts})` : undefined,
            moves: moves?.length > 0 ? movesOf(moves) : undefined,
            inner: inner ? `async () => {\n${this.write(inner, `${indent}    `)}\n${indent}}` : undefined,
        });
    }

    /** @param {any} step */
    #block({ object, ask, style, timeout, byDeadline, work, ends, bound, moves = [] }) {
        const name = this.#nextRequest();
        const kind = this.#kindOf(object);
        const asked = literal(ask) ?? 'undefined';
        const way = /** @type {(object: string, ask: any) => import('./call-code.js').Way} */ (
            WAYS_TO_BLOCK[kind]
        )(object, ask);
        const inside =
            moves.length > 0
                ? `t.moves('${object}', ${work ?? 0}, ${movesOf(moves)}${style === 'acquire' ? ', guard' : ''});`
                : `t.inside('${object}', ${asked}, ${work ?? 0}); ${way.leave};`;
        const watch = bound === undefined ? '' : `const met = t.overtaken(${name}, '${object}', ${bound}); `;
        const met = bound === undefined ? '' : 'met(); ';
        if (style === 'exec') {
            const section = `t.section('${object}', ${asked}, ${objectOf({ work: literal(work ?? 0), ends: ends === 'throws' ? "'throws'" : undefined })})`;
            return `if (t.holdsNothing) { t.blocks(${name}, () => ${way.exec(section)}, ['thrown']); }`;
        }
        if (style === 'acquire') {
            return `if (t.holdsNothing) { ${watch}const guard = t.blocks(${name}, () => ${way.acquire}); ${met}${moves.length > 0 ? inside : `t.inside('${object}', ${asked}, ${work ?? 0}); guard.release();`} }`;
        }
        const limit = timeout === 0 ? '0' : `t.limit(${literal(timeout)})`;
        const call =
            style === 'lock'
                ? `(t.holdsNothing ? (${way.enter}, true) : ${way.attempt('2')})`
                : byDeadline
                  ? way.attempt(`t.deadline(${limit})`, 'deadline')
                  : way.attempt(limit);
        const body = `if (t.blocks(${name}, () => ${call}, ['HF_DEADLOCK'])) { ${met}${inside} }`;
        return watch ? `{ ${watch}${body} }` : body;
    }

    /** @param {any} step */
    #waitAsync({ object, limits, mutex, predicate, may }) {
        const name = this.#nextRequest();
        const options = objectOf({
            ...limitsOf(limits),
            predicate: predicate === undefined ? undefined : predicateOf(predicate, mutex),
        });
        switch (this.#kindOf(object)) {
            case 'Barrier': {
                const call = `${object}.arriveAndWaitAsync(${options}).then((last) => t.arrived('${object}', last))`;
                return this.#asks(name, limits, call, { gives: 'boolean', may });
            }
            case 'Condition': {
                const wait = `t.releasing('${mutex}', () => ${object}.waitAsync(${mutex}, ${options}))`;
                const section = `t.section('${mutex}', 1, { inner: () => ${wait} })`;
                return this.#asks(
                    name,
                    limits,
                    `${mutex}.execAsync(${section}, ${objectOf({ signal: limits.signal })})`,
                    {
                        must: predicate === 'async' ? 'HF_BAD_CALLBACK' : undefined,
                        may,
                    },
                );
            }
            default:
                return this.#asks(name, limits, `${object}.waitAsync(${options})`, { gives: 'nothing', may });
        }
    }

    /** @param {any} step */
    #waitBlock({ object, timeout, mutex, predicate }) {
        const name = this.#nextRequest();
        const limit = timeout === 0 ? '0' : `t.limit(${literal(timeout)})`;
        switch (this.#kindOf(object)) {
            case 'Barrier':
                return `t.blocks(${name}, () => t.arrived('${object}', ${object}.arriveAndWait(${limit})));`;
            case 'Condition': {
                const must = predicate === 'async' ? `, 'HF_BAD_CALLBACK'` : '';
                const options = objectOf({
                    timeout: literal(timeout),
                    predicate: predicate === undefined ? undefined : predicateOf(predicate, mutex),
                });
                const wait = `() => ${object}.waitFor(${mutex}, ${options})`;
                return `t.waitsIn(${name}, '${mutex}', ${wait}${must});`;
            }
            default:
                return `t.blocks(${name}, () => ${object}.wait(${limit}));`;
        }
    }

    /** @param {any} step @param {string} indent */
    #once({ object, style, ends, limits, awaited, work, sleep }, indent) {
        const name = this.#nextRequest();
        const section = `t.section('${object}', 1, ${this.#body({ work, ends, sleep }, indent)})`;
        if (style === 'run') {
            return `if (t.holdsNothing) { t.blocks(${name}, () => ${object}.run(${section}), ['thrown']); }`;
        }
        const call = `${object}.runAsync(${section}, ${objectOf(limitsOf(limits))})`;
        return this.#awaited({ awaited }, this.#asks(name, limits, call, { gives: 'boolean' }));
    }

    /** @param {any} step */
    #call({ object, method, argument }) {
        const call = `${object}.${method}(${argument === undefined ? '' : literal(argument)})`;
        return method === 'countDown'
            ? `t.blocks(${this.#nextRequest()}, () => ${call}, ['HF_OVERFLOW']);`
            : `${call};`;
    }

    /** @param {any} step @param {string} indent */
    #nest({ object, how, timeout, ends, condition, wait, unlocksAgain, steps }, indent) {
        const options = objectOf({
            how: literal(how),
            timeout: how === 'tryFor' ? literal(timeout) : undefined,
            throws: how === 'exec' && ends === 'throws' ? 'true' : undefined,
            condition: wait === undefined ? undefined : literal(condition),
            wait: wait === undefined ? undefined : literal(wait),
            unlocksAgain: unlocksAgain ? 'true' : undefined,
        });
        const name = this.#nextRequest();
        const inner = steps.length > 0 ? `\n${this.write(steps, `${indent}    `)}\n${indent}` : '';
        return `t.nests(${name}, '${object}', ${options}, () => {${inner}});`;
    }

    /** @param {any} step @param {string} indent */
    #loop({ milliseconds, steps, pause }, indent) {
        const inner = this.write(steps, `${indent}    `);
        const between = pause ? `\n${this.write([{ do: 'pause', how: pause }], `${indent}    `)}` : '';
        return `for (const end = t.now() + ${milliseconds}; t.now() < end; ) {\n${inner}${between}\n${indent}}`;
    }

    /** @param {any} step @param {string} indent */
    #retake({ object, ask, how, letsJobsPass, milliseconds, request }, indent) {
        const way = WAYS_TO_BLOCK[this.#kindOf(object)]?.(object, ask);
        const asks = this.#request(request, indent);
        const take =
            how === 'try'
                ? `if (!${way?.attempt('0')}) { await t.turn(); continue; }`
                : `const guard = ${way?.acquire};`;
        const lines = [
            take,
            `t.inside('${object}', ${literal(ask)});`,
            `asked ??= ${asks};`,
            'await t.turn();',
            how === 'try' ? `${way?.leave};` : 'guard.release();',
            ...(letsJobsPass ? ['await t.turn();'] : []),
        ];
        const inner = lines.map((line) => `${indent}    ${line}`).join('\n');
        return `for (let end = t.now() + ${milliseconds}, asked; t.now() < end; ) {\n${inner}\n${indent}}`;
    }

    /** @param {any} step */
    #crowd({ object, count, meets, mutex, signal, timeout }) {
        const name = this.#nextRequest();
        const options = objectOf(limitsOf({ timeout, signal }));
        const wait = mutex
            ? `${mutex}.execAsync(() => ${object}.waitAsync(${mutex}, ${options}))`
            : `${object}.waitAsync(${options})`;
        const meet =
            meets === 'abort'
                ? `t.abort(${signal})`
                : meets === 'timeout'
                  ? `t.busy(${timeout} + 5)`
                  : `${object}.${meets}()`;
        return `await t.crowd(${name}, ${count}, () => ${wait}, () => ${meet});`;
    }
}

/**
 * @param {Program} program
 * @param {import('./program.js').ThreadSpec} thread
 */
function codeOfThread(program, thread) {
    const signals = Object.entries(thread.signals ?? {}).map(
        ([name, spec]) => `    const ${name} = t.signal(${JSON.stringify(spec)});`,
    );
    const names = program.objects.map(({ name }) => name).join(', ');
    const steps = new Writer(program).write(thread.steps, '    ');
    return [`async (t, { ${names} }) => {`, ...signals, steps, '}'].join('\n');
}

/**
 * @param {Program} program
 * @returns {import('./referee.js').Code}
 */
export function codeOf(program) {
    return {
        objects: program.objects,
        threads: program.threads.map((thread) => codeOfThread(program, thread)),
        firstIsHost: program.firstIsHost ?? false,
        contexts: program.contexts ?? false,
        victims: (program.victims ?? []).map(({ step, ...victim }) => ({
            ...victim,
            code: codeOfThread(program, { steps: [step] }),
        })),
    };
}
