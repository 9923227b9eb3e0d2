/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { support } from '../../js-glue/index.js';
import { drawWaits } from './wait-chart.js';
import { Round } from './round.js';

const FIGURES_EVERY_MS = 250;
const CROSSING_FRAMES = 150;

/* Starting workers costs the page a long frame or two, which is not the lock's doing. */
const WARM_UP_MS = 500;

/**
 * @param {string} id of an element of index.html
 */
function element(id) {
    return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * @param {string} id
 * @param {string} text
 */
function show(id, text) {
    element(id).textContent = text;
}

/** @param {number} ms */
function milliseconds(ms) {
    return `${ms.toLocaleString('en', { maximumSignificantDigits: 3 })} ms`;
}

/** A dot that goes to and fro by one step a call. It jumps or stands still when the calls do. */
class Dot {
    #steps = 0;
    #element;

    /** @param {HTMLElement} dot */
    constructor(dot) {
        this.#element = dot;
    }

    step() {
        this.#steps += 1;
        const phase = (this.#steps / CROSSING_FRAMES) % 2;
        const share = phase < 1 ? phase : 2 - phase;
        this.#element.style.marginLeft = `${share * 100}%`;
    }
}

const form = /** @type {HTMLFormElement} */ (element('controls'));
const pause = element('pause');
const canvas = /** @type {HTMLCanvasElement} */ (element('waits'));
const frameDot = new Dot(element('frame-dot'));
const heldDot = new Dot(element('held-dot'));

/** @type {Round | undefined} */
let round;
let lost = 0;
let longestFrame = 0;
/** @type {number | undefined} */
let lastFrame;
let lastFigures = 0;
let lastSections = 0;

/** @returns {import('./round.js').Setting} */
function readSetting() {
    const data = new FormData(form);
    return {
        lock: data.get('lock') === 'textbook' ? 'textbook' : 'holdfast',
        workers: Number(data.get('workers')),
        sectionUs: Number(data.get('section')),
    };
}

function showSetting() {
    const { workers, sectionUs } = readSetting();
    show('workers-value', String(workers));
    show('section-value', `${sectionUs} µs`);
}

function stopRound() {
    round?.stop();
    round = undefined;
    pause.textContent = 'Start';
}

function startRound() {
    round?.stop();
    round = new Round(readSetting());
    lost = 0;
    longestFrame = 0;
    lastFrame = undefined;
    lastSections = 0;
    lastFigures = performance.now();
    pause.textContent = 'Pause';
}

/**
 * @param {Round} current
 * @param {number} now
 */
function showFigures(current, now) {
    const sections = current.workerSections;
    const perSecond = ((sections - lastSections) / (now - lastFigures)) * 1000;
    lastSections = sections;
    lastFigures = now;
    const figures = current.waits.figures(now);
    if (figures !== undefined) {
        show('median', milliseconds(figures.median));
        show('p99', milliseconds(figures.p99));
        show('worst', milliseconds(figures.worst));
    }
    show('unanswered', String(current.waits.unanswered));
    show('sections', Math.round(perSecond).toLocaleString('en'));
    show('frame', milliseconds(longestFrame));
    show('lost', `Updates lost: ${lost}.`);
    element('lost').classList.toggle('alarm', lost > 0);
}

function onFrame() {
    requestAnimationFrame(onFrame);
    if (round === undefined) {
        return;
    }
    const now = performance.now();
    if (now - round.started > WARM_UP_MS) {
        longestFrame = Math.max(longestFrame, now - (lastFrame ?? now));
    }
    lastFrame = now;
    frameDot.step();
    drawWaits(canvas, round.waits, now);
    if (now - lastFigures >= FIGURES_EVERY_MS) {
        showFigures(round, now);
    }
    round.ask((lostSoFar) => {
        lost = lostSoFar;
        heldDot.step();
    });
}

/** @param {string} text */
function refuse(text) {
    const notice = element('notice');
    notice.hidden = false;
    notice.textContent = `This demo cannot run here. ${text}`;
    for (const control of form.querySelectorAll('input, button')) {
        control.setAttribute('disabled', '');
    }
}

function run() {
    form.addEventListener('input', showSetting);
    form.addEventListener('change', startRound);
    form.addEventListener('submit', (event) => event.preventDefault());
    pause.addEventListener('click', () => (round === undefined ? startRound() : stopRound()));
    /* A hidden page gets no frames, which is no jank. */
    document.addEventListener('visibilitychange', () => (lastFrame = undefined));
    form.querySelector('input[value=textbook]')?.toggleAttribute('disabled', asyncWait === 'poll');
    requestAnimationFrame(onFrame);
    /* Who wants no motion gets it on demand. */
    if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
        startRound();
    }
}

const { mayShare, asyncWait, advice } = support();
showSetting();
if (mayShare) {
    run();
} else {
    refuse(advice[0] ?? '');
}
