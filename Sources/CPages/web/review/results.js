"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/** What a job found: frames' times, things, and the observations of each frame, read in blocks when they are needed. */
annotateReview.Results = class Results {
    /** Blocks kept unpacked. */
    static #MOST_BLOCKS = 6;

    #blocks = new Map();
    #packed;

    constructor(job, head, packedBlocks) {
        this.job = job;
        this.first = head.first;
        this.count = head.count;
        this.stages = head.stages;
        this.isWhole = head.whole;
        this.blockSize = head.block;
        this.#packed = packedBlocks;
        const second = head.timeBase[0] / head.timeBase[1];
        const offset = head.startTime;
        /** When each frame starts, seconds: the source's own time stamps. */
        this.times = new Float64Array(head.count);
        /** The same on the clock of a player of the source. */
        this.clock = new Float64Array(head.count);
        let ticks = 0;
        for (let index = 0; index < head.count; index++) {
            ticks += head.pts[index];
            this.times[index] = ticks * second;
            this.clock[index] = (ticks - offset) * second;
        }
        const durations = head.durations;
        const lastTicks = Array.isArray(durations) ? durations.at(-1) : durations;
        const gap = head.count > 1 ? this.times[head.count - 1] - this.times[head.count - 2] : 0.04;
        /** How long the last frame lasts, seconds: some files don't say. */
        this.lastDuration = lastTicks > 0 ? lastTicks * second : gap;
        this.things = head.things.map((thing, index) => new annotateReview.Thing(thing, index, this));
        this.moments = annotateReview.moments.of(this);
    }

    static async unpacked(job, packed) {
        return new Results(job, await Results.#json(packed.head), packed.blocks);
    }

    get start() { return this.count ? this.times[0] : 0; }
    get end() { return this.count ? this.times[this.count - 1] + this.lastDuration : 0; }

    /** The thing that a track is; undefined where there is none. */
    thingOf(track) {
        return track === undefined || track === null ? undefined : this.things.find((thing) => thing.track === track);
    }

    /** What a frame's time is on the table that a player takes. */
    table(way) {
        return {
            starts: this.clock, lastDuration: this.lastDuration,
            // What we wrote begins with our first frame.
            fromStart: way === "annotated" || this.isWhole,
        };
    }

    /** The frame that is shown at a time, seconds of the source's time stamps. */
    indexAt(time) {
        let low = 0;
        let high = this.count - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.times[middle] <= time) low = middle; else high = middle - 1;
        }
        return Math.max(low, 0);
    }

    /** A frame's observations if they are at hand; null while they are read. */
    at(index) {
        const block = this.#block(index);
        if (block.frames) this.#readAhead(index);
        return block.frames ? block.frames[index % this.blockSize] ?? [] : null;
    }

    /** A frame's observations. */
    async read(index) {
        const block = this.#block(index);
        return (await block.promise)[index % this.blockSize] ?? [];
    }

    /** All frames of a block, which isn't kept: for who goes through many. */
    readBlock(number) {
        return this.#blocks.get(number)?.promise
            ?? (this.#packed[number] ? Results.#json(this.#packed[number]) : Promise.resolve([]));
    }

    #readAhead(index) {
        const next = index + Math.ceil(this.blockSize / 4);
        if (next < this.count && Math.floor(next / this.blockSize) !== Math.floor(index / this.blockSize)) this.#block(next);
    }

    #block(index) {
        const number = Math.floor(index / this.blockSize);
        let block = this.#blocks.get(number);
        if (!block) {
            block = { frames: null, promise: null };
            block.promise = (this.#packed[number] ? Results.#json(this.#packed[number]) : Promise.resolve([]))
                .then((frames) => block.frames = frames);
            block.promise.catch(() => this.#blocks.delete(number));
        }
        this.#blocks.delete(number);
        this.#blocks.set(number, block);
        while (this.#blocks.size > Results.#MOST_BLOCKS) this.#blocks.delete(this.#blocks.keys().next().value);
        return block;
    }

    static async #json(packed) {
        const text = atob(packed);
        const bytes = new Uint8Array(text.length);
        for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        return JSON.parse(await new Response(stream).text());
    }
};
