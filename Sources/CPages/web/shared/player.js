"use strict";
/**
 * What pages share is under this one name.
 * @namespace
 */
globalThis.annotatePage = globalThis.annotatePage || {};

/**
 * Shows exact frames of a <video>, and says which one is shown.
 *
 * A browser knows no frames, only times, and a frame's own time often shows the frame before: so this seeks to the middle
 * of a frame, and believes nothing but the time that the browser gives with the picture it has presented
 * (requestVideoFrameCallback's mediaTime), while playing too.
 *
 * Callbacks, all optional:
 *   onFrame(index, mediaTime, presentationTime)  the picture of this index came to the screen, at a time of performance.now():
 *                              draw what belongs to it
 *   onPassing(index)           the same, but another frame is sought already: draw, and tell nobody
 *   onState(isPlaying)         playing began or ended
 *   onReady()                  the first picture is there: width and height are known
 *   onError(sentence)          this browser can't show the video; nothing more will come
 */
annotatePage.FramePlayer = class FramePlayer {
    /** Seconds after a seek in which the browser should have told which picture it shows. */
    static #PATIENCE = 0.4;

    #video;
    #callbacks;
    #table = { starts: [], lastDuration: 0, fromStart: false };
    /** What the browser's times have over the table's, seconds; null until the first picture told. */
    #offset = null;
    #index = -1;
    /** True where the picture on the screen is none of the table's: the video has more than these frames. */
    #isOutside = false;
    /** The frame that is to be shown next; null where none is asked for. */
    #wanted = null;
    /** The frame that the browser is seeking. */
    #target = -1;
    #isSeeking = false;
    /** A frame behind the end that the browser knew of when it was sought: a file of a range is longer than it takes it for at
        first. null for none. */
    #behindEnd = null;
    /** The time of a picture that came during a seek and isn't the one sought. */
    #other = null;
    #hasFailed = false;
    #timer = 0;
    #callback = 0;
    #events = new AbortController();

    constructor(video, callbacks = {}) {
        this.#video = video;
        this.#callbacks = callbacks;
        const on = (name, action) => video.addEventListener(name, action, { signal: this.#events.signal });
        on("error", () => this.#fail());
        on("loadedmetadata", () => {
            // Sound that plays behind a picture that it can't decode.
            if (video.videoWidth === 0) this.#fail();
        });
        on("seeked", () => this.#expectPicture());
        on("loadeddata", () => this.#expectPicture());
        on("durationchange", () => {
            if (this.#behindEnd === null || this.#wanted !== null || this.isPlaying) return;
            this.#wanted = this.#behindEnd;
            this.#seek();
        });
        on("play", () => this.#tell("onState", true));
        on("pause", () => this.#tell("onState", false));
        // The last picture may have come before its callback could be asked for.
        on("ended", () => this.#presented(this.#timeOf(this.count - 1)));
    }

    /**
     * Opens a video.
     * @param {string} source Its URL.
     * @param {{starts: ArrayLike<number>, lastDuration: number, fromStart: boolean}} table Where each frame starts, seconds on
     *     the clock that players are expected to have; how long the last one lasts; whether frame 0 is the video's first.
     * @param {number} [index] The frame to show first.
     */
    load(source, table, index = 0) {
        this.#table = table;
        this.#offset = table.fromStart ? null : 0;
        this.#index = -1;
        this.#isOutside = false;
        this.#behindEnd = null;
        this.#wanted = index === 0 && table.fromStart ? null : index;
        this.#isSeeking = false;
        this.#hasFailed = false;
        clearTimeout(this.#timer);
        this.#video.preload = "auto";
        this.#listen();
        this.#video.src = source;
        this.#video.load();
    }

    /** Lets go of the video. */
    close() {
        this.#events.abort();
        clearTimeout(this.#timer);
        this.#video.cancelVideoFrameCallback(this.#callback);
        this.#video.removeAttribute("src");
        this.#video.load();
    }

    /** The frame that is shown; -1 before the first. */
    get index() { return this.#index; }
    get count() { return this.#table.starts.length; }
    get isPlaying() { return !this.#video.paused; }
    get hasFailed() { return this.#hasFailed; }
    /** True where what was asked for is on the screen. */
    get isSettled() { return !this.#isSeeking && this.#wanted === null && this.#index >= 0; }
    get rate() { return this.#video.playbackRate; }
    set rate(factor) { this.#video.playbackRate = factor; }

    /** Shows a frame. Of many asked for in a row, as by a key that is held, only the last is sought. */
    show(index) {
        if (this.#hasFailed || this.count === 0) return;
        if (this.isPlaying) this.#video.pause();
        this.#wanted = Math.min(Math.max(Math.round(index), 0), this.count - 1);
        this.#seek();
    }

    /** Goes some frames on, or back, from where it is or is about to be. */
    step(frames) { this.show((this.#wanted ?? (this.#isSeeking ? this.#target : Math.max(this.#index, 0))) + frames); }

    play() {
        if (this.#hasFailed || this.count === 0) return;
        if (this.#index >= this.count - 1) this.#video.currentTime = Math.max(0, this.#middle(0));
        // A pause that comes at once rejects the promise; whatever else goes wrong comes as "error".
        this.#video.play().catch(() => {});
    }

    pause() { this.#video.pause(); }
    toggle() { if (this.isPlaying) this.pause(); else this.play(); }

    /** The frame whose time is nearest to a time on the table's clock, seconds. */
    indexAt(time) {
        const starts = this.#table.starts;
        let low = 0;
        let high = starts.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (starts[middle] <= time) low = middle; else high = middle - 1;
        }
        return low + 1 < starts.length && starts[low + 1] - time < time - starts[low] ? low + 1 : low;
    }

    #indexOf(mediaTime) { return this.indexAt(mediaTime - (this.#offset ?? 0)); }

    #timeOf(index) { return this.#table.starts[index] + (this.#offset ?? 0); }

    #endOf(index) {
        return index + 1 < this.count ? this.#timeOf(index + 1) : this.#timeOf(index) + this.#table.lastDuration;
    }

    #middle(index) { return (this.#timeOf(index) + this.#endOf(index)) / 2; }

    /** Whether a picture's time is more than half a frame before the first frame, or behind the last one. */
    #isFarFrom(mediaTime) {
        const slack = (this.#endOf(0) - this.#timeOf(0)) / 2;
        return mediaTime < this.#timeOf(0) - slack || mediaTime > this.#endOf(this.count - 1) + slack;
    }

    #seek() {
        // The offset comes with the first picture; one seek at a time, or a held key shows nothing until it is let go.
        if (this.#wanted === null || this.#isSeeking || this.#offset === null) return;
        const index = this.#wanted;
        this.#wanted = null;
        if (index === this.#index && !this.#isOutside) {
            this.#tell("onFrame", index, this.#timeOf(index));
            return;
        }
        this.#isSeeking = true;
        this.#target = index;
        this.#other = null;
        const time = Math.max(0, this.#middle(index));
        this.#behindEnd = time > this.#video.duration ? index : null;
        this.#video.currentTime = time;
    }

    #listen() {
        this.#video.cancelVideoFrameCallback(this.#callback);
        this.#callback = this.#video.requestVideoFrameCallback((now, picture) => {
            this.#listen();
            // The picture that is sought comes before the seek is said to be over; so may one from before it.
            if (this.#isSeeking && this.#video.seeking && this.#indexOf(picture.mediaTime) !== this.#target) {
                this.#other = picture.mediaTime;
            } else {
                this.#presented(picture.mediaTime, picture.presentationTime);
            }
        });
    }

    /** A seek within the frame that is shown presents nothing new, so the clock has to do. */
    #expectPicture() {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => {
            if (this.#isSeeking && !this.#video.seeking) {
                this.#presented(this.#other ?? this.#frameStart(this.#video.currentTime));
            }
            if (this.#index < 0 && this.#offset === null) this.#presented(this.#video.currentTime);
        }, FramePlayer.#PATIENCE * 1000);
    }

    /** When the frame began in which a time lies, both on the browser's clock. */
    #frameStart(time) {
        let index = this.#indexOf(time);
        if (index > 0 && this.#timeOf(index) > time) index -= 1;
        return this.#timeOf(index);
    }

    #presented(mediaTime, presentationTime = performance.now()) {
        if (this.count === 0 || this.#hasFailed) return;
        clearTimeout(this.#timer);
        const sought = this.#isSeeking ? this.#target : -1;
        this.#isSeeking = false;
        const isFirst = this.#index < 0;
        if (this.#offset === null) this.#offset = mediaTime - this.#table.starts[0];
        this.#index = this.#indexOf(mediaTime);
        this.#isOutside = this.#isFarFrom(mediaTime);
        // Of a range the video begins before the first frame. What a seek brought is believed, or it would go on forever.
        if (this.#isOutside && this.#wanted === null && sought !== this.#index && !this.isPlaying) this.#wanted = this.#index;
        if (isFirst) this.#tell("onReady");
        // Of a range the video goes on behind the last frame.
        if (this.isPlaying && mediaTime > this.#endOf(this.count - 1)) this.show(this.count - 1);
        if (this.#wanted === null) {
            this.#tell("onFrame", this.#index, mediaTime, presentationTime);
        } else {
            this.#tell("onPassing", this.#index);
            this.#seek();
        }
    }

    #fail() {
        if (this.#hasFailed || !this.#video.getAttribute("src")) return;
        this.#hasFailed = true;
        clearTimeout(this.#timer);
        const address = this.#video.getAttribute("src").split("/").pop();
        let name = address;
        // A "%" that escapes nothing: the address is told as it is.
        try { name = decodeURIComponent(address); } catch { }
        this.#tell("onError", `This browser can't show ${name}: it isn't there any more, or is of a kind that browsers don't `
            + "play (an MP4 with H.264 is one that they do).");
    }

    #tell(name, ...values) { this.#callbacks[name]?.(...values); }
};
