/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { useOwnMutex } from './use-own-mutex.jsx';

const MOUNTS = 50;

/** @type {Set<number>} */
const places = new Set();

/** @param {{ onHeld: () => void }} props */
function Owner({ onHeld }) {
    const mutex = useOwnMutex();
    useEffect(() => {
        if (mutex !== null) {
            places.add(mutex.byteOffset);
            mutex.execAsync(onHeld);
        }
    }, [mutex, onHeld]);
    return null;
}

const root = createRoot(document.getElementById('root'));
for (let mount = 0; mount < MOUNTS; mount += 1) {
    await new Promise((resolve) => {
        root.render(
            <StrictMode>
                <Owner key={mount} onHeld={() => resolve(undefined)} />
            </StrictMode>,
        );
    });
}
globalThis.outcome = { mounts: MOUNTS, places: places.size };
