"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** One thing that was seen: its runs of states, its confidence and its way. */
annotateReview.Thing = class Thing {
    #head;
    #results;
    /** How many frames of the runs lie before each run. */
    #before = [];
    #way = null;
    #fast = null;

    constructor(head, index, results) {
        this.#head = head;
        this.#results = results;
        this.index = index;
        this.stage = head.stage;
        this.kind = head.kind;
        this.track = head.track;
        this.of = head.of;
        this.label = head.label;
        this.region = head.region;
        this.color = head.color;
        this.runs = head.runs;
        /** For people: its name and track. */
        this.name = head.name || head.kind;
        this.title = [this.name, this.track === undefined ? null : `#${this.track}`,
            this.of === undefined ? null : `of #${this.of}`].filter(Boolean).join(" ");
        let before = 0;
        for (const [first, last] of this.runs) {
            this.#before.push(before);
            before += last - first + 1;
        }
    }

    get hasConfidence() { return this.#head.confidence !== undefined; }
    get hasPlace() { return this.#head.x !== undefined; }
    get hasPose() { return this.#head.posed === true; }
    get first() { return this.runs.length ? this.runs[0][0] : 0; }
    get last() { return this.runs.length ? this.runs[this.runs.length - 1][1] : -1; }

    /** The number of the run that holds a frame, or of the next one. */
    runAt(index) {
        let low = 0;
        let high = this.runs.length;
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.runs[middle][1] < index) low = middle + 1; else high = middle;
        }
        return low;
    }

    /** Its state at a frame; null where it isn't seen. */
    state(index) {
        const run = this.runs[this.runAt(index)];
        return run && run[0] <= index ? run[2] : null;
    }

    #ordinal(index) {
        const number = this.runAt(index);
        const run = this.runs[number];
        return run && run[0] <= index ? this.#before[number] + index - run[0] : -1;
    }

    /** 0…1; null where there is none. */
    confidence(index) {
        const ordinal = this.hasConfidence ? this.#ordinal(index) : -1;
        const value = ordinal < 0 ? null : this.#head.confidence[ordinal];
        return value === null || value === undefined ? null : value / 1000;
    }

    get #places() { return this.#way ??= [Thing.#summed(this.#head.x), Thing.#summed(this.#head.y)]; }

    /** How many of this kind a frame has. */
    countAt(index) {
        const ordinal = this.#ordinal(index);
        return ordinal < 0 ? 0 : this.#head.counts?.[ordinal] ?? 1;
    }

    /** Its middle, px; null where it has no place. */
    middle(index) {
        if (!this.hasPlace) return null;
        const ordinal = this.#ordinal(index);
        if (ordinal < 0) return null;
        const [x, y] = this.#places;
        return [x[ordinal], y[ordinal]];
    }

    /**
     * How fast its middle moves, px/s, for each frame of the runs: over some 0.2 s around it, as middles are whole pixels; NaN
     * where it is lost or stands alone. Made once: plots ask for thousands.
     */
    get #speeds() {
        if (this.#fast) return this.#fast;
        const times = this.#results.times;
        const [x, y] = this.#places;
        const speeds = this.#fast = new Float32Array(x.length).fill(NaN);
        // Frames in sight without a gap, as [first frame, last frame, ordinal of the first].
        const parts = [];
        this.runs.forEach(([first, last, state], number) => {
            if (Thing.isGone(state)) return;
            const part = parts.at(-1);
            if (part && part[1] === first - 1) part[1] = last; else parts.push([first, last, this.#before[number]]);
        });
        for (const [first, last, ordinal] of parts) {
            let [from, to] = [first, first];
            for (let index = first; index <= last; index++) {
                while (times[index] - times[from] > 0.1) from += 1;
                while (to < last && times[to + 1] - times[index] <= 0.1) to += 1;
                // Slow rates: the frames beside it.
                const start = from === index && index > first ? index - 1 : from;
                const end = to <= index && index < last ? index + 1 : Math.max(to, index);
                const [a, b] = [ordinal + start - first, ordinal + end - first];
                if (a < b) speeds[ordinal + index - first] = Math.hypot(x[b] - x[a], y[b] - y[a]) / (times[end] - times[start]);
            }
        }
        return speeds;
    }

    /**
     * The confidence under each column of a drawing, the least of its frames; NaN where there is none.
     * @param {Object} columns As Timeline.columns gives them.
     */
    columns({ from, to, count, of }) {
        const found = new Float32Array(count).fill(NaN);
        if (!this.hasConfidence) return found;
        this.#forEach(from, to, this.#head.confidence, (index, value) => {
            const column = of[index - from];
            // Nothing compares with NaN.
            if (value !== null && !(found[column] <= value / 1000)) found[column] = value / 1000;
        });
        return found;
    }

    /**
     * A value for each frame of the job; NaN where there is none. Made anew each time: nothing keeps it but who asks.
     * @param {"confidence"|"speed"} what
     */
    series(what) {
        const { count } = this.#results;
        const found = new Float32Array(count).fill(NaN);
        const isSpeed = what === "speed";
        if (isSpeed ? !this.hasPlace : !this.hasConfidence) return found;
        this.#forEach(0, count - 1, isSpeed ? this.#speeds : this.#head.confidence, (index, value) => {
            if (value !== null) found[index] = isSpeed ? value : value / 1000;
        });
        return found;
    }

    /** Goes through what there is of each frame of the runs, between two frames. */
    #forEach(from, to, values, take) {
        for (let number = this.runAt(from); number < this.runs.length && this.runs[number][0] <= to; number++) {
            const [first, last] = this.runs[number];
            const ordinal = this.#before[number] - first;
            const end = Math.min(last, to);
            for (let index = Math.max(first, from); index <= end; index++) take(index, values[ordinal + index]);
        }
    }

    /** True where nothing of it is in sight. */
    static isGone(state) { return state === null || state === "lost" || state === "ended"; }

    static #summed(differences) {
        const sums = new Int32Array(differences.length);
        let sum = 0;
        for (let index = 0; index < sums.length; index++) sums[index] = sum += differences[index];
        return sums;
    }
};
