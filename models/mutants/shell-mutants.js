/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Mistakes in the glue, one line each: the fuzzer, or a test, has to notice every one. */

/* Left out, since nobody can tell them from the right code but by steps in vain: a queue that steps while its own section
 * runs (the step says that it has to wait), and a watch that is not stopped (its end is one step more). */

/** As what finds a mistake: the fuzzer. */
export const FUZZER = 'fuzzer';

/**
 * `foundBy`: the file of tests/glue/ that notices it, without its ending, or the fuzzer;
 * '' if none is known to.
 *
 * @typedef {[name: string, from: string, to: string, foundBy: string]} ShellMutant `from` stands in the file exactly once
 */

/** By file. @type {Record<string, ShellMutant[]>} */
export const SHELL_MUTANTS = {
    'js-glue/waiting/decide.js': [
        [
            'a new request begins only while something holds it up',
            "phase === 'idle' && !event.isHeldUp",
            "phase === 'idle' && event.isHeldUp",
            'waiting-decisions',
        ],
        [
            'the requests go on only while a section holds them up',
            'return event.isHeldUp ? unchanged :',
            'return !event.isHeldUp ? unchanged :',
            'waiting-decisions',
        ],
        [
            "sections of one thread follow each other without its other work's turn",
            'return event.isOver\n',
            'return event.isOver === undefined\n',
            'waiting-decisions',
        ],
        [
            'requests that rested do not go on',
            "return phase === 'resting' || phase === 'changed' ?",
            "return phase === 'changed' ?",
            'waiting-decisions',
        ],
        [
            'a request that was met ends once more',
            "return request.waits ? { state, actions: [{ type: 'end', request, reason }] } : unchanged;",
            "return { state, actions: [{ type: 'end', request, reason }] };",
            'waiting-decisions',
        ],
        [
            'a wait that was done at the last moment is rejected',
            "[isMet ? { type: 'run', request } : {",
            '[{',
            'waiting-decisions',
        ],
        [
            'a next request that asks for something else does not look',
            "const changes = wasFirst && left === 'other'",
            "const changes = !wasFirst && left === 'other'",
            'waiting-decisions',
        ],
        [
            'a next request that asks for something else has no job to look in',
            "(changes ? [{ type: 'defer' }] : [])",
            '([])',
            'waiting-decisions',
        ],
        [
            'the requests behind one that has failed do not go on',
            "            { type: 'goOn' },\n        ],",
            '        ],',
            'waiting-decisions',
        ],
        [
            'an entry that could not be made counts as made',
            '        state[word] = false;\n',
            '',
            'waiting-decisions',
        ],
        [
            'the requests of a freed lock never settle',
            "[...stopTimer(state), { type: 'rejectAll' }]",
            'stopTimer(state)',
            'waiting-decisions',
        ],
    ],
    'js-glue/waiting/queue.js': [
        [
            'the requests do not go on when their section is over',
            "        if (this.waits) {\n            this.hear({ type: 'released', waits: true",
            "        if (!this.waits) {\n            this.hear({ type: 'released', waits: true",
            'request-queue',
        ],
        [
            'the requests go on within the call that released',
            "return environment.queueMicrotask(() => this.hear({ type: 'wentOn', isOver: isBurstOver() }));",
            "return this.hear({ type: 'wentOn', isOver: isBurstOver() });",
            'request-queue',
        ],
        [
            'the requests do not begin again after a section that lost the lock',
            '        this.#requested(false);\n',
            '',
            'mutex-lost-locks',
        ],
        [
            'a request that is given up stays in the list',
            '        this.#requests.remove(request);\n        const next',
            '        const next',
            'request-queue',
        ],
        [
            'a request that is given up never settles',
            'return action.request.reject(action.reason);',
            'return undefined;',
            'request-queue',
        ],
        [
            'the words are not told that a request was given up',
            'const isMet = this.#waitable.abandon?.(request.ask) === true;',
            'const isMet = false;',
            'request-queue',
        ],
        [
            'a queue whose last request was given up goes on waiting',
            "next === undefined ? 'none' :",
            "next === undefined ? 'same' :",
            'sweep',
        ],
        [
            'the next request counts as one that asks for the same',
            "next.ask === request.ask ? 'same' : 'other'",
            "'same'",
            'semaphore',
        ],
        [
            'what came of an action is told after what callbacks brought about',
            'this.#events.unshift(outcome);',
            'this.#events.push(outcome);',
            'throwing-signals',
        ],
        [
            'a dispatch has no end',
            '        } finally {\n            this.#dispatching = false;\n        }',
            '        } finally {\n            this.#dispatching = true;\n        }',
            'request-queue',
        ],
        [
            'a thread that waits no longer does not withdraw',
            'return this.#waitable.withdraw();',
            'return undefined;',
            'condition',
        ],
        [
            'a request whose signal has aborted is met all the same',
            'hasTimers() ? first?.signal && abortOf(first.signal) :',
            'hasTimers() ? undefined :',
            'request-queue',
        ],
        [
            'a request that is met stays in the list while it runs',
            'this.#requests.shift().run();',
            'this.#requests.first?.run();\n                this.#requests.shift();',
            FUZZER,
        ],
        [
            'the next request is not met after a section that ended at once',
            "                return { type: 'released', waits: this.waits, isHeldUp: this.isHeldUp };",
            '                return undefined;',
            'shared-signal',
        ],
        [
            'a timeout of 0 waits',
            '        if (wait.timeout === 0) {',
            '        if (wait.timeout < 0) {',
            'timeouts',
        ],
        [
            'a signal that throws leaves its request in the list',
            "                this.#requests.remove(request); // by the signal's own code\n",
            '',
            'throwing-signals',
        ],
        [
            'the end of a watch is not heard',
            'isOn: watch === this.#watch',
            'isOn: watch === undefined',
            FUZZER,
        ],
        [
            'of many requests of a freed lock some never settle',
            'return this.requests.first !== undefined;',
            'return false;',
            'yielding',
        ],
    ],
    'js-glue/waiting/request.js': [
        ['the process is kept alive for ever', 'if (pending === 0) {', 'if (pending < 0) {', 'request-queue'],
        [
            'each request keeps the process alive by itself',
            'handle ??= environment.setInterval',
            'handle = environment.setInterval',
            'request-queue',
        ],
        ['the process is kept alive once only', '        handle = undefined;\n', '', 'semaphore'],
        ['the process is not kept alive', '        keepAlive(); // until `endWait`\n', '', 'shared-signal'],
        [
            'the process is kept alive when the wait is over',
            '        keepAliveNoMore();\n',
            '',
            'request-queue',
        ],
        ['a time limit stays when the wait is over', '        this.#limit?.remove(this);\n', '', 'mutex'],
        [
            'a listener stays when the wait is over',
            '        this.#abort?.remove(this);\n',
            '',
            'throwing-signals',
        ],
        [
            'a request has no timeout',
            'this.timeout !== Infinity) {',
            'this.timeout === Infinity) {',
            'request-queue',
        ],
        [
            'a request does not listen to its signal',
            '            this.#abort.add(this);\n',
            '',
            'request-queue',
        ],
        ['what a callback throws is lost', 'this.reject(error);', 'this.#resolve(error);', 'mutex'],
        [
            'a request that is over still seems to wait',
            '        waiting.delete(this.promise);\n',
            '',
            'request-queue',
        ],
        [
            'a traced request that is over still seems to wait',
            '        waiting.delete(this.standIn);\n',
            '',
            'request-queue',
        ],
        [
            'a section that waits for itself is not known',
            'return waiting.get(promise)?.queue === queue;',
            'return waiting.get(promise)?.queue !== queue;',
            'mutex',
        ],
        [
            'one that is taken out stays behind the one before it',
            '            previous.next = next;\n',
            '            ',
            'shared-signal',
        ],
        [
            'the last one that is taken out stays the last',
            '            this.#last = previous;\n',
            '            ',
            'request-queue',
        ],
        [
            'one that is taken out stays before the one behind it',
            '            next.previous = previous;\n',
            '            ',
            'request-queue',
        ],
        [
            'a second request is not found',
            '            this.#last.next = request;\n',
            '            ',
            'request-queue',
        ],
    ],
    'js-glue/waiting/ends.js': [
        [
            'a signal that has aborted while it was listened to is kept',
            'if (this.isOn) {\n            aborts.set',
            'if (true) {\n            aborts.set',
            'throwing-signals',
        ],
        [
            'an abort has no reason',
            'return abortOf(this.#signal)?.reason;',
            'return undefined;',
            'request-queue',
        ],
        [
            'the listener of a signal stays',
            "            this.#signal.removeEventListener('abort', this.#listener);\n",
            '',
            'throwing-signals',
        ],
        [
            'a signal that is used again has no listener',
            '        aborts.delete(this.#signal);\n',
            '',
            'mutex',
        ],
        [
            'the first request to go takes what ends it from the others',
            'if (this.#requests.delete(request) && this.#requests.size === 0) {',
            'if (this.#requests.delete(request)) {',
            FUZZER,
        ],
        [
            'what ends several requests is looked at for ever',
            'if (this.#requests.delete(request) && this.#requests.size === 0) {',
            'if (this.#requests.delete(request) && this.#requests.size < 0) {',
            'throwing-signals',
        ],
        ['what ends requests ends none', '        tell(this);\n', '', 'request-queue'],
        [
            'an abort ends one request only',
            '            left -= 1;\n            if (left === 0) {\n                break;\n            }\n        }\n        return this.#requests.size > 0;',
            '            break;\n        }\n        return false;',
            'shared-signal',
        ],
        [
            'of many requests that end together some do not end',
            'return this.#requests.size > 0;',
            'return false;',
            'mutex',
        ],
        ['a time limit whose requests are all met stays set', '        clearAlarm(this);\n', '', 'mutex'],
        [
            'a time limit that was stopped is used again',
            '        limits.delete(this.time);\n',
            '',
            'timeouts',
        ],
        [
            'a limit by faked timers cannot be stopped',
            '        this.#timers.clearTimeout(this.#handle);\n',
            '',
            'timeouts',
        ],
    ],
    'js-glue/thread/event-loop.js': [
        [
            'a document outside windows is one of a window that is gone',
            ' && isIn(/Window/)',
            '',
            'missing-runtime-parts',
        ],
        [
            'an alarm rings with an earlier one',
            '(first = alarms[0]) && first.time <= now;',
            '(first = alarms[0]);',
            'request-queue',
        ],
        ['a long alarm rings at once', 'Math.min(left, LONGEST_DELAY_MS)', 'left', FUZZER],
        [
            'alarms of one time ring in the wrong order',
            'time <= alarm.time) + 1',
            'time < alarm.time) + 1',
            'alarms',
        ],
        [
            'an alarm that is earlier than all others rings with them',
            '    alarms.splice(place, 0, alarm);\n    if (place === 0) {',
            '    alarms.splice(place, 0, alarm);\n    if (alarms.length === 1) {',
            'alarms',
        ],
        ['an alarm that was cleared rings', '        alarms.splice(place, 1);\n', '', 'alarms'],
        [
            'the timer of an alarm that was cleared runs on',
            '        alarms.splice(place, 1);\n    }\n    if (place === 0) {',
            '        alarms.splice(place, 1);\n    }\n    if (place < -1) {',
            'alarms',
        ],
        [
            'there is no timer after the first alarm has rung',
            '        isRinging = false;\n',
            '',
            'request-queue',
        ],
        [
            'the callbacks of one thread follow each other for ever',
            'burstEnd = environment.now() + BURST_MS;',
            'burstEnd = Infinity;',
            'request-queue',
        ],
        [
            'what is left after a burst is not heard',
            '        if (news[heard]) {\n            scheduleTurn();',
            '        if (!news[heard]) {\n            scheduleTurn();',
            'request-queue',
        ],
        [
            'what is to be told later is told never',
            '    news.push({ listener, event });\n',
            '',
            'request-queue',
        ],
        ['a listener that has more to do is forgotten', '    news.splice(heard, 0, one);\n', '', 'mutex'],
        ['only one turn begins', '    isScheduled = false;\n    try {', '    try {', 'request-queue'],
        [
            'alarms of a hidden page are late',
            '            ringAlarms(); // whose timer may be late\n',
            '',
            'sweep',
        ],
        [
            'a wake of an entry is not heard',
            "        tell(waiter, { type: 'woken', word });\n",
            '',
            'request-queue',
        ],
        [
            'an entry that was refused counts as armed',
            '    if (!entry.async) {\n        return false;',
            '    if (!entry.async) {\n        return true;',
            'request-queue',
        ],
        ['the sweep does not look', '        one.waiter.look(one.word);\n', '', 'missing-runtime-parts'],
        [
            'there is one sweep only',
            '    isSweeping = armed.size > 0;\n    if (!isSweeping) {',
            '    isSweeping = true;\n    if (armed.size === 0) {',
            'sweep',
        ],
        [
            'entries that nobody needs stay',
            '            environment.notify(one.words, one.index); // a wake is for all, so nobody is robbed of one\n',
            '',
            'sweep',
        ],
    ],
    'js-glue/waiting/polling.js': [
        ['a queue that polls is not looked at', '    waiting.add(queue);\n', '', 'request-queue'],
        [
            'there is one look by timer only',
            '    alarm.time = 0;\n    const before',
            '    const before',
            'request-queue',
        ],
        ['the looks by timer go on when nobody waits', '    waiting.delete(queue);\n', '', 'request-queue'],
    ],
    'js-glue/waiting/section.js': [
        [
            'a callback that throws keeps the lock',
            '        }\n    } catch (error) {\n        section.leave();\n',
            '        }\n    } catch (error) {\n',
            'mutex',
        ],
        [
            'an async callback that rejects keeps the lock',
            '        section.leave();\n        throw error;\n    } finally {',
            '        throw error;\n    } finally {',
            'shared-signal',
        ],
        [
            'an async callback keeps the lock',
            '    end(section);\n    return value;',
            '    return value;',
            'shared-signal',
        ],
        [
            'the lock is released while an async callback runs',
            '    if (isPromise) {\n',
            '    if (isPromise) {\n        section.leave();\n',
            'shared-signal',
        ],
        [
            'a callback that throws keeps the lock of a method that blocks',
            '        section.leave();\n        throw error; // and not that of the release',
            '        throw error; // and not that of the release',
            'condition',
        ],
        [
            'a thenable is no promise',
            "typeof value?.then === 'function';",
            'value instanceof Promise;',
            'request-queue',
        ],
        [
            'a section that waits for its own request is not known',
            '    if (held.awaits(promise)) {',
            '    if (held === undefined) {',
            'mutex',
        ],
    ],
    'js-glue/waiting/guard.js': [
        ['a guard releases again and again', '        this.#section = undefined;\n', '', 'mutex'],
        [
            'a guard that lost its lock says nothing',
            '        if (error !== undefined) {\n            throw error;',
            '        if (error === undefined) {\n            throw error;',
            'request-queue',
        ],
    ],
    'js-glue/waiting/gate-queue.js': [
        [
            'a request passes those of its thread that were there before',
            'this.admitsAtOnce() &&',
            'this !== undefined &&',
            'semaphore',
        ],
        [
            'a section gives back less than it took',
            'held.owner, held.amount) === RESULT_OK;',
            '1, 1) === RESULT_OK;',
            'shared-signal',
        ],
        [
            'a section gives back twice',
            '        held.isOver = true;\n        const isDone',
            '        const isDone',
            'semaphore',
        ],
        [
            'who has passed is not noted',
            'const note = kind.noteOf?.(attachment.exports);',
            'const note = undefined;',
            'stack-overflow',
        ],
        [
            'what a section that found no stack has taken is not given back',
            '                this.#leave(this.#byteOffset, held.owner, amount);\n                held.isOver = true;\n            }\n            throw error;',
            '            }\n            throw error;',
            'stack-overflow',
        ],
        [
            'a try takes less than it was asked for',
            'return this.#gate.pass(amount, limit) ||',
            'return this.#gate.pass(1, limit) ||',
            'semaphore',
        ],
        [
            'a blocking wait that cannot pass at once does not wait',
            '            this.#gate.pass(amount, Infinity);\n',
            '            ',
            'semaphore',
        ],
    ],
    'js-glue/waiting/mutex-queue.js': [
        [
            'one that has lost the lock releases it from the section after it',
            'this.#section.holds = false; //',
            '//',
            'mutex-lost-locks',
        ],
        [
            'a section that has ended counts as one that holds the lock',
            '        section.holds = false;\n',
            '',
            'mutex-lost-locks',
        ],
        [
            'a section of the thread holds nobody up',
            'return this.#section?.holdsUp === true;',
            'return false;',
            'mutex',
        ],
        [
            'the next request does not go on after a section',
            '        if (this.isHeldUp) {\n            this.goOn();',
            '        if (!this.isHeldUp) {\n            this.goOn();',
            'request-queue',
        ],
        [
            'whoever leaves releases the lock, though another one holds it',
            'if (section === this.#section) {',
            'if (section !== undefined) {',
            'condition',
        ],
        [
            'a section that goes on after a wait holds nothing',
            '            this.enter(section);\n',
            '',
            'shared-signal',
        ],
        [
            'a section that ended while it waited gets the lock again for ever',
            'if (!this.#suspended.delete(section)) {',
            'if (this.#suspended === undefined) {',
            'condition',
        ],
    ],
    'js-glue/waiting/phase.js': [
        [
            'a wait that is given up does not end in the words',
            'mustEnd === true && this.#endsWell(token)',
            'mustEnd === undefined && this.#endsWell(token)',
            'shared-signal',
        ],
        [
            'a wait that could not begin does not end in the words',
            'if (mustEnd && this.#endsWell(token)) {',
            'if (!mustEnd && this.#endsWell(token)) {',
            'condition',
        ],
        [
            'a wait comes to nothing',
            '() => value, undefined, wait)',
            '() => undefined, undefined, wait)',
            'shared-signal',
        ],
        [
            'a wait that blocks is over too early',
            'wait(token, before, left), limit) === RESULT_OK;',
            'wait(token, before, left), limit) !== RESULT_OK;',
            'condition',
        ],
    ],
    'js-glue/memory/placed.js': [
        [
            'a subclass that keeps the place to itself makes a new lock',
            'if (!place.isTaken) {',
            'if (place === undefined) {',
            'primitives-construction',
        ],
    ],
    'js-glue/errors.js': [
        [
            'what a callback throws is looked at',
            '    } catch {\n        return false;\n    }',
            '    } finally {\n        // As if it could not throw.\n    }',
            'condition',
        ],
    ],
    'js-glue/condition.js': [
        [
            'a predicate may release the mutex that the wait then releases',
            '        this.#check(mutex); // which a predicate may have released\n',
            '',
            'condition',
        ],
        [
            'a wait comes back without the mutex',
            '            await lockAgain(holders, this.#attachment.self, section);\n',
            '            await undefined;\n',
            'shared-signal',
        ],
        [
            'a predicate that has come true late is not asked',
            '                if (!holders.isFreed && isTrue(predicate)) {\n',
            '                if (isTrue(() => false)) {\n',
            'condition',
        ],
        [
            'a wait that blocks does not release the mutex',
            '        exports.mutex_unlock(mutex.byteOffset, self);\n',
            '',
            'primitives-threads',
        ],
        [
            'a wait that blocks does not take the mutex again',
            '        exports.mutex_lock(mutex.byteOffset, self);\n',
            '',
            'condition',
        ],
    ],
    'js-glue/rwlock.js': [
        [
            'an exclusive lock is released by half where there is stack for half',
            '            exports.rwlock_unlock(this.byteOffset, NOBODY, NOBODY);\n',
            '',
            'stack-overflow',
        ],
    ],
};
