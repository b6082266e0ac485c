"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The job's moments: buttons for the next and previous of each kind, and a list. */
annotateReview.MomentPanel = class MomentPanel {
    static #MOST = 300;

    #view;
    #kind;
    #list;
    #results = null;

    constructor(view) {
        const { element, find } = annotatePage;
        this.#view = view;
        [this.#kind, this.#list] = ["#moment-kind", "#moment-list"].map((selector) => find(selector));
        this.#kind.addEventListener("change", () => this.#fill());
        this.#list.addEventListener("click", (event) => {
            const button = event.target.closest("button[data-moment]");
            if (button) view.goTo(this.#results.moments[Number(button.dataset.moment)], true);
        });
        find("#moment-buttons").append(...annotateReview.moments.kinds.map((kind) =>
            element("span", { className: "pair", data: { what: kind.what } },
                element("button", { type: "button", title: `previous (${kind.key.toUpperCase()})`,
                    "aria-label": `previous: ${kind.doc}`, data: { command: `previous-${kind.what}` } }, "‹"),
                element("span", { className: "pair-name", title: kind.doc }, kind.name),
                element("button", { type: "button", title: `next (${kind.key})`,
                    "aria-label": `next: ${kind.doc}`, data: { command: `next-${kind.what}` } }, "›"))));
    }

    open(results) {
        this.#results = results;
        const counts = new Map();
        for (const moment of results.moments) counts.set(moment.what, (counts.get(moment.what) ?? 0) + 1);
        for (const pair of document.querySelectorAll("#moment-buttons .pair")) {
            const count = counts.get(pair.dataset.what) ?? 0;
            const { name } = annotateReview.moments.kinds.find((kind) => kind.what === pair.dataset.what);
            pair.querySelector(".pair-name").textContent = `${name} ${count}`;
            pair.hidden = count === 0;
        }
        const { element } = annotatePage;
        this.#kind.replaceChildren(
            element("option", { value: "notable" }, "all but begin and end"), element("option", { value: "" }, "all"),
            ...[...counts].map(([what, count]) => element("option", { value: what },
                `${annotateReview.moments.name(what)} (${count})`)));
        this.#fill();
    }

    isWanted(moment) {
        const kind = this.#kind.value;
        return kind === "" || (kind === "notable" ? !["first", "last"].includes(moment.what) : moment.what === kind);
    }

    #fill() {
        const { element } = annotatePage;
        const { format } = annotateReview;
        const all = this.#results.moments.map((moment, number) => [moment, number]).filter(([moment]) => this.isWanted(moment));
        const rows = all.slice(0, MomentPanel.#MOST).map(([moment, number]) => element("li", {},
            element("button", { type: "button", className: "row", data: { moment: number } },
                element("span", { className: "number" }, format.time(moment.time, 2)),
                element("span", { className: `kind ${moment.what}` }, annotateReview.moments.name(moment.what)),
                element("span", {}, format.short(moment.text, 80)))));
        const more = all.length - rows.length;
        if (!all.length) rows.push(element("li", { className: "faint" }, "No such moment in this job."));
        if (more > 0) rows.push(element("li", { className: "faint" }, `and ${more} more: choose a kind`));
        if (this.#results.job.momentsLeftOut) {
            rows.push(element("li", { className: "faint" }, `${format.counted(this.#results.job.momentsLeftOut, "moment")} more `
                + "than the page holds: a lower --doubtful finds fewer."));
        }
        this.#list.replaceChildren(...rows);
    }

    /** Shows which moments the frame belongs to, and gives what they say. */
    mark(index) {
        for (const button of this.#list.querySelectorAll("button[data-moment]")) {
            const moment = this.#results.moments[Number(button.dataset.moment)];
            const isHere = moment.index <= index && index <= moment.last;
            if (isHere) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
        }
        return this.#results.moments.filter((moment) => moment.index === index).map((moment) => moment.text);
    }
};

