"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/**
 * Plots over the same time as the lanes: confidence, speed and count; of what has a pose its position, its angles and its
 * reprojection error, of all else that is tracked the middle and size of its box.
 */
annotateReview.Plots = class Plots {
    /** Lines in one plot that can be told apart. */
    static #MOST = 8;
    /** CSS pixels for the times below. */
    static #AXIS = 18;
    /** Name, unit, where the values are and the least span of the scale. */
    static #POSE = [["x", "m", "tx", 0.001], ["y", "m", "ty", 0.001], ["z", "m", "tz", 0.001], ["Roll", "°", "roll", 0.1],
        ["Pitch", "°", "pitch", 0.1], ["Yaw", "°", "yaw", 0.1], ["Reprojection error", "px", "error", null]];
    static #BOX = [["Centre x", "px", "x", 1], ["Centre y", "px", "y", 1], ["Width", "px", "width", 1],
        ["Height", "px", "height", 1]];

    /** The plots that show what a figure of an expectation is about. */
    static #FIGURES = {
        confidence: ["Confidence"], reprojectionError: ["Reprojection error"], jitter: ["Centre x", "Centre y"],
        jump: ["Centre x", "Centre y"], positionJitter: ["x", "y", "z"], positionJump: ["x", "y", "z"],
        rotationJitter: ["Roll", "Pitch", "Yaw"], rotationJump: ["Roll", "Pitch", "Yaw"],
    };

    #view;
    #timeline;
    #port;
    #base;
    #cursor;
    #line;
    #results = null;
    #redraw;
    #read;
    #series = null;
    #strips = [];
    #kept = { key: null, values: new Map() };
    /** What a pointer is over: { strip, index, line }; null for nothing. */
    #pointed = null;
    #accent = "#0b57c2";

    constructor(view, timeline) {
        [this.#view, this.#timeline] = [view, timeline];
        [this.#port, this.#base, this.#cursor, this.#line] = ["#plots", "#plots-base", "#plots-cursor", "#plots-line"]
            .map((selector) => annotatePage.find(selector));
        // Long lines are slow to draw where no graphics card does it: lanes move at once, plots some times a second.
        this.#redraw = annotatePage.throttled(60, () => this.draw());
        // A job's first picture is waited for; numbers may come later.
        this.#read = annotatePage.throttled(400, () => this.#readSeries());
        timeline.onChange(() => this.#redraw());
        new ResizeObserver(() => this.#redraw()).observe(this.#port);
        window.addEventListener("scroll", () => this.#redraw(), { passive: true });
        timeline.attach(this.#cursor, {
            seek: (time) => view.seekTime(time), hover: (time, y, event) => this.#hover(time, y, event),
        });
    }

    open(results) {
        this.#results = results;
        this.#redraw();
    }

    close() {
        this.#series?.stop();
        [this.#results, this.#series, this.#strips, this.#pointed] = [null, null, [], null];
        this.#kept = { key: null, values: new Map() };
    }

    redraw() { this.#redraw(); }

    /** Names of the plots that are marked. */
    get marked() {
        const { figure } = this.#view;
        return Object.hasOwn(Plots.#FIGURES, figure ?? "") ? Plots.#FIGURES[figure] : [];
    }

    /** The things whose lines are drawn. */
    get chosen() {
        const { selected } = this.#view;
        if (selected !== null) return [this.#results.things[selected]];
        return this.#results.things.filter((thing) => this.#view.isShown(thing) && thing.track !== undefined)
            .slice(0, Plots.#MOST);
    }

    #readSeries() {
        if (!this.#results?.count) return;
        const places = this.chosen.filter((thing) => thing.track !== undefined && (thing.hasPlace || thing.hasPose));
        if (!places.length) return;
        if (!this.#series?.has(places)) {
            this.#series?.stop();
            this.#series = new annotateReview.Series(this.#results, places);
        }
        const { from, to } = this.#timeline.columns(this.#port.clientWidth);
        this.#series.read(from, to, () => this.#redraw())
            .catch(() => annotateReview.app.say("Results of this job can't be read: make the page anew."));
    }

    // MARK: Drawing

    draw() {
        if (!this.#results?.count || !this.#port.clientWidth) return;
        this.#read();
        const width = this.#port.clientWidth;
        const frames = this.#timeline.columns(width);
        const strips = this.#strips = this.#all(frames);
        const height = strips.length * annotateReview.Strip.HEIGHT + Plots.#AXIS;
        this.#port.style.height = `${height}px`;
        const context = annotateReview.Timeline.context(this.#base, width, height);
        const colors = annotateReview.Timeline.colors();
        this.#accent = colors.accent;
        this.#drawTimes(context, width, height, colors);
        const { top } = this.#port.getBoundingClientRect();
        strips.forEach((strip, number) => {
            const place = number * annotateReview.Strip.HEIGHT;
            // What isn't in the window isn't drawn.
            if (top + place > window.innerHeight || top + place + annotateReview.Strip.HEIGHT < 0) return;
            this.#drawStrip(context, strip, place, width, frames, colors, Plots.#dark.matches);
        });
        this.#describe();
        this.#drawPointed();
        this.drawCursor();
    }

    #drawStrip(context, strip, place, width, frames, colors, isDark) {
        strip.scale?.();
        strip.isMarked = this.marked.includes(strip.name);
        strip.drawFrame(context, place, width, colors);
        if (strip.name === "Confidence") this.#drawDoubtful(context, strip, place, width, colors);
        for (const line of strip.lines) {
            const color = line.thing ? Plots.#inkOf(line.thing.color, isDark) : colors.accent;
            strip.drawLine(context, line, place, frames, color);
        }
    }

    /** All plots for paper, each on its own canvas; the times are under the last. */
    paper() {
        if (!this.#results?.count) return [];
        const { PAPER } = annotateReview.Timeline;
        const colors = annotateReview.Timeline.colors(true);
        const frames = this.#timeline.columns(PAPER);
        const strips = this.#all(frames);
        const cursor = this.#timeline.x(this.#results.times[this.#view.index] ?? 0, PAPER);
        return strips.map((strip, number) => {
            const height = annotateReview.Strip.HEIGHT + (number === strips.length - 1 ? Plots.#AXIS : 0);
            return annotateReview.Timeline.paper(height, (context) => {
                this.#drawTimes(context, PAPER, height, colors, height > annotateReview.Strip.HEIGHT);
                this.#drawStrip(context, strip, 0, PAPER, frames, colors, false);
                if (cursor < annotateReview.Timeline.GUTTER || cursor > PAPER) return;
                context.fillStyle = colors.accent;
                context.fillRect(cursor, 0, 1, height);
            });
        });
    }

    /** All plots, with what they show of the frames in sight. */
    #all(frames) {
        const { Strip } = annotateReview;
        const chosen = this.chosen;
        const lines = (things, values) => things.map((thing) => ({ thing, values: values(thing) }));
        const own = this.#own(chosen);
        const ownLines = (what) => lines(chosen, (thing) => {
            const values = own.get(thing.index)[what];
            return (index) => values[index];
        });
        const speed = new Strip("Speed", "px/s", ownLines("speed"));
        speed.scale = () => Plots.#upToMost(speed, frames, 1);
        const counts = this.#counts();
        const count = new Strip("In sight", "", [{ thing: null, values: (index) => counts[index] }]);
        count.scale = () => Plots.#upToMost(count, frames, 1);
        const strips = [new Strip("Confidence", "", ownLines("confidence")), speed, count];
        const tracks = chosen.filter((thing) => thing.track !== undefined);
        for (const [plots, things] of [[Plots.#POSE, tracks.filter((thing) => thing.hasPose)],
            [Plots.#BOX, tracks.filter((thing) => thing.hasPlace && !thing.hasPose)]]) {
            if (!things.length) continue;
            for (const [name, unit, key, span] of plots) {
                const strip = new Strip(name, unit, lines(things, (thing) => {
                    const values = this.#series?.of(thing, key);
                    return (index) => values?.[index] ?? NaN;
                }));
                strip.scale = () => span === null ? Plots.#upToMost(strip, frames, 0.1) : strip.fit(frames, span);
                strips.push(strip);
            }
        }
        return strips;
    }

    /** Confidences and speeds of the things whose lines are drawn, and of no others. */
    #own(chosen) {
        const key = chosen.map((thing) => thing.index).join();
        if (this.#kept.key !== key) {
            this.#kept = { key, values: new Map(chosen.map((thing) => [thing.index,
                { confidence: thing.series("confidence"), speed: thing.series("speed") }])) };
        }
        return this.#kept.values;
    }

    static #upToMost(strip, { from, to }, least) {
        let most = least;
        for (const { values } of strip.lines) for (let index = from; index <= to; index++) if (values(index) > most) most = values(index);
        strip.upTo(most > 10 ? Math.ceil(most) : most);
    }

    /** How many of the shown are in sight in each frame. */
    #counts() {
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
        return changes;
    }

    #drawDoubtful(context, strip, place, width, colors) {
        const y = Math.round(strip.y(annotateReview.batch.doubtful, place)) + 0.5;
        context.setLineDash([4, 4]);
        context.strokeStyle = colors.doubt;
        context.lineWidth = 1;
        context.beginPath();
        context.moveTo(annotateReview.Timeline.GUTTER, y);
        context.lineTo(width - annotateReview.Timeline.MARGIN, y);
        context.stroke();
        context.setLineDash([]);
    }

    /** Times below, as the ruler has them, and lines up from them; or these alone. */
    #drawTimes(context, width, height, colors, hasTexts = true) {
        const { ticks, decimals } = this.#timeline.ticks(width);
        context.font = `11px ${colors.font}`;
        context.textBaseline = "top";
        for (const tick of ticks) {
            const x = this.#timeline.x(tick, width);
            context.fillStyle = colors.edge;
            context.globalAlpha = 0.5;
            context.fillRect(x, 0, 1, height);
            context.globalAlpha = 1;
            if (!hasTexts) continue;
            context.fillStyle = colors.faint;
            const text = annotateReview.format.time(tick, decimals);
            if (x + context.measureText(text).width < width) context.fillText(text, x + 4, height - Plots.#AXIS + 3);
        }
        if (!hasTexts) return;
        context.fillStyle = colors.faint;
        context.fillText("Time, min:s", 24, height - Plots.#AXIS + 3);
    }

    /** A thing's colour, darker where the ground is white: they are made for pictures. */
    static #inkOf(color, isDark) {
        if (isDark) return color;
        const parts = [1, 3, 5].map((start) => Math.round(parseInt(color.slice(start, start + 2), 16) * 0.68));
        return `rgb(${parts.join(" ")})`;
    }
    static #dark = matchMedia("(prefers-color-scheme: dark)");

    #describe() {
        const names = this.#strips.map((strip) => strip.unit ? `${strip.name} (${strip.unit})` : strip.name);
        this.#port.setAttribute("aria-label", `Plots over time: ${names.join(", ")}; the table of observations says the same of a frame`);
        annotatePage.find("#plots-pose").hidden = !this.#strips.some((strip) => strip.name === "Roll");
    }

    /** The line of the frame that is shown: an element, since a canvas of all plots is slow to draw for every picture. */
    drawCursor() {
        if (!this.#results?.count || !this.#port.clientWidth) return;
        const width = this.#port.clientWidth;
        const x = this.#timeline.x(this.#results.times[this.#view.index] ?? 0, width);
        this.#line.hidden = x < annotateReview.Timeline.GUTTER || x > width;
        // On paper plots are narrower.
        this.#line.style.left = `${Math.round(x) / width * 100}%`;
    }

    // MARK: Pointing

    #drawPointed() {
        if (!this.#results?.count || !this.#port.clientWidth) return;
        const [width, height] = [this.#port.clientWidth, this.#strips.length * annotateReview.Strip.HEIGHT + Plots.#AXIS];
        const context = annotateReview.Timeline.context(this.#cursor, width, height);
        const pointed = this.#pointed;
        const strip = this.#strips[pointed?.strip];
        const line = strip?.lines[pointed.line];
        const value = line?.values(pointed.index);
        if (value === undefined || value !== value) return;
        context.beginPath();
        context.arc(this.#timeline.x(this.#results.times[pointed.index], width),
            strip.y(value, pointed.strip * annotateReview.Strip.HEIGHT), 4, 0, 7);
        context.strokeStyle = this.#accent;
        context.lineWidth = 2;
        context.stroke();
    }

    #hover(time, y, event) {
        const number = Math.floor(y / annotateReview.Strip.HEIGHT);
        const strip = time === undefined || time === null || !this.#results?.count ? null : this.#strips[number];
        if (!strip) {
            this.#pointed = null;
            annotateReview.Timeline.tellNothing();
            this.#drawPointed();
            return;
        }
        const index = this.#results.indexAt(time);
        // The nearest line first.
        const near = strip.lines.map((line, number_) => ({ line, number: number_, value: line.values(index) }))
            .filter(({ value }) => value === value)
            .map((each) => ({ ...each, distance: Math.abs(strip.y(each.value, number * annotateReview.Strip.HEIGHT) - y) }))
            .sort((a, b) => a.distance - b.distance).slice(0, 3);
        this.#pointed = { strip: number, index, line: near[0]?.number ?? -1 };
        this.#drawPointed();
        const unit = strip.unit ? ` ${strip.unit}` : "";
        annotateReview.Timeline.tell([strip.name, `frame ${this.#results.first + index}`,
            annotateReview.format.time(this.#results.times[index]),
            ...near.map(({ line, value }) => line.thing
                ? `${annotateReview.format.short(line.thing.title, 24)} ${strip.text(value, 1)}${unit}${Plots.#mark(line.thing, index)}`
                : `${strip.text(value, 1)}${unit}`),
            near.length ? null : "not seen"], event);
    }

    static #mark(thing, index) {
        const state = thing.state(index);
        return state === "predicted" || state === "held" ? ` (${state})` : "";
    }
};
