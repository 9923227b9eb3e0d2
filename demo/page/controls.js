/* SPDX-License-Identifier: MIT
 * Copyright (c) 2026 the holdfast authors */

/** The form of a view: shows the values of its sliders, and reports changes. */
export class Controls {
    #form;

    /** @param {HTMLFormElement} form @param {() => void} onChange */
    constructor(form, onChange) {
        this.#form = form;
        form.addEventListener('input', () => this.#showValues());
        form.addEventListener('change', onChange);
        form.addEventListener('submit', (event) => event.preventDefault());
        this.#showValues();
    }

    /** @param {string} name */
    text(name) {
        return String(new FormData(this.#form).get(name));
    }

    /** @param {string} name */
    number(name) {
        return Number(this.text(name));
    }

    #showValues() {
        for (const slider of this.#form.querySelectorAll('input')) {
            // Not an output element: the label would name that in place of the slider, which announces its
            // value itself.
            const value = slider.parentElement?.querySelector('b');
            if (slider.type === 'range' && value) {
                const text = [slider.value, slider.dataset.unit].join(' ').trim();
                value.textContent = text;
                slider.setAttribute('aria-valuetext', text);
            }
        }
    }
}
