"use strict";
/**
 * What the page for drawing has is under this one name.
 * @namespace
 */
globalThis.annotatePick = {};

/** Data that the page carries as gzip in Base64; null where it has none. */
annotatePick.unpacked = async function (id) {
    const element = document.getElementById(id);
    if (!element) return null;
    const bytes = Uint8Array.from(atob(JSON.parse(element.textContent)), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
};

/**
 * The clip's frames: of a video that the browser plays, or pictures that the page carries.
 *
 * Callbacks: onFrame(frame) when the picture of a frame is there to be drawn, onState(isPlaying), onError(sentence).
 */
annotatePick.Clip = class Clip {
    #callbacks;
    #player = null;
    #video;
    /** When each frame begins, seconds of the source's own. */
    #seconds;
    /** The frames that the page has pictures of; null where the browser plays the video. */
    #pictures;
    #images = new Map();
    #index = -1;
    /** The frame that a picture is being decoded of. */
    #wanted = -1;
    picture = null;

    constructor(facts, times, video, callbacks) {
        this.#callbacks = callbacks;
        this.#video = video;
        [this.width, this.height] = facts.size;
        this.name = facts.name;
        this.#pictures = facts.pictures ?? null;
        const [numerator, denominator] = times.timeBase;
        let ticks = 0;
        const pts = times.pts.map((difference) => (ticks += difference));
        this.#seconds = pts.map((tick) => tick * numerator / denominator);
        this.end = (ticks + times.lastDuration) * numerator / denominator;
        if (this.#pictures) return;
        this.#player = new annotatePage.FramePlayer(video, {
            onFrame: (index) => this.#shown(index, video),
            onState: (isPlaying) => callbacks.onState(isPlaying),
            onError: (sentence) => callbacks.onError(sentence),
        });
        this.#player.load(facts.source, {
            starts: pts.map((tick) => (tick - times.clockStart) * numerator / denominator),
            lastDuration: times.lastDuration * numerator / denominator, fromStart: true,
        }, facts.frame ?? 0);
    }

    get count() { return this.#seconds.length; }
    get index() { return this.#index; }
    get isVideo() { return this.#player !== null; }
    /** The frames that have pictures here; null for all. */
    get pictures() { return this.#pictures; }
    get isPlaying() { return this.#player?.isPlaying ?? false; }
    get isSettled() { return this.#player ? this.#player.isSettled : this.#index === this.#wanted && this.#index >= 0; }

    seconds(frame) { return frame < this.count ? this.#seconds[frame] : this.end; }

    /** How many frames begin before a time. */
    #before(time) {
        let [low, high] = [0, this.count];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.#seconds[middle] < time) low = middle + 1; else high = middle;
        }
        return low;
    }

    /** The first frame at or after a time: what "time" in a manifest means; the count of frames where there is none. */
    frameAtOrAfter(time) { return this.#before(time - 1e-6); }

    /** The frame that a player shows at a time. */
    frameShownAt(time) { return Math.max(this.#before(time + 1e-6) - 1, 0); }

    /** The frame nearest to one of which there is a picture. */
    nearest(frame) {
        const inside = Math.min(Math.max(Math.round(frame) || 0, 0), this.count - 1);
        if (!this.#pictures) return inside;
        return this.#pictures.reduce((best, one) => (Math.abs(one - inside) < Math.abs(best - inside) ? one : best));
    }

    show(frame) {
        const target = this.nearest(frame);
        if (this.#player) this.#player.show(target); else this.#showPicture(target);
    }

    /** So many frames on, or pictures where there are only some. */
    step(count) {
        if (this.#player) return this.#player.step(count);
        const place = this.#pictures.indexOf(this.#wanted) + count;
        this.#showPicture(this.#pictures[Math.min(Math.max(place, 0), this.#pictures.length - 1)]);
    }

    toggle() { this.#player?.toggle(); }

    #shown(index, picture) {
        this.#index = index;
        this.picture = picture;
        this.#callbacks.onFrame(index);
    }

    async #showPicture(frame) {
        this.#wanted = frame;
        const image = this.#image(frame);
        try {
            await image.decode();
        } catch {
            this.#callbacks.onError(`The picture of frame ${frame} in this page is damaged.`);
            return;
        }
        // Another one may have been asked for since.
        if (this.#wanted === frame) this.#shown(frame, image);
    }

    #image(frame) {
        const known = this.#images.get(frame);
        if (known) return known;
        const image = new Image();
        image.src = JSON.parse(document.getElementById(`picture-${frame}`).textContent);
        this.#images.set(frame, image);
        // A decoded picture takes four bytes a pixel: few are kept.
        if (this.#images.size > 8) this.#images.delete(this.#images.keys().next().value);
        return image;
    }
};
