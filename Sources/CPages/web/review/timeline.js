"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** The part of a job's time that lanes and plots show, and what a pointer does over it. */
annotateReview.Timeline = class Timeline {
    /** CSS pixels at the left for names. */
    static GUTTER = 168;
    /** CSS pixels at the right that stay free. */
    static MARGIN = 10;
    /** CSS pixels that a page of paper has upright, between its margins. */
    static PAPER = 700;

    static #scheme = matchMedia("(prefers-color-scheme: dark)");
    static #colors = null;

    #listeners = [];
    #results = null;
    #columns = null;
    from = 0;
    to = 1;

    onChange(listener) { this.#listeners.push(listener); }

    open(results) {
        this.#results = results;
        this.#set(results.start, results.end);
    }

    get isWhole() { return !this.#results || (this.from <= this.#results.start && this.to >= this.#results.end); }

    /** The screen's x of a time, CSS pixels, in a drawing of this width. */
    x(time, width) {
        const span = width - Timeline.GUTTER - Timeline.MARGIN;
        return Timeline.GUTTER + (time - this.from) / (this.to - this.from) * span;
    }

    time(x, width) {
        const span = width - Timeline.GUTTER - Timeline.MARGIN;
        return this.from + (x - Timeline.GUTTER) / span * (this.to - this.from);
    }

    /** Zooms by a factor around a time. */
    zoom(factor, around) {
        const least = Math.min(0.2, this.#results.end - this.#results.start);
        const span = Math.max((this.to - this.from) / factor, least);
        const share = (around - this.from) / (this.to - this.from);
        this.#set(around - share * span, around + (1 - share) * span);
    }

    showAll() { this.#set(this.#results.start, this.#results.end); }

    pan(seconds) { this.#set(this.from + seconds, this.to + seconds); }

    /** Turns the page where a time isn't in it. */
    follow(time) {
        if (time < this.from || time > this.to) {
            const span = this.to - this.from;
            this.#set(time - span * 0.1, time + span * 0.9);
        }
    }

    #set(from, to) {
        const [start, end] = [this.#results.start, Math.max(this.#results.end, this.#results.start + 0.001)];
        const span = Math.min(to - from, end - start);
        const left = Math.min(Math.max(from, start), end - span);
        [this.from, this.to] = [left, left + span];
        this.#columns = null;
        for (const listener of this.#listeners) listener();
    }

    /**
     * The frames in sight and the column of each in a drawing of this width, from the gutter on: counted once for all lanes.
     * @returns {{from: number, to: number, count: number, step: number, of: Int32Array}} `of` starts with the frame `from`;
     *     a column is `step` CSS pixels wide.
     */
    columns(width) {
        if (this.#columns?.width === width) return this.#columns;
        const { times } = this.#results;
        const [from, to] = [this.#results.indexAt(this.from), this.#results.indexAt(this.to)];
        // Where each pixel has frames of its own, lines of twice the points say no more and take twice as long.
        const span = width - Timeline.GUTTER - Timeline.MARGIN;
        const step = to - from > span ? 2 : 1;
        const count = Math.max(Math.floor(span / step), 1);
        const of = new Int32Array(to - from + 1);
        const scale = count / (this.to - this.from);
        for (let index = from; index <= to; index++) {
            of[index - from] = Math.min(Math.max(Math.round((times[index] - this.from) * scale), 0), count - 1);
        }
        return this.#columns = { width, from, to, count, step, of };
    }

    /** Times for the ruler: some nice step apart. */
    ticks(width) {
        const most = Math.max((width - Timeline.GUTTER) / 90, 2);
        const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600];
        const step = steps.find((each) => (this.to - this.from) / each <= most) ?? 86400;
        const ticks = [];
        for (let time = Math.ceil(this.from / step - 1e-9) * step; time <= this.to + 1e-9; time += step) ticks.push(time);
        return { ticks, decimals: step < 0.1 ? 2 : step < 1 ? 1 : 0 };
    }

    /** Lets a pointer seek over an element; dragging scrubs, the wheel zooms with Ctrl held and goes on with Shift. */
    attach(element, actions) {
        let isDragging = false;
        const at = (event) => {
            const box = element.getBoundingClientRect();
            return { x: event.clientX - box.left, y: event.clientY - box.top, width: element.clientWidth };
        };
        const seek = (event) => {
            const { x, width } = at(event);
            actions.seek(this.time(Math.max(x, Timeline.GUTTER), width));
        };
        element.addEventListener("pointerdown", (event) => {
            if (event.button !== 0 || !this.#results) return;
            const place = at(event);
            if (place.x < Timeline.GUTTER) {
                actions.choose?.(place.y);
                return;
            }
            isDragging = true;
            element.setPointerCapture(event.pointerId);
            seek(event);
        });
        element.addEventListener("pointermove", (event) => {
            if (isDragging) seek(event);
            const { x, y, width } = at(event);
            actions.hover?.(x < Timeline.GUTTER ? null : this.time(x, width), y, event);
        });
        for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, () => { isDragging = false; });
        element.addEventListener("pointerleave", (event) => actions.hover?.(undefined, 0, event));
        element.addEventListener("wheel", (event) => {
            if (!this.#results || (!event.ctrlKey && !event.shiftKey)) return;
            event.preventDefault();
            const { x, width } = at(event);
            const delta = event.deltaY || event.deltaX;
            if (event.ctrlKey) this.zoom(delta < 0 ? 1.25 : 0.8, this.time(x, width));
            else this.pan(Math.sign(delta) * (this.to - this.from) * 0.1);
        }, { passive: false });
    }

    /** Says beside the pointer what it is over. */
    static tell(words, event) {
        const tip = annotatePage.find("#tip");
        tip.hidden = false;
        tip.textContent = annotateReview.format.short(words.filter(Boolean).join(" · "), 160);
        tip.style.left = `${Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8)}px`;
        tip.style.top = `${event.clientY - 34}px`;
    }

    static tellNothing() { annotatePage.find("#tip").hidden = true; }

    /** A canvas as large as an element, in the screen's own pixels; what is drawn is in CSS pixels. */
    static context(canvas, width, height) {
        const density = window.devicePixelRatio || 1;
        const pixels = [Math.max(Math.round(width * density), 1), Math.max(Math.round(height * density), 1)];
        if (canvas.width !== pixels[0] || canvas.height !== pixels[1]) [canvas.width, canvas.height] = pixels;
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
        const context = canvas.getContext("2d");
        context.setTransform(density, 0, 0, density, 0, 0);
        context.clearRect(0, 0, width, height);
        return context;
    }

    /**
     * A canvas for paper. The screen's own are as wide as the window, hold what is in sight alone and may be drawn anew
     * while a page is laid out; these are drawn once, as wide as a page, and a page may end between two of them.
     * @param {function} draw Draws with a context in CSS pixels.
     */
    static paper(height, draw) {
        const density = 2;
        const canvas = annotatePage.element("canvas",
            { width: Timeline.PAPER * density, height: height * density, className: "paper" });
        const context = canvas.getContext("2d");
        context.scale(density, density);
        draw(context);
        return canvas;
    }

    /**
     * The page's own colours, for canvases.
     * @param {boolean} isPaper Whether they are those of paper, which is white whatever the screen is.
     */
    static colors(isPaper = false) {
        // Asking a style for fifteen colours is slow where lanes are zoomed.
        if (Timeline.#colors && !isPaper) return Timeline.#colors;
        Timeline.#scheme.onchange = () => { Timeline.#colors = null; };
        const style = getComputedStyle(document.body);
        const probe = annotatePage.find("#color-probe");
        probe.style.colorScheme = isPaper ? "light" : "";
        const color = (name) => {
            // light-dark() is only computed where a property uses it.
            probe.style.color = `var(${name})`;
            return getComputedStyle(probe).color;
        };
        const names = ["--text", "--faint", "--edge", "--raised", "--accent", "--good", "--bad", "--doubt", "--ground",
            "--state-seen", "--state-seeded", "--state-recovered", "--state-predicted", "--state-held", "--state-lost"];
        const found = Object.fromEntries(names.map((name) => [name.slice(2), color(name)]));
        const colors = { font: style.fontFamily, ...found };
        return isPaper ? colors : Timeline.#colors = colors;
    }
};
