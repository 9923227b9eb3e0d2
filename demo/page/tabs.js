/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/* The pattern "tabs" of the ARIA Authoring Practices: one tab is in the order of the Tab key, arrows go to the
 * others, Home and End to the first and the last. The address names the tab after its #. */

/** @type {Record<string, (index: number, count: number) => number>} */
const STEPS = {
    ArrowRight: (index, count) => (index + 1) % count,
    ArrowLeft: (index, count) => (index + count - 1) % count,
    Home: () => 0,
    End: (_, count) => count - 1,
};

/** @param {HTMLElement} tab @param {boolean} chosen */
function mark(tab, chosen) {
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
    panel?.toggleAttribute('hidden', !chosen);
}

/**
 * @param {HTMLElement} list the element with the role tablist
 * @param {(name: string) => void} onChosen gets the data-view of the chosen tab; first that of the address
 */
export function startTabs(list, onChosen) {
    const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role=tab]')]);
    const choose = (/** @type {HTMLElement} */ chosen) => {
        tabs.forEach((tab) => mark(tab, tab === chosen));
        onChosen(chosen.dataset.view ?? '');
    };
    const chooseByUser = (/** @type {HTMLElement} */ tab) => {
        history.replaceState(undefined, '', `#${tab.dataset.view}`);
        choose(tab);
    };
    const chooseByAddress = () => {
        const named = tabs.find((tab) => `#${tab.dataset.view}` === location.hash) ?? tabs[0];
        if (named !== undefined) {
            choose(named);
        }
    };
    list.addEventListener('keydown', (event) => {
        const index = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
        const tab = tabs[STEPS[event.key]?.(index, tabs.length) ?? -1];
        if (index >= 0 && tab !== undefined) {
            event.preventDefault();
            tab.focus();
            chooseByUser(tab);
        }
    });
    tabs.forEach((tab) => tab.addEventListener('click', () => chooseByUser(tab)));
    addEventListener('hashchange', chooseByAddress);
    chooseByAddress();
}
