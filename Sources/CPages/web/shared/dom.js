"use strict";
globalThis.annotatePage = globalThis.annotatePage || {};

/**
 * Makes an element. Texts go in as texts: names and labels come from strangers, and none is ever taken for HTML.
 *
 * @param {string} tag
 * @param {Object} [properties] Properties of the element ("className", "onclick"), or attributes where the name has a "-" or
 *     is no property ("aria-sort", "scope"); null and undefined are left out; `data` becomes the dataset.
 * @param {...(Node|string|number|null)} children
 */
annotatePage.element = function (tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === null || value === undefined) continue;
        if (name === "data") Object.assign(made.dataset, value);
        else if (name.includes("-") || !(name in made)) made.setAttribute(name, value);
        else made[name] = value;
    }
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
};

/** The first element of a selector within a node, the page by default. */
annotatePage.find = (selector, within = document) => within.querySelector(selector);

/** Calls an action once at most in a while, the last time for certain. */
annotatePage.throttled = function (milliseconds, action) {
    let timer = 0;
    return () => {
        if (timer) return;
        timer = setTimeout(() => {
            timer = 0;
            action();
        }, milliseconds);
    };
};

/** Calls an action before the next picture of the screen, however often it is asked for. */
annotatePage.nextPicture = function (action) {
    let isDue = false;
    return () => {
        if (isDue) return;
        isDue = true;
        requestAnimationFrame(() => {
            isDue = false;
            action();
        });
    };
};
