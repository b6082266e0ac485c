"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** Switches for stages, labels and tracks of a job, and which of them are off. */
annotateReview.Choices = class Choices {
    /** Switches made of one kind; the search finds the rest. */
    static #MOST = 200;

    #view;
    #off = { stage: new Set(), label: new Set(), thing: new Set() };
    #results = null;
    #search;

    constructor(view) {
        this.#view = view;
        this.#search = annotatePage.find("#track-search");
        this.#search.addEventListener("input", () => this.#fillThings());
        for (const kind of ["stage", "label", "thing"]) {
            annotatePage.find(`#choices-${kind}`).addEventListener("change", (event) => {
                const { value } = event.target.dataset;
                this.#set(kind, kind === "thing" ? Number(value) : value, event.target.checked);
                view.choicesChanged();
            });
        }
        annotatePage.find("#choices-thing").addEventListener("click", (event) => {
            const button = event.target.closest("button[data-thing]");
            if (!button) return;
            const index = Number(button.dataset.thing);
            view.select(view.selected === index ? null : index);
        });
    }

    open(results) {
        this.#results = results;
        for (const off of Object.values(this.#off)) off.clear();
        this.#search.value = "";
        const labels = [...new Set(results.things.map((thing) => thing.label).filter((label) => label !== undefined))];
        this.#fill("stage", results.stages.map((stage) => [stage.id, `${stage.id} (${stage.type})`]));
        this.#fill("label", labels.map((label) => [label, label]));
        this.#fillThings();
    }

    isShown(thing) {
        return !this.#off.stage.has(thing.stage) && !this.#off.label.has(thing.label) && !this.#off.thing.has(thing.index);
    }

    /** Shows a thing alone; all others are switched off, or on again where they are already. */
    only(index) {
        const others = this.#results.things.filter((thing) => thing.index !== index).map((thing) => thing.index);
        const isAlone = others.length > 0 && others.every((other) => this.#off.thing.has(other));
        this.#off.thing.clear();
        if (!isAlone) for (const other of others) this.#off.thing.add(other);
        this.#fillThings();
    }

    /** Switches all on. */
    reset() {
        for (const off of Object.values(this.#off)) off.clear();
        for (const box of document.querySelectorAll("#choices input[type=checkbox]")) box.checked = true;
    }

    #set(kind, value, isOn) {
        if (isOn) this.#off[kind].delete(value); else this.#off[kind].add(value);
    }

    #fill(kind, choices) {
        const { element } = annotatePage;
        const group = annotatePage.find(`#choices-${kind}`);
        group.hidden = choices.length === 0;
        group.querySelector(".switches").replaceChildren(...choices.slice(0, Choices.#MOST).map(([value, name]) =>
            element("label", { className: "switch", title: name },
                element("input", { type: "checkbox", checked: !this.#off[kind].has(value), data: { value } }),
                element("span", {}, annotateReview.format.short(name, 40)))));
    }

    #fillThings() {
        const { element } = annotatePage;
        const wanted = this.#search.value.trim().toLowerCase();
        const found = this.#results.things.filter((thing) => !wanted
            || `${thing.title} ${thing.region ?? ""} ${thing.stage} ${thing.kind}`.toLowerCase().includes(wanted));
        const rows = found.slice(0, Choices.#MOST).map((thing) => {
            const swatch = element("span", { className: "swatch" });
            swatch.style.background = thing.color;
            const isChosen = thing.index === this.#view.selected;
            return element("div", { className: "switch" },
                element("input", { type: "checkbox", checked: !this.#off.thing.has(thing.index), data: { value: thing.index },
                    "aria-label": `show ${annotateReview.format.short(thing.title)} of ${thing.stage}` }),
                swatch,
                element("button", { type: "button", className: "link", title: `${thing.title} (${thing.stage})`,
                    data: { thing: thing.index }, "aria-pressed": String(isChosen) },
                annotateReview.format.short(thing.title, 40)),
                element("span", { className: "faint" }, thing.stage));
        });
        if (found.length > rows.length) rows.push(element("p", { className: "faint" }, `and ${found.length - rows.length} more`));
        annotatePage.find("#choices-thing .switches").replaceChildren(...rows);
    }

    /** Shows which thing is chosen. */
    mark() {
        for (const button of document.querySelectorAll("#choices-thing button[data-thing]")) {
            button.setAttribute("aria-pressed", String(Number(button.dataset.thing) === this.#view.selected));
        }
    }
};
