/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* Run by tests/package/package.test.js in a project that has installed the package: two copies in one thread, as in a
 * program that is partly CommonJS. */
const required = require('holdfast');

/** @param {() => unknown} call */
function codeOf(call) {
    try {
        return call();
    } catch ({ code }) {
        return code;
    }
}

async function main() {
    const imported = await import('holdfast');
    const mutex = new required.Mutex({ space: new required.LockSpace() });
    const same = imported.Mutex.from(mutex.handle);
    const words = [required.Mutex === imported.Mutex ? 'one copy' : 'two copies'];
    const codes = [
        [mutex, same],
        [same, mutex],
    ].map(([holder, other]) => holder.exec(() => codeOf(() => other.lock())));
    words.push(codes[0] === codes[1] ? `${codes[0]} both ways` : codes.join());
    mutex.lock();
    let turns = '';
    const requests = [mutex, same, mutex, same].map((each, turn) =>
        each.execAsync(async () => {
            turns += turn;
            await null;
            turns += turn;
        }),
    );
    same.unlock(); // by the other copy
    await Promise.all(requests);
    words.push(/^(?:(\d)\1){4}$/.test(turns) ? 'in turn' : turns);
    console.log(words.join(', '));
}

void main();
