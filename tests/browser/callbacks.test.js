/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Callbacks of a program in C on the page; tests/package/emscripten-async.test.js has them in Node. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { serve } from '../../browsers/serve.js';
import {
    assertEverything,
    assertInOrder,
    assertTurns,
    compile,
    everythingProgram,
    FORMS,
    TURNS,
    twoLanguagesProgram,
} from '../support/callbacks-program.js';
import { isQuick, ONLY_IN_ALL } from '../support/tier.js';
import { callOn, inEachBrowser, onPage } from './each-browser.js';

const FOLDER = 'build/callbacks';
const FOR_PAGES = '-sENVIRONMENT=web,worker';

/** @typedef {'factory' | 'module'} OtherForm Emscripten's outputs besides scripts. The minimal runtime is below. */
/** @type {OtherForm[]} */
const OTHER_FORMS = isQuick ? ['module'] : ['factory', 'module'];

/** The optimisation of the program that tries everything. */
const LEVEL = isQuick ? '-O1' : '-O2';

/** @param {OtherForm} form */
const fileOf = (form) => `${form}.${FORMS[form].ending}`;

/** @type {Awaited<ReturnType<typeof serve>>} */
let server;

before(async () => {
    everythingProgram();
    for (const form of OTHER_FORMS) {
        compile(TURNS, `${FOLDER}/${fileOf(form)}`, [LEVEL, FOR_PAGES, ...FORMS[form].options]);
    }
    compile('tests/package/emscripten/one-for-all.c', `${FOLDER}/one-for-all.js`, [
        ...['-O1', FOR_PAGES, ...FORMS.minimal.options],
    ]);
    twoLanguagesProgram();
    server = await serve({ isFixed: true, folders: [FOLDER, 'js-glue', 'tests/browser', 'tests/support'] });
});

after(() => server?.close());

inEachBrowser((place) => {
    test('callbacks: a program in C gets everything that async.h promises', async (t) => {
        const output = await onPage(place.browser, server, (page) =>
            callOn(page, '/tests/browser/callbacks.js', 'outputOf', {
                address: `/${FOLDER}/everything.js`,
                form: 'script',
            }),
        );
        t.diagnostic(output);
        assertEverything(output);
    });

    for (const form of OTHER_FORMS) {
        test(`callbacks: a program that is a ${form} gets callbacks in order and without delay`, async (t) => {
            const output = await onPage(place.browser, server, (page) =>
                callOn(page, '/tests/browser/callbacks.js', 'outputOf', {
                    address: `/${FOLDER}/${fileOf(form)}`,
                    form,
                }),
            );
            t.diagnostic(output);
            assertTurns(output);
        });
    }

    // The build is refused in any browser, so the quick tier tries one.
    const tier = place.name === 'chromium' ? {} : ONLY_IN_ALL;
    test(
        'callbacks: a build in which threads would share thread-local variables is refused',
        tier,
        async () => {
            const output = onPage(place.browser, server, (page) =>
                callOn(page, '/tests/browser/callbacks.js', 'outputOf', {
                    address: `/${FOLDER}/one-for-all.js`,
                    form: 'minimal',
                }),
            );
            await assert.rejects(output, /holdfast: this thread has no thread-local variables/);
        },
    );

    test('callbacks: requests of the page in C and in JavaScript are granted in the order made', async (t) => {
        const outcome = await onPage(place.browser, server, (page) =>
            callOn(page, '/tests/browser/two-languages.js', 'turnsOf', `/${FOLDER}/two-languages.js`),
        );
        t.diagnostic(JSON.stringify(outcome));
        assertInOrder(outcome);
    });
});
