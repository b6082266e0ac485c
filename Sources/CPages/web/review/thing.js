"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** One thing that was seen: its runs of states, its confidence and its way. */
annotateReview.Thing = class Thing {
    #head;
    #results;
    /** How many frames of the runs lie before each run. */
    #before = [];
    #way = null;

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
        this.title = [head.name || head.kind, head.track === undefined ? null : `#${head.track}`].filter(Boolean).join(" ");
        let before = 0;
        for (const [first, last] of this.runs) {
            this.#before.push(before);
            before += last - first + 1;
        }
    }

    get hasConfidence() { return this.#head.confidence !== undefined; }
    get hasPlace() { return this.#head.x !== undefined; }
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
        this.#way ??= [Thing.#summed(this.#head.x), Thing.#summed(this.#head.y)];
        return [this.#way[0][ordinal], this.#way[1][ordinal]];
    }

    /**
     * How fast its middle moves, px/s, over some 0.2 s around a frame, as middles are whole pixels; null where it is lost,
     * or has no place.
     */
    speed(index) {
        if (!this.hasPlace || Thing.isGone(this.state(index))) return null;
        const times = this.#results.times;
        const reach = (step) => {
            let end = index;
            for (let next = index + step; next >= 0 && next < times.length; next += step) {
                if (Math.abs(times[next] - times[index]) > 0.1 || Thing.isGone(this.state(next))) break;
                end = next;
            }
            return end;
        };
        const [from, to] = [reach(-1), reach(1)];
        if (from === to) return null;
        const [a, b] = [this.middle(from), this.middle(to)];
        return Math.hypot(b[0] - a[0], b[1] - a[1]) / (times[to] - times[from]);
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
