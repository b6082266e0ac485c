"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** Confidence, speed and count over the same time as the lanes. */
annotateReview.Plots = class Plots {
    static #STRIP = 62;
    /** Lines in one plot that can be told apart. */
    static #MOST = 8;

    #view;
    #timeline;
    #port;
    #base;
    #cursor;
    #results = null;
    #redraw;
    #accent = "#0b57c2";

    constructor(view, timeline) {
        [this.#view, this.#timeline] = [view, timeline];
        [this.#port, this.#base, this.#cursor] = ["#plots", "#plots-base", "#plots-cursor"]
            .map((selector) => annotatePage.find(selector));
        // Long lines are slow to draw where no graphics card does it: lanes move at once, plots some times a second.
        this.#redraw = annotatePage.throttled(60, () => this.draw());
        timeline.onChange(() => this.#redraw());
        new ResizeObserver(() => this.#redraw()).observe(this.#port);
        timeline.attach(this.#cursor, { seek: (time) => view.seekTime(time) });
    }

    open(results) {
        this.#results = results;
        this.#redraw();
    }

    close() { this.#results = null; }

    redraw() { this.#redraw(); }

    /** The things whose lines are drawn. */
    get chosen() {
        const { selected } = this.#view;
        if (selected !== null) return [this.#results.things[selected]];
        return this.#results.things.filter((thing) => this.#view.isShown(thing) && thing.track !== undefined)
            .slice(0, Plots.#MOST);
    }

    draw() {
        if (!this.#results?.count || !this.#port.clientWidth) return;
        const width = this.#port.clientWidth;
        const context = annotateReview.Timeline.context(this.#base, width, 3 * Plots.#STRIP);
        this.#port.style.height = `${3 * Plots.#STRIP}px`;
        const colors = annotateReview.Timeline.colors();
        this.#accent = colors.accent;
        const chosen = this.chosen;
        const frames = this.#timeline.columns(width);
        const speeds = chosen.map((thing) => thing.columns("speed", frames));
        const fastest = Math.max(1, ...speeds.map((columns) => columns.reduce((most, value) => value > most ? value : most, 0)));
        const counts = this.#counts(frames);
        const most = Math.max(1, ...counts);
        const strips = [
            { name: "Confidence", most: 1, scale: ["0", "1"], lines: chosen.map(
                (thing) => thing.columns("confidence", frames)) },
            { name: "Speed, px/s", most: fastest, scale: ["0", annotateReview.format.count(Math.round(fastest))], lines: speeds },
            { name: "In sight", most, scale: ["0", String(most)], lines: [counts] },
        ];
        strips.forEach((strip, number) => this.#drawStrip(context, strip, number, width, chosen, colors));
        this.drawCursor();
    }

    /** How many of the shown are in sight, the most under each column. */
    #counts({ from, to, count, of }) {
        const results = this.#results;
        const changes = new Int32Array(results.count + 1);
        for (const thing of results.things.filter((thing) => this.#view.isShown(thing))) {
            for (const [first, last, state] of thing.runs) {
                if (annotateReview.Thing.isGone(state)) continue;
                if (thing.track !== undefined) {
                    changes[first] += 1;
                    changes[last + 1] -= 1;
                    continue;
                }
                for (let index = first; index <= last; index++) {
                    const count = thing.countAt(index);
                    changes[index] += count;
                    changes[index + 1] -= count;
                }
            }
        }
        for (let index = 1; index < changes.length; index++) changes[index] += changes[index - 1];
        const columns = new Float32Array(count);
        let column = 0;
        for (let index = from; index <= to; index++) {
            const start = of[index - from];
            // Steps hold until the next frame.
            for (; column < start; column++) columns[column] = Math.max(columns[column], changes[Math.max(index - 1, from)]);
            columns[start] = Math.max(columns[start], changes[index]);
        }
        for (; column < columns.length; column++) columns[column] = Math.max(columns[column], changes[to]);
        return columns;
    }

    #drawStrip(context, strip, number, width, chosen, colors) {
        const { GUTTER, MARGIN } = annotateReview.Timeline;
        const [top, height] = [number * Plots.#STRIP + 6, Plots.#STRIP - 14];
        const yOf = (value) => top + height - value / strip.most * height;
        context.fillStyle = colors.edge;
        context.fillRect(GUTTER, top + height, width - GUTTER - MARGIN, 1);
        context.fillRect(GUTTER, top, width - GUTTER - MARGIN, 1);
        if (number === 0) {
            context.setLineDash([4, 4]);
            context.strokeStyle = colors.doubt;
            context.lineWidth = 1;
            context.beginPath();
            context.moveTo(GUTTER, Math.round(yOf(annotateReview.batch.doubtful)) + 0.5);
            context.lineTo(width - MARGIN, Math.round(yOf(annotateReview.batch.doubtful)) + 0.5);
            context.stroke();
            context.setLineDash([]);
        }
        context.font = `12px ${colors.font}`;
        context.textBaseline = "middle";
        context.fillStyle = colors.text;
        context.fillText(strip.name, 24, top + height / 2);
        context.fillStyle = colors.faint;
        context.font = `11px ${colors.font}`;
        context.textAlign = "right";
        context.fillText(strip.scale[1], GUTTER - 6, top + 5);
        context.fillText(strip.scale[0], GUTTER - 6, top + height - 3);
        context.textAlign = "left";
        strip.lines.forEach((columns, line) => {
            context.beginPath();
            let last = null;
            const { step } = this.#timeline.columns(width);
            const widest = this.#widest(columns.length);
            columns.forEach((value, column) => {
                if (value !== value) return;
                const [x, y] = [GUTTER + column * step, yOf(Math.min(value, strip.most))];
                // Columns without a frame don't break a line; a gap of more does.
                if (last === null || column - last > widest) context.moveTo(x, y);
                else context.lineTo(x, y);
                last = column;
            });
            context.lineWidth = 1.5;
            context.lineJoin = "bevel";
            context.strokeStyle = number === 2 ? colors.accent : Plots.#inkOf(chosen[line].color);
            context.stroke();
        });
    }

    /** A thing's colour, darker where the ground is white: they are made for pictures. */
    static #inkOf(color) {
        if (Plots.#dark.matches) return color;
        const parts = [1, 3, 5].map((start) => Math.round(parseInt(color.slice(start, start + 2), 16) * 0.68));
        return `rgb(${parts.join(" ")})`;
    }
    static #dark = matchMedia("(prefers-color-scheme: dark)");

    /** Columns between two frames, and some more for those that last longer. */
    #widest(columns) {
        const { from, to } = this.#timeline.columns(this.#port.clientWidth);
        return Math.max(2, Math.ceil(columns / (to - from + 1) * 3));
    }

    drawCursor() {
        if (!this.#results?.count || !this.#port.clientWidth) return;
        const [width, height] = [this.#port.clientWidth, 3 * Plots.#STRIP];
        const context = annotateReview.Timeline.context(this.#cursor, width, height);
        const x = this.#timeline.x(this.#results.times[this.#view.index] ?? 0, width);
        if (x < annotateReview.Timeline.GUTTER || x > width) return;
        context.fillStyle = this.#accent;
        context.fillRect(Math.round(x), 0, 2, height);
    }
};
