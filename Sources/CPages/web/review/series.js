"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/**
 * Where some things are over time: their boxes, positions and rotations, as the track file has them.
 *
 * Read from the blocks of frames that plots show, one after the other, and kept for these things alone.
 */
annotateReview.Series = class Series {
    #results;
    /** By thing: by name, a value for each frame, NaN where there is none. */
    #values = new Map();
    #read = new Set();
    #asked = 0;

    /** @param {Object[]} things Tracks: each is in a frame once at most. */
    constructor(results, things) {
        this.#results = results;
        for (const thing of things) this.#values.set(thing.index, new Map());
    }

    has(things) { return things.every((thing) => this.#values.has(thing.index)); }

    /** Values of a thing, a frame each; null where none were read. */
    of(thing, name) { return this.#values.get(thing.index)?.get(name) ?? null; }

    /**
     * Reads what is missing of some frames.
     * @param {function} changed Called some times while it goes on, and at the end.
     */
    async read(from, to, changed) {
        const turn = ++this.#asked;
        const size = this.#results.blockSize;
        let told = performance.now();
        let isNew = false;
        for (let number = Math.floor(from / size); number <= Math.floor(to / size); number++) {
            if (this.#read.has(number)) continue;
            const frames = await this.#results.readBlock(number);
            this.#read.add(number);
            this.#take(frames, number * size);
            isNew = true;
            // Somebody looks at other frames or things by now, or at none.
            if (turn !== this.#asked) return;
            if (performance.now() - told < 250) continue;
            this.#unwrap();
            changed();
            told = performance.now();
        }
        if (!isNew) return;
        this.#unwrap();
        changed();
    }

    stop() { this.#asked += 1; }

    #take(frames, first) {
        frames.forEach((observations, offset) => {
            for (const observation of observations) {
                const values = this.#values.get(observation.thing);
                if (!values) continue;
                const index = first + offset;
                const box = Series.#box(observation);
                if (box) {
                    const [left, top, width, height] = box;
                    this.#set(values, index, { x: left + width / 2, y: top + height / 2, width, height });
                }
                if (!observation.pose) continue;
                const { translation: [tx, ty, tz], rotation, reprojectionError: error } = observation.pose;
                this.#set(values, index, { tx, ty, tz, error, ...Series.angles(rotation) });
            }
        });
    }

    /** Its box, or the one around its outline: left, top, width, height. */
    static #box(observation) {
        if (observation.box || !observation.polygon) return observation.box;
        const [xs, ys] = [0, 1].map((axis) => observation.polygon.map((point) => point[axis]));
        const [left, top] = [Math.min(...xs), Math.min(...ys)];
        // Corners are pixel centres: the box covers these pixels.
        return [left, top, Math.max(...xs) - left + 1, Math.max(...ys) - top + 1];
    }

    #set(values, index, found) {
        for (const [name, value] of Object.entries(found)) {
            if (!values.has(name)) values.set(name, new Float32Array(this.#results.count).fill(NaN));
            values.get(name)[index] = value;
        }
    }

    /** Takes full turns away where an angle goes on beyond half a turn: a line that goes on has no step. */
    #unwrap() {
        for (const values of this.#values.values()) {
            for (const name of ["roll", "yaw"]) {
                let last = NaN;
                const angles = values.get(name);
                for (let index = 0; index < (angles?.length ?? 0); index++) {
                    const angle = angles[index];
                    if (angle !== angle) continue;
                    if (last === last) angles[index] -= 360 * Math.round((angle - last) / 360);
                    last = angles[index];
                }
            }
        }
    }

    /**
     * Roll, pitch and yaw in degrees, all 0 for what faces the camera upright: yaw towards the picture's right and pitch
     * upwards first, then roll clockwise about its own middle.
     *
     * What is seen faces the camera, where a rotation vector is half a turn long and jumps from one end to the other.
     * @param {number[]} vector Axis times angle (Rodrigues), from a thing's axes (x right, y up, z out of it) to the camera's
     *     (x right, y down, z forward).
     */
    static angles([x, y, z]) {
        const angle = Math.hypot(x, y, z);
        const [a, b, c] = angle > 0 ? [x / angle, y / angle, z / angle] : [0, 0, 0];
        const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
        const rest = 1 - cosine;
        // The second row of the matrix, and the ends of the third column.
        const [r10, r11, r12] = [a * b * rest + c * sine, cosine + b * b * rest, b * c * rest - a * sine];
        const [r02, r22] = [a * c * rest + b * sine, cosine + c * c * rest];
        const degrees = 180 / Math.PI;
        return {
            roll: Math.atan2(r10, -r11) * degrees,
            pitch: Math.asin(Math.min(Math.max(-r12, -1), 1)) * degrees,
            yaw: Math.atan2(r02, -r22) * degrees,
        };
    }
};