/** What the reviewer says of the frame, or of the chosen track in it. */
annotateReview.RemarkPanel = class RemarkPanel {
    #view;
    #text;
    #target;
    #list;
    /** Whether what is typed was let go of. */
    #isLeft = false;
    /** What is being written about, also while the video plays on; null where nothing is. */
    #written = null;

    constructor(view) {
        const { find } = annotatePage;
        this.#view = view;
        [this.#text, this.#target, this.#list] = ["#remark-text", "#remark-target", "#remark-list"].map((each) => find(each));
        this.#text.addEventListener("change", () => {
            if (!this.#isLeft) this.save({ text: this.#text.value }, this.#written);
        });
        this.#text.addEventListener("focus", () => {
            this.#isLeft = false;
            this.#written = view.results?.count ? this.#shown : null;
        });
        this.#text.addEventListener("blur", () => {
            this.#written = null;
            this.show();
        });
        this.#text.addEventListener("keydown", (event) => {
            if (event.key === "Enter") this.#text.blur();
            if (event.key !== "Escape") return;
            // What was typed is let go of.
            this.#isLeft = true;
            this.#text.blur();
        });
        this.#list.addEventListener("click", (event) => {
            const button = event.target.closest("button[data-frame]");
            if (!button) return;
            const track = button.dataset.track;
            view.goToRemark(Number(button.dataset.frame), track === undefined ? undefined : Number(track));
        });
    }

    /** What is shown. */
    get #shown() {
        const { results, index, selected } = this.#view;
        const thing = selected === null ? undefined : results.things[selected];
        return { job: results.job.id, frame: results.first + index, time: results.times[index], thing };
    }

    #remarkOf(place) { return annotateReview.remarks.get(place.job, place.frame, place.thing?.track); }

    get current() { return this.#remarkOf(this.#shown); }

    /** Changes what is said of a place, of what is shown by default: a mark, a text, or both. */
    save(change, place = null) {
        if (!this.#view.results?.count) return;
        const { job, frame, time, thing } = place ?? this.#shown;
        annotateReview.remarks.set({
            ...this.#remarkOf({ job, frame, thing }) ?? { text: "" }, job, frame, time: Math.round(time * 1e6) / 1e6,
            ...(thing?.track === undefined ? {} : { track: thing.track }), ...change });
    }

    /** Marks; the same mark again takes it back. */
    toggle(mark) { this.save({ mark: this.current?.mark === mark ? undefined : mark }); }

    /** Shows what is said of this frame, or what is being written about. */
    show() {
        if (!this.#view.results) return;
        const { frame, thing } = this.#written ?? this.#shown;
        this.#target.textContent = thing?.track === undefined ? `Frame ${frame}`
            : `${annotateReview.format.short(thing.title, 30)} in frame ${frame}`;
        const remark = this.current;
        for (const mark of annotateReview.remarks.MARKS) {
            annotatePage.find(`[data-command="mark-${mark}"]`).setAttribute("aria-pressed", String(remark?.mark === mark));
        }
        if (document.activeElement !== this.#text) this.#text.value = remark?.text ?? "";
    }

    /** Shows all that is said of this job. */
    fill() {
        const { element } = annotatePage;
        const remarks = this.#view.remarks;
        this.#list.replaceChildren(...remarks.map((remark) => element("li", {},
            element("button", { type: "button", className: "row",
                data: { frame: remark.frame, ...(remark.track === undefined ? {} : { track: remark.track }) } },
            element("span", { className: "number" }, annotateReview.format.time(remark.time, 2)),
            element("span", { className: `kind mark-${remark.mark ?? "none"}` }, remark.mark ?? "remark"),
            element("span", {}, (remark.track === undefined ? "" : `#${remark.track} `)
                + annotateReview.format.short(remark.text, 80))))));
        if (!remarks.length) this.#list.append(element("li", { className: "faint" }, "Nothing was said of this job yet."));
        this.show();
    }
};
