"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The observations of the frame that is shown, as a table with every field. */
annotateReview.Observations = class Observations {
    static #HEAD = new Set(["stage", "kind", "track", "of", "region", "label", "confidence", "state", "box", "polygon", "held",
        "thing", "marks"]);
    /** Rows made: a frame of thousands of words would make the page stiff. */
    static #MOST = 300;

    #view;
    #body;
    #caption;

    constructor(view) {
        this.#view = view;
        [this.#body, this.#caption] = ["#observations tbody", "#observations caption"].map((each) => annotatePage.find(each));
        this.#body.addEventListener("click", (event) => {
            const row = event.target.closest("tr[data-thing]");
            if (row) view.select(Number(row.dataset.thing) === view.selected ? null : Number(row.dataset.thing));
        });
    }

    /** @param {Object[]|null} observations Of the frame; null while they are read. */
    show(observations, results, index) {
        const { element } = annotatePage;
        if (observations === null) return;
        const shown = observations.filter((each) => results.things[each.thing] && this.#view.isShown(results.things[each.thing]));
        const hidden = observations.length - shown.length;
        this.#caption.textContent = `Frame ${results.first + index}: `
            + annotateReview.format.counted(shown.length, "observation")
            + (hidden ? `, and ${hidden} of what is switched off` : "")
            + (shown.length > Observations.#MOST ? `; the first ${Observations.#MOST}` : "");
        this.#body.replaceChildren(...shown.slice(0, Observations.#MOST).map((each) => this.#row(each, results)));
        if (!shown.length) {
            this.#body.append(element("tr", {}, element("td", { colSpan: 7, className: "faint" }, observations.length
                ? "Everything that is seen here is switched off." : "Nothing was seen in this frame.")));
        }
    }

    #row(observation, results) {
        const { element } = annotatePage;
        const { format } = annotateReview;
        const thing = results.things[observation.thing];
        const isChosen = thing.index === this.#view.selected;
        const name = element("button", { type: "button", className: "link", "aria-pressed": String(isChosen) },
            format.short(observation.label ?? thing.name));
        const swatch = element("span", { className: "swatch" });
        swatch.style.background = thing.color;
        const state = [observation.state, observation.held ? "carried over" : null].filter(Boolean).join(", ");
        return element("tr", { data: { thing: thing.index }, className: isChosen ? "chosen" : "" },
            element("th", { scope: "row", title: String(observation.label ?? thing.title) }, swatch, name),
            element("td", { className: "number" },
                observation.track ?? (observation.of === undefined ? "" : `of ${observation.of}`)),
            element("td", {}, `${observation.stage} · ${observation.kind}`),
            element("td", {}, state || "seen"),
            element("td", { className: "number" },
                typeof observation.confidence === "number" ? format.confidence(observation.confidence) : ""),
            element("td", { className: "number" }, this.#place(observation)),
            element("td", { className: "fields" }, ...this.#fields(observation)));
    }

    #place(observation) {
        if (observation.box) return observation.box.map((value) => Math.round(value * 10) / 10).join(", ");
        const bounds = annotateReview.overlay.bounds(observation);
        if (!bounds) return "";
        const [left, top, right, bottom] = bounds;
        return [left, top, right - left, bottom - top].map((value) => Math.round(value * 10) / 10).join(", ");
    }

    /** The kind's own fields with their units, the region and corners. */
    #fields(observation) {
        const { element } = annotatePage;
        const known = annotateReview.batch.kinds?.[observation.kind]?.fields ?? {};
        const entries = [];
        const add = (path, value) => {
            const field = known[path] ?? {};
            if (value !== null && typeof value === "object" && !Array.isArray(value)) {
                for (const [name, inner] of Object.entries(value)) add(`${path}.${name}`, inner);
                return;
            }
            const text = annotateReview.format.value(value);
            entries.push(element("span", { className: "field", title: field.doc ? `${path}: ${field.doc}` : path },
                element("span", { className: "faint" }, `${path} `),
                annotateReview.format.short(text, 120) + (field.unit ? ` ${field.unit}` : "")));
        };
        if (observation.region !== undefined) add("region", observation.region);
        if (observation.polygon) add("corners", observation.polygon);
        for (const [name, value] of Object.entries(observation)) if (!Observations.#HEAD.has(name)) add(name, value);
        return entries;
    }
};
