"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/**
 * A lane for each thing: its states over time, with its confidence as a line.
 *
 * Only lanes in sight are drawn, and what stays while a video plays is drawn once: hundreds of tracks cost no more than
 * a screenful. The wheel and the keyboard scroll an ordinary element; the canvases stick to its top.
 */
annotateReview.Lanes = class Lanes {
    static #ROW = 20;
    static #RULER = 24;
    /** Lanes that stay together on paper. */
    static #BLOCK = 10;

    #view;
    #timeline;
    #port;
    #spacer;
    #ruler;
    #base;
    #cursor;
    #results = null;
    #redraw;

    constructor(view, timeline) {
        [this.#view, this.#timeline] = [view, timeline];
        [this.#port, this.#spacer, this.#ruler, this.#base, this.#cursor] = ["#lanes", "#lanes-spacer", "#ruler",
            "#lanes-base", "#lanes-cursor"].map((selector) => annotatePage.find(selector));
        this.#redraw = annotatePage.nextPicture(() => this.draw());
        timeline.onChange(() => this.#redraw());
        this.#port.addEventListener("scroll", () => this.#redraw());
        new ResizeObserver(() => this.#redraw()).observe(this.#port);
        const seek = (time) => view.seekTime(time);
        timeline.attach(this.#cursor, {
            seek, choose: (y) => view.select(this.#thingAt(y)?.index ?? null),
            hover: (time, y, event) => this.#hover(time, y, event),
        });
        timeline.attach(this.#ruler, { seek, hover: (time, y, event) => this.#hoverRuler(time, event) });
    }

    open(results) {
        this.#results = results;
        this.#spacer.style.height = `${results.things.length * Lanes.#ROW}px`;
        this.#port.scrollTop = 0;
        this.#redraw();
    }

    close() { this.#results = null; }

    redraw() { this.#redraw(); }

    /** Brings a thing's lane into sight. */
    reveal(index) {
        const [top, height] = [index * Lanes.#ROW, this.#port.clientHeight];
        if (top < this.#port.scrollTop) this.#port.scrollTop = top;
        else if (top + Lanes.#ROW > this.#port.scrollTop + height) this.#port.scrollTop = top + Lanes.#ROW - height;
    }

    #thingAt(y) { return this.#results?.things[Math.floor((y + this.#port.scrollTop) / Lanes.#ROW)]; }

    draw() {
        if (!this.#results || !this.#port.clientWidth) return;
        const [width, height] = [this.#port.clientWidth, this.#port.clientHeight];
        const colors = annotateReview.Timeline.colors();
        const context = annotateReview.Timeline.context(this.#base, width, height);
        const top = this.#port.scrollTop;
        const start = Math.floor(top / Lanes.#ROW);
        const end = Math.min(this.#results.things.length, Math.ceil((top + height) / Lanes.#ROW));
        this.#drawGrid(context, width, height, colors);
        for (let row = start; row < end; row++) this.#drawLane(context, row, row * Lanes.#ROW - top, width, colors);
        this.#drawRuler(annotateReview.Timeline.context(this.#ruler, width, Lanes.#RULER), width, colors);
        this.drawCursor(colors);
    }

    /** The ruler and all lanes for paper, some lanes on each canvas. */
    paper() {
        if (!this.#results) return [];
        const { PAPER } = annotateReview.Timeline;
        const colors = annotateReview.Timeline.colors(true);
        const x = this.#timeline.x(this.#results.times[this.#view.index] ?? 0, PAPER);
        const ruler = (context) => this.#drawRuler(context, PAPER, colors);
        const drawn = [annotateReview.Timeline.paper(Lanes.#RULER, ruler)];
        for (let start = 0; start < this.#results.things.length; start += Lanes.#BLOCK) {
            const end = Math.min(start + Lanes.#BLOCK, this.#results.things.length);
            const height = (end - start) * Lanes.#ROW;
            drawn.push(annotateReview.Timeline.paper(height, (context) => {
                this.#drawGrid(context, PAPER, height, colors);
                for (let row = start; row < end; row++) {
                    this.#drawLane(context, row, (row - start) * Lanes.#ROW, PAPER, colors);
                }
                if (x < annotateReview.Timeline.GUTTER || x > PAPER) return;
                context.fillStyle = colors.accent;
                context.fillRect(x, 0, 1, height);
            }));
        }
        return drawn;
    }

    #drawGrid(context, width, height, colors) {
        context.fillStyle = colors.edge;
        context.globalAlpha = 0.5;
        for (const tick of this.#timeline.ticks(width).ticks) context.fillRect(this.#timeline.x(tick, width), 0, 1, height);
        context.globalAlpha = 1;
    }

    #drawLane(context, row, y, width, colors) {
        const thing = this.#results.things[row];
        const { GUTTER, MARGIN } = annotateReview.Timeline;
        const height = Lanes.#ROW;
        if (thing.index === this.#view.selected) {
            context.fillStyle = colors.raised;
            context.fillRect(0, y, width, height);
            context.fillStyle = colors.accent;
            context.fillRect(0, y, 3, height);
        }
        // What is switched off stays, faint: a reviewer sees what the rest is about.
        context.globalAlpha = this.#view.isShown(thing) ? 1 : 0.3;
        context.fillStyle = thing.color;
        context.fillRect(8, y + 5, 10, 10);
        context.strokeStyle = colors.faint;
        context.lineWidth = 1;
        context.strokeRect(8.5, y + 5.5, 9, 9);
        context.save();
        context.beginPath();
        context.rect(0, y, GUTTER - 8, height);
        context.clip();
        context.fillStyle = colors.text;
        context.font = `12px ${colors.font}`;
        context.textBaseline = "middle";
        context.fillText(annotateReview.format.short(thing.title, 40), 24, y + height / 2 + 0.5);
        context.restore();
        context.save();
        context.beginPath();
        context.rect(GUTTER, y, width - GUTTER - MARGIN, height);
        context.clip();
        this.#drawRuns(context, thing, y + 5, width, height - 10, colors);
        this.#drawConfidence(context, thing, y + 2, width, height - 4, colors);
        context.restore();
        this.#drawRemarks(context, thing, y, width, colors);
        context.globalAlpha = 1;
    }

    #endTime(index) {
        const results = this.#results;
        return index + 1 < results.count ? results.times[index + 1] : results.end;
    }

    #drawRuns(context, thing, y, width, height, colors) {
        const { times } = this.#results;
        const last = this.#results.indexAt(this.#timeline.to);
        for (let run = thing.runAt(this.#results.indexAt(this.#timeline.from)); run < thing.runs.length; run++) {
            const [from, to, state] = thing.runs[run];
            if (from > last) break;
            const x = this.#timeline.x(times[from], width);
            const end = this.#timeline.x(this.#endTime(to), width);
            annotateReview.states.draw(context, state, x, y, Math.max(end - x, 1), height, colors);
        }
    }

    /** The least confidence under each pixel: a dip of one frame is what a reviewer looks for. */
    #drawConfidence(context, thing, y, width, height, colors) {
        if (!thing.hasConfidence) return;
        const { GUTTER } = annotateReview.Timeline;
        const frames = this.#timeline.columns(width);
        const columns = thing.columns(frames);
        const widest = Math.max(2, Math.ceil(frames.count / frames.of.length * 3));
        context.beginPath();
        let last = -Infinity;
        columns.forEach((least, column) => {
            if (least !== least) return;
            const place = y + (1 - least) * height;
            const x = GUTTER + column * frames.step;
            if (column - last <= widest) context.lineTo(x, place); else context.moveTo(x, place);
            last = column;
        });
        // On the state's colour and beside it alike.
        context.strokeStyle = colors.ground;
        context.lineWidth = 3;
        context.stroke();
        context.strokeStyle = colors.text;
        context.lineWidth = 1.2;
        context.stroke();
    }

    #drawRemarks(context, thing, y, width, colors) {
        if (thing.track === undefined) return;
        for (const remark of this.#view.remarks) {
            if (remark.track === thing.track) this.#flag(context, remark, y + Lanes.#ROW - 2, width, colors);
        }
    }

    /** A small flag: up for right, crossed for wrong, round for unsure or a text alone. */
    #flag(context, remark, y, width, colors) {
        const index = remark.frame - this.#results.first;
        const x = this.#timeline.x(this.#results.times[index] ?? remark.time, width);
        if (x < annotateReview.Timeline.GUTTER || x > width) return;
        context.font = `bold 13px ${colors.font}`;
        context.textBaseline = "alphabetic";
        const sign = { right: "✓", wrong: "✗", unsure: "?" }[remark.mark] ?? "✎";
        context.lineWidth = 3;
        context.strokeStyle = colors.ground;
        context.strokeText(sign, x - 5, y - 3);
        context.fillStyle = { right: colors.good, wrong: colors.bad, unsure: colors.doubt }[remark.mark] ?? colors.accent;
        context.fillText(sign, x - 5, y - 3);
    }

    #drawRuler(context, width, colors) {
        const height = Lanes.#RULER;
        const { ticks, decimals } = this.#timeline.ticks(width);
        context.font = `11px ${colors.font}`;
        context.textBaseline = "top";
        for (const tick of ticks) {
            const x = this.#timeline.x(tick, width);
            context.fillStyle = colors.edge;
            context.fillRect(x, 0, 1, height);
            context.fillStyle = colors.faint;
            const text = annotateReview.format.time(tick, decimals);
            if (x + context.measureText(text).width < width) context.fillText(text, x + 4, 1);
        }
        const wanted = { lost: colors.bad, doubtful: colors.doubt, gap: colors.faint, handover: colors.accent,
            collision: colors.accent, recovered: colors.good, event: colors.accent, expectation: colors.bad };
        for (const moment of this.#results.moments) {
            const x = this.#timeline.x(moment.time, width);
            if (!wanted[moment.what] || x < annotateReview.Timeline.GUTTER || x > width) continue;
            context.fillStyle = wanted[moment.what];
            context.fillRect(x, height - 9, 2, 9);
        }
        for (const remark of this.#view.remarks.filter((each) => each.track === undefined)) {
            this.#flag(context, remark, height, width, colors);
        }
        context.font = `11px ${colors.font}`;
        context.fillStyle = colors.faint;
        context.textBaseline = "middle";
        context.fillText("moments", 24, height - 7);
    }

    /** The line of the frame that is shown. */
    drawCursor(colors = null) {
        if (!this.#results || !this.#port.clientWidth) return;
        const [width, height] = [this.#port.clientWidth, this.#port.clientHeight];
        const context = annotateReview.Timeline.context(this.#cursor, width, height);
        const x = this.#timeline.x(this.#results.times[this.#view.index] ?? 0, width);
        if (x < annotateReview.Timeline.GUTTER || x > width) return;
        this.#accent = colors?.accent ?? this.#accent;
        context.fillStyle = this.#accent;
        context.fillRect(Math.round(x), 0, 2, height);
    }
    #accent = "#0b57c2";

    #hover(time, y, event) {
        const thing = time === undefined ? null : this.#thingAt(y);
        if (!thing) {
            annotateReview.Timeline.tellNothing();
            return;
        }
        const index = time === null ? null : this.#results.indexAt(time);
        const confidence = index === null ? null : thing.confidence(index);
        annotateReview.Timeline.tell([thing.title, thing.stage, ...(index === null ? [] : [
            `frame ${this.#results.first + index}`, annotateReview.format.time(this.#results.times[index]),
            thing.state(index) ?? "not seen", confidence === null ? null : annotateReview.format.confidence(confidence),
        ])], event);
    }

    #hoverRuler(time, event) {
        if (time === undefined || time === null || !this.#results?.count) {
            annotateReview.Timeline.tellNothing();
            return;
        }
        const index = this.#results.indexAt(time);
        const near = this.#results.moments.filter((moment) => Math.abs(
            this.#timeline.x(moment.time, event.target.clientWidth) - event.offsetX) < 4).slice(0, 4);
        annotateReview.Timeline.tell([`frame ${this.#results.first + index}`, annotateReview.format.time(this.#results.times[index]),
            ...near.map((moment) => moment.text)], event);
    }
};
