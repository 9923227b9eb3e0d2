/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { HoldfastError, LockSpace } from '../../js-glue/index.js';
import { attach } from '../../js-glue/memory/attachment.js';
import { SPACE_GRANULE } from '../../js-glue/memory/layout.js';
import { Detector } from '../support/detector.js';
import { waitWithLimit, waitWithoutLimit } from '../support/endless.js';
import { randomOf } from '../support/seed.js';
import { locksAreFree, nothingLeaks, pendingOf, queuesAreEmpty } from './at-rest.js';
import { deathsOfHolders, describeProgress, noCounts } from './counts.js';
import { Scene } from './episode.js';
import { strike } from './faults.js';
import { useLocks } from './locks-use.js';
import { MemberWords, MOST_LOCKS } from './member-words.js';
import { Protected } from './protected.js';
import { Member } from './member.js';
import { CREW, planOf } from './plan.js';

/* Runs episode after episode on the page's or Node's main thread, which ends other threads and uses the locks
 * too. There are two crews: threads of the first are ended; threads of the second wait without a limit, so a
 * lost wake there shows as a hang. */

const MS_PER_SECOND = 1000;
const MS_PER_MINUTE = 60_000;
const MS_PER_TELL = 15_000;
/** Episodes of the second crew for each of the first. */
const CALM_EPISODES = 20;
/** The share of blocking rounds of a thread that blocks. */
const BLOCKING_PART = 0.8;

/**
 * @typedef {object} Options
 * @property {number} seed
 * @property {number} minutes
 * @property {number} deaths the least number of deaths of lock holders; the run goes on after its time until
 *     then
 * @property {WebAssembly.Module} endless the module with waits that have no limit
 * @property {import('./member.js').StartThread} startThread
 * @property {(line: string) => void} tell
 */

/**
 * The size of the largest free block.
 *
 * @param {LockSpace} space
 */
function capacityOf(space) {
    for (let bytes = space.buffer.byteLength; ; bytes -= SPACE_GRANULE) {
        try {
            space.free(space.alloc(bytes));
            return bytes;
        } catch (error) {
            if (!(error instanceof HoldfastError) || error.code !== 'HF_NO_SPACE') {
                throw error;
            }
        }
    }
}

/**
 * @param {Promise<unknown>[]} promises
 * @returns {Promise<never>} rejects when the first of them rejects
 */
function failureOf(promises) {
    const never = /** @type {Promise<never>} */ (new Promise(() => {}));
    return Promise.race(promises.map((promise) => promise.then(() => never)));
}

class Stress {
    counts = noCounts();
    #space = new LockSpace();
    #capacity = capacityOf(this.#space);
    #data = new Protected();
    #page = new MemberWords();
    /** @type {Member[]} */
    #mortals = [];
    /** @type {Member[]} */
    #calm = [];
    /** @type {Set<number>} */
    #addresses = new Set();
    #options;

    /** @param {Pick<Options, 'endless' | 'startThread'>} options */
    constructor(options) {
        this.#options = options;
        this.#page.self = attach(this.#space.memory).self;
    }

