/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Mistakes in the shell around the glue's decisions, one line each: the fuzzer, or a test, has to notice every one. */

/* Left out, since nobody can tell them from the code as it is but by steps in vain: a queue that steps while its own
 * section runs (the step says that it has to wait), a timer of a watch that runs on (it ends at a step more), and a count
 * of takes that is too large (only the way is longer then). */

/**
 * @typedef {[name: string, from: string, to: string]} ShellMutant what stands in the file exactly once
 */

/** By file. @type {Record<string, ShellMutant[]>} */
export const SHELL_MUTANTS = {
    'js-glue/waiting/queue.js': [
        [
            'a new request begins only while something holds it up',
            "this.#dispatch({ type: 'requested', isHeldUp: this.isHeldUp });",
            "this.#dispatch({ type: 'requested', isHeldUp: !this.isHeldUp });",
        ],
        [
            'the requests do not go on when what held them up is over',
            '        if (this.waits) {\n            this.#dispatch(this.#served());',
            '        if (!this.waits) {\n            this.#dispatch(this.#served());',
        ],
        [
            'the requests go on within the call that released',
            "environment.queueMicrotask(() => this.#dispatch({ type: 'sectionEnded', rest: isOver() }));",
            "this.#dispatch({ type: 'sectionEnded', rest: isOver() });",
        ],
        [
            'a request that is given up stays in the list',
            '        const wasFirst = this.#requests.first === request;\n        this.#remove(request);',
            '        const wasFirst = this.#requests.first === request;',
        ],
        [
            'a request that is given up never settles',
            '            request.reject(reason);\n        }\n        const { first }',
            '        }\n        const { first }',
        ],
        [
            'the words are not told that a request was given up',
            'if (this.#waitable.abandon?.(request.ask)) {',
            'if (this.#waitable === undefined) {',
        ],
        [
            'a queue whose last request was given up goes on waiting',
            "first === undefined ? 'none' :",
            "first === undefined ? 'same' :",
        ],
        [
            'the next request, which asks for less, does not look when the first was given up',
            "first.ask === request.ask ? 'same' : 'other'",
            "first.ask === undefined ? 'other' : 'same'",
        ],
        [
            'what came of an action is told after what callbacks brought about',
            'this.#events.unshift(outcome);',
            'this.#events.push(outcome);',
        ],
        [
            'a dispatch has no end',
            '        } finally {\n            this.#dispatching = false;\n        }',
            '        } finally {\n            this.#dispatching = true;\n        }',
        ],
        [
            'a thread that waits no longer does not withdraw',
            '                this.#waitable.withdraw();\n',
            '                ',
        ],
        [
            'a request whose signal has aborted is met all the same',
            'const end = hasTimers() ? endBy(first.signal) :',
            'const end = hasTimers() ? undefined :',
        ],
        [
            'a request that is met stays in the list while it runs',
            '        this.#remove(request);\n        request.run();',
            '        request.run();\n        this.#remove(request);',
        ],
        [
            'the next request is not met after a section that ended at once',
            '                this.#runFirst();\n                return this.#served();',
            '                this.#runFirst();\n                return undefined;',
        ],
        ['a timeout of 0 waits', '        if (wait.timeout === 0) {', '        if (wait.timeout < 0) {'],
        [
            'a signal that throws leaves its request in the list',
            "            this.#remove(request); // by the signal's own code\n",
            '',
        ],
    ],
    'js-glue/waiting/request.js': [
        ['the process is not kept alive', '        keepAlive.hold();\n', ''],
        ['the process is kept alive when the wait is over', '        keepAlive.release();\n', ''],
        ['what may end a request stays when it is over', '            group.remove(call);\n', ''],
        ['a request has no timeout', 'if (timeout !== Infinity) {', 'if (timeout === Infinity) {'],
        [
            'a request does not listen to its signal',
            '            this.#endBy(watchOf(signal), () => endBy(signal)?.reason);\n',
            '',
        ],
        [
            'what a callback throws is lost',
            '                    reject(error);',
            '                    resolve(error);',
        ],
        [
            'a section that waits for itself is not known',
            'return request?.owner === owner && request.waits;',
            'return request?.owner === owner && !request.waits;',
        ],
        ['an abort has no reason', '() => endBy(signal)?.reason', '() => undefined'],
    ],
    'js-glue/waiting/request-list.js': [
        [
            'one that is taken out stays behind the one before it',
            '            previous.next = next;\n',
            '            ',
        ],
        [
            'the last one that is taken out stays the last',
            '            this.#last = previous;\n',
            '            ',
        ],
        [
            'one that is taken out stays before the one behind it',
            '            next.previous = previous;\n',
            '            ',
        ],
        ['a second request is not found', '            this.#last.next = request;\n', '            '],
    ],
    'js-glue/waiting/abort.js': [
        [
            'the listener of a signal stays',
            "            signal.removeEventListener('abort', listener);\n",
            '',
        ],
        ['a signal that is used again has no listener', '        watches.delete(signal);\n', ''],
    ],
    'js-glue/waiting/section.js': [
        [
            'a callback that throws keeps the lock',
            '    } catch (error) {\n        held.leave(section);\n        throw error;\n    }\n    if (isPromise) {',
            '    } catch (error) {\n        throw error;\n    }\n    if (isPromise) {',
        ],
        [
            'an async callback that rejects keeps the lock',
            '        leave();\n        throw error;',
            '        throw error;',
        ],
        [
            'an async callback keeps the lock',
            '    end(held, section);\n    return value;',
            '    return value;',
        ],
        [
            'the lock is released while an async callback runs',
            '    if (isPromise) {\n',
            '    if (isPromise) {\n        held.leave(section);\n',
        ],
        [
            'a callback that throws keeps the lock of a method that blocks',
            '        held.leave(section);\n        throw error; // and not that of the release',
            '        throw error; // and not that of the release',
        ],
        ['a thenable is no promise', "typeof value.then === 'function'\n", 'value instanceof Promise\n'],
        [
            'a section that waits for its own request is not known',
            '    if (held.awaits(promise)) {',
            '    if (held === undefined) {',
        ],
    ],
    'js-glue/waiting/guard.js': [
        ['a guard releases again and again', '        this.#leave = undefined;\n', ''],
        [
            'a guard that lost its lock says nothing',
            '        if (error !== undefined) {\n            throw error;',
            '        if (error === undefined) {\n            throw error;',
        ],
    ],
    'js-glue/waiting/gate-queue.js': [
        [
            'a request passes those of its thread that were there before',
            'this.admitsAtOnce() &&',
            'this !== undefined &&',
        ],
        [
            'a section gives back less than it took',
            'const error = giveBack(amount);',
            'const error = giveBack(1);',
        ],
        [
            'a try takes less than it was asked for',
            'return this.#gate.pass(amount, limit) ||',
            'return this.#gate.pass(1, limit) ||',
        ],
        [
            'a blocking wait that cannot pass at once does not wait',
            '            this.#gate.pass(amount, Infinity);\n',
            '            ',
        ],
    ],
    'js-glue/waiting/mutex-queue.js': [
        [
            'a section of the thread holds nobody up',
            '        return this.#take > 0;\n',
            '        return false;\n',
        ],
        [
            'the next request does not go on after a section',
            '        if (wasSection) {\n            this.goOn();',
            '        if (!wasSection) {\n            this.goOn();',
        ],
        [
            'whoever leaves releases the lock, though another one holds it',
            'if (take === this.#take) {',
            'if (take !== undefined) {',
        ],
        [
            'a section that goes on after a wait holds nothing',
            '    resume(take) {\n        this.#holdBy(take);',
            '    resume(take) {',
        ],
    ],
    'js-glue/waiting/phase.js': [
        [
            'a wait that is given up does not end in the words',
            '            ...(mustEnd && { abandon: end }),\n',
            '',
        ],
        [
            'a wait that could not begin does not end in the words',
            'if (mustEnd && this.#parts.wait(token, 0, 0) === RESULT_OK) {',
            'if (!mustEnd && this.#parts.wait(token, 0, 0) === RESULT_OK) {',
        ],
        ['a wait comes to nothing', '() => value, undefined, wait)', '() => undefined, undefined, wait)'],
        [
            'a wait that blocks is over too early',
            'wait(token, before, left), limit) === RESULT_OK;',
            'wait(token, before, left), limit) !== RESULT_OK;',
        ],
    ],
    'js-glue/condition.js': [
        [
            'a wait comes back without the mutex',
            '            await lockAgain(holders, attachment.self, take);\n',
            '            await undefined;\n',
        ],
        [
            'a predicate that has come true late is not asked',
            '                if (isTrue(predicate)) {\n',
            '                if (isTrue(() => false)) {\n',
        ],
        [
            'a wait that blocks does not release the mutex',
            '        exports.mutex_unlock(mutex.byteOffset, self);\n',
            '',
        ],
        [
            'a wait that blocks does not take the mutex again',
            '        exports.mutex_lock(mutex.byteOffset, self);\n',
            '',
        ],
    ],
    'js-glue/waiting/end-group.js': [
        [
            'the first request to go takes what ends it from the others',
            'if (this.#calls.delete(call) && this.#calls.size === 0) {',
            'if (this.#calls.delete(call)) {',
        ],
        [
            'what ends several requests is looked at for ever',
            'if (this.#calls.delete(call) && this.#calls.size === 0) {',
            'if (this.#calls.delete(call) && this.#calls.size < 0) {',
        ],
        ['what ends requests ends none', '        callInTurns(this.#calls);\n', ''],
    ],
    'js-glue/waiting/burst.js': [
        [
            'an abort ends one request only',
            '            calls.delete(call);\n            call();\n',
            '            calls.delete(call);\n            call();\n            break;\n',
        ],
        [
            'the callbacks of one thread follow each other for ever',
            'end = environment.now() + BURST_MS;',
            'end = Infinity;',
        ],
        [
            'the rest of a burst is forgotten',
            'return isOver() ? runLater(callSome) : environment.queueMicrotask(callSome);',
            'return undefined;',
        ],
        ['jobs after a burst have no turn', '    later.add(job);\n', ''],
    ],
    'js-glue/waiting/sweep.js': [
        ['a wake of an entry is not heard', '        onWoken();\n', ''],
        [
            'an entry that was refused counts as armed',
            '    if (!entry.async) {\n        return false;',
            '    if (!entry.async) {\n        return true;',
        ],
    ],
    'js-glue/waiting/time-limit.js': [
        [
            'a time that is up ends only earlier ones',
            'itsTime <= time && limit.end()',
            'itsTime < time && limit.end()',
        ],
        ['all limits are that of the first', 'itsTime <= time && limit.end()', 'limit.end()'],
    ],
    'js-glue/thread/keep-alive.js': [
        ['the process is kept alive for ever', 'if (pending === 0) {', 'if (pending < 0) {'],
        [
            'each request keeps the process alive by itself',
            'handle ??= environment.setInterval',
            'handle = environment.setInterval',
        ],
        ['the process is kept alive once only', '        handle = undefined;\n', ''],
    ],
    'js-glue/thread/timer.js': [
        ['a timer is early', 'if (timers.now() < deadline) {', 'if (timers.now() < 0) {'],
        ['a long timer ends at once', 'Math.min(left, LONGEST_DELAY_MS)', 'left'],
        [
            'a timer cannot be stopped',
            'const stop = () => timers.clearTimeout(handle);',
            'const stop = () => {};',
        ],
    ],
};
