"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** One plot: a name with its unit, a scale, and a line for each thing. */
annotateReview.Strip = class Strip {
    /** CSS pixels of one plot with the space around it. */
    static HEIGHT = 62;

    /**
     * @param {string} name For people.
     * @param {string} unit Its unit; empty for none.
     * @param {{thing: ?Object, values: function(number): number}[]} lines A value for each frame, NaN for none.
     */
    constructor(name, unit, lines) {
        [this.name, this.unit, this.lines] = [name, unit, lines];
        this.least = 0;
        this.most = 1;
        /** Whether its name stands out. */
        this.isMarked = false;
    }

    /** The scale from 0 on. */
    upTo(most) {
        [this.least, this.most] = [0, most];
        return this;
    }

    /**
     * The scale that holds all values of some frames.
     * @param {number} span The least that is between its ends: what hardly moves isn't blown up to noise.
     */
    fit({ from, to }, span) {
        let [least, most] = [Infinity, -Infinity];
        for (const { values } of this.lines) {
            for (let index = from; index <= to; index++) {
                const value = values(index);
                if (value < least) least = value;
                if (value > most) most = value;
            }
        }
        if (least > most) [least, most] = [0, span];
        const more = Math.max((span - (most - least)) / 2, (most - least) * 0.04);
        [this.least, this.most] = [least - more, most + more];
        return this;
    }

    /**
     * A value as text, as exact as the scale lets see.
     * @param {number} more Digits beyond that.
     */
    text(value, more = 0) {
        if (Number.isInteger(value)) return annotateReview.format.count(value).replace("-", "−");
        const decimals = Math.min(Math.max(2 - Math.floor(Math.log10(this.most - this.least)) + more, 0), 6);
        return value.toFixed(decimals).replace("-", "−");
    }

    y(value, top) {
        const height = Strip.HEIGHT - 14;
        const share = (value - this.least) / (this.most - this.least);
        return top + 6 + height - Math.min(Math.max(share, 0), 1) * height;
    }

    /** Frame, name and scale. */
    drawFrame(context, top, width, colors) {
        const { GUTTER, MARGIN } = annotateReview.Timeline;
        const height = Strip.HEIGHT - 14;
        context.fillStyle = colors.edge;
        context.fillRect(GUTTER, top + 6 + height, width - GUTTER - MARGIN, 1);
        context.fillRect(GUTTER, top + 6, width - GUTTER - MARGIN, 1);
        if (this.isMarked) {
            context.fillStyle = colors.bad;
            context.fillRect(14, top + 6, 3, height);
        }
        context.font = `${this.isMarked ? "bold " : ""}12px ${colors.font}`;
        context.textBaseline = "middle";
        context.fillStyle = colors.text;
        context.fillText(this.unit ? `${this.name}, ${this.unit}` : this.name, 24, top + 6 + height / 2);
        context.fillStyle = colors.faint;
        context.font = `11px ${colors.font}`;
        context.textAlign = "right";
        context.fillText(this.text(this.most), GUTTER - 6, top + 11);
        context.fillText(this.text(this.least), GUTTER - 6, top + 3 + height);
        context.textAlign = "left";
    }

    /**
     * A line over the frames in sight, solid where it was measured and dashed where it was predicted or carried over;
     * broken where there is nothing.
     * @param {Object} columns As Timeline.columns gives them.
     */
    drawLine(context, line, top, { from, to, step, of }, color) {
        const [solid, dashed] = [new Path2D(), new Path2D()];
        const { GUTTER } = annotateReview.Timeline;
        let last = null;
        let bucket = null;
        const goTo = (x, value, isGuess) => {
            const y = this.y(value, top);
            if (last) {
                const path = isGuess || last.isGuess ? dashed : solid;
                if (last.path !== path) path.moveTo(last.x, last.y);
                // A count holds until the next frame.
                if (!line.thing) path.lineTo(x, last.y);
                path.lineTo(x, y);
                last = { x, y, isGuess, path };
            } else last = { x, y, isGuess, path: null };
        };
        // Of the frames under one pixel the ends and the extremes: no dip is lost, and lines stay short.
        const flush = () => {
            if (!bucket) return;
            const { x, first, low, high, end, isGuess } = bucket;
            goTo(x, first, isGuess);
            if (low < Math.min(first, end)) goTo(x, low, isGuess);
            if (high > Math.max(first, end)) goTo(x, high, isGuess);
            if (end !== first) goTo(x, end, isGuess);
            bucket = null;
        };
        const finish = () => {
            flush();
            // Alone between two gaps.
            if (last && !last.path) (last.isGuess ? dashed : solid).rect(last.x - 1, last.y - 1, 2, 2);
            last = null;
        };
        const states = line.thing ? Strip.#guesses(line.thing) : () => false;
        for (let index = from; index <= to; index++) {
            const value = line.values(index);
            if (value !== value) {
                finish();
                continue;
            }
            const x = GUTTER + of[index - from] * step;
            const isGuess = states(index);
            if (bucket && bucket.x === x && bucket.isGuess === isGuess) {
                bucket.low = Math.min(bucket.low, value);
                bucket.high = Math.max(bucket.high, value);
                bucket.end = value;
                continue;
            }
            flush();
            bucket = { x, first: value, low: value, high: value, end: value, isGuess };
        }
        finish();
        context.lineWidth = 1.5;
        context.lineJoin = "bevel";
        context.strokeStyle = color;
        context.stroke(solid);
        context.setLineDash([3, 3]);
        context.stroke(dashed);
        context.setLineDash([]);
    }

    /** Whether a thing was not seen itself in a frame that comes after those asked for before. */
    static #guesses(thing) {
        let run = 0;
        return (index) => {
            while (run < thing.runs.length && thing.runs[run][1] < index) run += 1;
            const state = thing.runs[run]?.[0] <= index ? thing.runs[run][2] : null;
            return state === "predicted" || state === "held";
        };
    }
};