    /**
     * @param {boolean} blocks
     * @param {WebAssembly.Module} [endless]
     */
    async #start(blocks, endless) {
        const member = new Member(this.#options.startThread, blocks);
        await member.ask('begin', { words: member.words.shared, space: this.#space.handle, endless });
        return member;
    }

    /** @param {import('../support/seed.js').Random} random */
    async begin(random) {
        for (let index = 0; index < CREW; index += 1) {
            this.#mortals.push(await this.#start(random.chance(0.5)));
            this.#calm.push(await this.#start(index > 0, this.#options.endless));
        }
    }

    /** @param {import('./plan.js').Plan} plan */
    async play(plan) {
        const crew = plan.mortal ? this.#mortals : this.#calm;
        const scene = new Scene(plan, crew, this.#page, this.counts);
        (plan.mortal ? waitWithLimit : waitWithoutLimit)();
        await scene.makeLocks();
        for (const { byteOffset } of scene.mutexes) {
            this.counts.locksMade += 1;
            this.counts.addressesUsedAgain += this.#addresses.has(byteOffset) ? 1 : 0;
            this.#addresses.add(byteOffset);
        }
        await this.#work(scene);
        await scene.declaresDead();
        await locksAreFree(scene, this.#useOfPage(scene));
        this.#noUpdateIsLost(scene);
        this.#deathsAreTold(scene);
        await this.#tidyUp(scene);
        this.counts.episodes += 1;
    }

    /** @param {Scene} scene */
    async #work(scene) {
        const { plan, crew } = scene;
        scene.living.forEach((words) => (words.stopped = false));
        const page = plan.allBlock ? Promise.resolve() : useLocks(this.#useOfPage(scene));
        crew.forEach((member, index) => this.#sendToWork(scene, member, plan.seeds[index] ?? 0));
        for (const fault of plan.faults) {
            const struck = strike(scene, fault, (next) => this.#startAnother(scene, next));
            await Promise.race([struck, failureOf([page, ...crew.map(({ work }) => work)])]);
        }
        if (plan.mortal) {
            scene.living.forEach((words) => (words.stopped = true));
        }
        await scene.within(Promise.all([page, ...crew.map(({ work }) => work)]), 'the work of an episode');
    }

    /** @param {Scene} scene */
    #useOfPage({ plan, mutexes }) {
        const { section, busy, rounds } = plan;
        const use = { section, busy, rounds, mutexes, data: this.#data, words: this.#page, blocking: 0 };
        return { ...use, random: randomOf(plan.pageSeed) };
    }

    /**
     * @param {Scene} scene
     * @param {Member} member
     * @param {number} seed
     */
    #sendToWork({ plan, mutexes }, member, seed) {
        const { section, busy, rounds } = plan;
        const handles = mutexes.map(({ handle }) => handle);
        const blocking = plan.allBlock ? 1 : member.blocks ? BLOCKING_PART : 0;
        member.work = member.ask('work', {
            section,
            busy,
            rounds,
            handles,
            data: this.#data.buffer,
            seed,
            blocking,
        });
        member.work.catch(() => {}); // awaited at the end
    }

    /**
     * @param {Scene} scene
     * @param {import('./plan.js').Fault} fault
     */
    async #startAnother(scene, { blocks, seed }) {
        const member = await scene.within(this.#start(blocks), 'another thread begins');
        this.#sendToWork(scene, member, seed);
        return member;
    }

    /** @param {Scene} scene */
    #noUpdateIsLost(scene) {
        const { dead, living } = scene;
        const torn = [...living, ...dead.map(({ words }) => words)].reduce((sum, { torn }) => sum + torn, 0);
        let sections = 0;
        for (let lock = 0; lock < MOST_LOCKS; lock += 1) {
            const ran = this.#data.sections(lock);
            const { total } = new Detector(this.#data.buffer, lock);
            if (total !== ran || torn !== 0) {
                const seen = `${ran} sections of lock ${lock} ran, ${total} are counted, ${torn} seen half done`;
                throw new Error(`${seen}\n${scene.describe()}`);
            }
            sections += total;
        }
        this.counts.sections = sections;
        for (const { words } of dead) {
            this.counts.givenBack += words.givenBack;
            this.counts.ended += words.ended;
        }
    }

    /**
     * Checks the notes: one repair for each thread that died in a section, no other repair, and no report
     * about a living thread.
     *
     * @param {Scene} scene
     */
    #deathsAreTold(scene) {
        const { told, repaired } = this.#data.takeNotes();
        const dead = new Set(scene.dead.map(({ words }) => words.self));
        const wrong = [...told, ...repaired].filter(({ whom }) => whom !== 0 && !dead.has(whom));
        /** @type {Map<string, import('./protected.js').Note>} */
        const last = new Map();
        for (const note of repaired.filter(({ whom }) => whom !== 0)) {
            const before = last.get(`${note.lock} ${note.whom}`);
            if (before !== undefined && !dead.has(before.by)) {
                wrong.push(note); // the earlier repair was complete
            }
            last.set(`${note.lock} ${note.whom}`, note);
        }
        const unrepaired = scene.dead.filter(
            ({ words: { self, lingersWith } }) =>
                lingersWith !== undefined && !last.has(`${lingersWith} ${self}`),
        );
        const besides = repaired.filter(({ whom }) => whom === 0);
        const most = scene.dead.length * scene.mutexes.length;
        if (wrong.length > 0 || unrepaired.length > 0 || last.size + besides.length > most) {
            const [first] = wrong;
            const seen = `${wrong.length} wrong notes, first ${JSON.stringify(first)}, ${unrepaired.length} deaths of holders without a repair`;
            throw new Error(`${seen}; ${repaired.length} repairs\n${scene.describe()}`);
        }
        this.counts.told += told.length;
        this.counts.repairs += repaired.length;
        this.counts.diedInside += last.size;
        this.counts.diedAsOwner += besides.length;
    }

    /** @param {Scene} scene */
    async #tidyUp(scene) {
        if (scene.plan.freesAtOnce) {
            await scene.freeLocks(this.#space);
            queuesAreEmpty(scene);
            this.counts.freedAtOnce += scene.mutexes.length;
        } else {
            await nothingLeaks(scene);
            await scene.freeLocks(this.#space);
        }
    }

    /** Counts the resources left after the last episode. */
    async end() {
        const none = { ...planOf(0, 'calm'), makers: [], freers: [] };
        const scene = new Scene(none, [...this.#mortals, ...this.#calm], this.#page, this.counts);
        await nothingLeaks(scene);
        const { timers, listeners, entries, handles } = await pendingOf(scene);
        const bytes = this.#capacity - capacityOf(this.#space);
        this.counts.left = { timers, listeners, entries, handles, bytes };
        this.counts.ended += scene.living.reduce((sum, { ended }) => sum + ended, 0);
        await Promise.all(scene.crew.map((member) => member.terminate()));
        if (bytes !== 0) {
            throw new Error(`${bytes} bytes of the space were not freed`);
        }
    }
}

/**
 * @param {Options} options
 * @returns {Promise<import('./counts.js').Counts>}
 */
export async function stress({ seed, minutes, deaths, tell, ...options }) {
    const random = randomOf(seed);
    const run = new Stress(options);
    const start = performance.now();
    const end = start + minutes * MS_PER_MINUTE;
    let nextTell = start + MS_PER_TELL;
    await run.begin(random);
    const isOver = () => performance.now() >= end;
    for (let episode = 0; !isOver() || deathsOfHolders(run.counts) < deaths; episode += 1) {
        const other = episode % (CALM_EPISODES + 1) === 0 ? 'mortal' : 'calm';
        const plan = planOf(random.below(2 ** 31), isOver() ? 'hunt' : other);
        try {
            await run.play(plan);
        } catch (error) {
            const { message } = /** @type {Error} */ (error);
            const seconds = (performance.now() - start) / MS_PER_SECOND;
            const where = `seed ${seed}, after ${seconds.toFixed(1)} s, ${describeProgress(run.counts)}`;
            throw new Error(`${where}\n${message}\n${JSON.stringify(plan)}`, { cause: error });
        }
        if (performance.now() > nextTell) {
            nextTell += MS_PER_TELL;
            tell(describeProgress(run.counts));
        }
    }
    await run.end();
    return run.counts;
}
