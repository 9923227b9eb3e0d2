/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { titleOf } from '../../contestants.js';
import { startBusyWork } from '../busy-work.js';
import { Controls } from '../controls.js';
import { canvasOf, element, show } from '../elements.js';
import { Dot } from '../pulse.js';
import { counted, duration } from '../wording.js';
import { CloseUp } from './close-up.js';
import { clearColumns, markColumn, showColumn } from './comparison.js';
import { describeHistogram, drawHistogram } from './histogram.js';
import { Round } from './round.js';
import { makeRoom } from './rows.js';
import { drawTimeline, sharesOf } from './timeline.js';

/** @typedef {import('../page.js').View} View */

/** A pending wait longer than this is mentioned in the text. */
const NOTICED_MS = 100;

/** The requests come by a timer, not with the frames, so that drawing does not affect them. */
const ASK_EVERY_MS = 1000 / 60;

const USUAL_WORKERS = 2;

/** A thread without a core waits with any lock, so the page needs one beside the workers. */
const CORES = navigator.hardwareConcurrency;

/** @param {HTMLFormElement} form */
function suitCores(form) {
    const slider = /** @type {HTMLInputElement} */ (form.elements.namedItem('workers'));
    slider.value = String(Math.min(USUAL_WORKERS, Math.max(1, CORES - 1)));
}

/** The view in which workers and the page share a mutex, holdfast's or the textbook's. @implements {View} */
export class MutexView {
    #controls;
    #timeline = canvasOf('timeline');
    #closeUpCanvas = canvasOf('close-up');
    #histogram = canvasOf('histogram');
    #heldDot = new Dot(element('held-dot'));
    #closeUp = new CloseUp();
    /** @type {Round | undefined} */
    #round;
    #endBusyWork = () => {};
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #asking;
    #settings = '';
    /** How many of the page's holds the dot has shown. */
    #stepped = 0;

    /** @param {() => void} onChange */
    constructor(onChange) {
        const form = /** @type {HTMLFormElement} */ (element('mutex-controls'));
        suitCores(form);
        this.#controls = new Controls(form, onChange);
    }

    start() {
        const workers = this.#controls.number('workers');
        const sectionUs = this.#controls.number('section');
        const busyMs = this.#controls.number('busy');
        const lock = this.#controls.text('lock') === 'textbook' ? 'textbook' : 'holdfast';
        const settings = `${workers} ${sectionUs} ${busyMs}`;
        if (settings !== this.#settings) {
            clearColumns();
        }
        this.#settings = settings;
        this.#stepped = 0;
        this.#closeUp = new CloseUp();
        [this.#timeline, this.#closeUpCanvas].forEach((canvas) => makeRoom(canvas, workers));
        markColumn(lock);
        element('cores').hidden = workers < CORES;
        const [cores, crew] = [counted(CORES, 'core'), counted(workers, 'worker')];
        show(
            'cores',
            `The page and ${crew} share ${cores} here: they wait for those as well as for the lock.`,
        );
        this.#round = new Round({ lock, workers, sectionUs });
        this.#endBusyWork = startBusyWork(busyMs);
        this.#asking = setInterval(() => this.#round?.ask(), ASK_EVERY_MS);
    }

    stop() {
        clearInterval(this.#asking);
        this.#endBusyWork();
        this.#round?.stop();
    }

    /** @param {number} now */
    work(now) {
        const round = this.#round;
        round?.readJournals();
        if (round?.started !== undefined) {
            this.#closeUp.look(round, now);
        }
    }

    /** @param {number} now */
    draw(now) {
        if (this.#round === undefined) {
            return;
        }
        drawTimeline(this.#timeline, this.#round, sharesOf(this.#round, now), now);
        this.#closeUp.draw(this.#closeUpCanvas, this.#round.threads.workers.length);
        drawHistogram(this.#histogram, this.#round.waits, now);
        for (; this.#stepped < this.#round.held; this.#stepped += 1) {
            this.#heldDot.step();
        }
    }

    /** @param {number} now */
    showFigures(now) {
        const round = this.#round;
        if (round?.started === undefined) {
            return;
        }
        const { setting, waits, workerSections, lost } = round;
        const counts = waits.countsAt(now);
        const percentile = (/** @type {number} */ share) =>
            counts.total === 0 ? undefined : counts.percentile(share);
        showColumn(setting.lock, {
            median: percentile(0.5),
            p99: percentile(0.99),
            worst: percentile(1),
            unanswered: waits.unanswered,
            sections: (workerSections / (now - round.started)) * 1000,
            shares: sharesOf(round, now),
        });
        show('lost', `Updates lost: ${lost}.`);
        element('lost').classList.toggle('alarm', lost > 0);
        this.#showVerdict(round, now, percentile(0.5), percentile(0.99));
        show('close-up-words', this.#closeUp.words);
        this.#closeUpCanvas.setAttribute('aria-label', this.#closeUp.words);
        this.#histogram.setAttribute('aria-label', describeHistogram(waits));
    }

    /** @param {Round} round @param {number} now @param {number | undefined} median @param {number | undefined} p99 */
    #showVerdict({ setting, waits }, now, median, p99) {
        const waited = waits.oldestOpen === undefined ? 0 : now - waits.oldestOpen.asked;
        const starves = waited > NOTICED_MS;
        const words = starves
            ? `The page has been waiting for ${titleOf(setting.lock)} for ${duration(waited)}.`
            : `With ${titleOf(setting.lock)} half of the requests wait up to ${duration(median ?? 0)}, 99 of 100 up to ${duration(p99 ?? 0)}.`;
        show('verdict', words);
        element('verdict').classList.toggle('alarm', starves);
        this.#timeline.setAttribute('aria-label', `The last seconds of the page and the workers. ${words}`);
    }
}
