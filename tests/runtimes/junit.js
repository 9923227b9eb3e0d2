/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { XMLParser } from 'fast-xml-parser';

/* JUnit's XML is what all of these runtimes can write. They differ in how they nest and name suites. */

/**
 * @typedef {object} Case a test as a runtime ran it
 * @property {string} title
 * @property {'passed' | 'failed' | 'skipped'} outcome
 * @property {string} message why it failed
 */

const parser = new XMLParser({
    ignoreAttributes: false,
    // Node gives a test an attribute and an element of one name.
    attributeNamePrefix: '@',
    isArray: (name) => ['testsuite', 'testcase'].includes(name),
    textNodeName: 'text',
    parseAttributeValue: false,
    parseTagValue: false,
    // Numbers of characters too.
    htmlEntities: true,
});

/** @param {any} element @returns {Case} */
function caseOf(element) {
    const fault = element.failure ?? element.error;
    const title = element['@name'];
    if (fault !== undefined) {
        return { title, outcome: 'failed', message: fault.text ?? fault['@message'] ?? String(fault) };
    }
    return { title, outcome: element.skipped === undefined ? 'passed' : 'skipped', message: '' };
}

/** @param {any} suite @returns {Case[]} */
function casesIn(suite) {
    return [...(suite.testcase ?? []).map(caseOf), ...(suite.testsuite ?? []).flatMap(casesIn)];
}

/** @param {string} xml */
export function readReport(xml) {
    return casesIn(parser.parse(xml).testsuites ?? {});
}
