"use strict";
globalThis.annotateReview = globalThis.annotateReview || {};

/**
 * The picture of a job: one of its videos, and the boxes over it, drawn for the very frame that is on the screen.
 *
 * Without a video that plays it steps through the frames all the same, on a plain ground.
 */
annotateReview.Picture = class Picture {
    /** How much of the window's height a picture takes that is made to fit. */
    static #SHARE = 0.52;
    /** Intersection over union from which on two results are of one thing to whoever clicks. */
    static #ALIKE = 0.5;

    #view;
    #player = null;
    #video;
    #photo = null;
    #canvas;
    #still;
    #copy = document.createElement("canvas");
    /** Which frame was told when the copy was made, and when that was, ms; null without a copy. */
    #copied = null;
    #box;
    #port;
    #note;
    #results = null;
    #index = 0;
    #redraw;
    /** What can be pointed at, as the overlay drew it. */
    #targets = [];
    /** Pictures of moments that the page itself holds, by the frame that they are of. */
    #shots = new Map();

    /** @param view The job's view: its state, and who is told of frames. */
    constructor(view) {
        const find = annotatePage.find;
        this.#view = view;
        [this.#port, this.#box, this.#canvas, this.#still, this.#note] = ["#port", "#picture", "#overlay", "#still",
            "#picture-note"].map((selector) => find(selector));
        this.#redraw = annotatePage.nextPicture(() => this.#draw());
        new ResizeObserver(() => this.layout()).observe(this.#port);
        window.addEventListener("resize", () => this.layout());
        this.#box.addEventListener("click", (event) => {
            if (!this.#results) return;
            // Another click takes the next one that lies there, and behind the last lets go.
            const things = this.#thingsAt(event);
            view.select(things[things.indexOf(view.selected) + 1] ?? null);
        });
        this.#box.addEventListener("pointermove", (event) => {
            this.#box.style.cursor = this.#thingsAt(event).length ? "pointer" : "";
        });
    }

    /**
     * The indices of the things that a place of the screen means: of the topmost there, and of those that lie where it lies, as
     * a detection and its track do, what has a track first; then what lies below.
     */
    #thingsAt(event) {
        const area = this.#canvas.getBoundingClientRect();
        if (!area.width) return [];
        const x = (event.clientX - area.left) / area.width * this.#canvas.width;
        const y = (event.clientY - area.top) / area.height * this.#canvas.height;
        const [topmost, ...others] = this.#targets.filter(({ place: [left, top, right, bottom] }) =>
            x >= left && x <= right && y >= top && y <= bottom);
        if (!topmost) return [];
        const isAlike = ({ place }) => Picture.#overlap(place, topmost.place) > Picture.#ALIKE;
        const isLoose = ({ thing }) => this.#results?.things[thing]?.track === undefined;
        const first = [topmost, ...others.filter(isAlike)].sort((a, b) => isLoose(a) - isLoose(b));
        return [...new Set([...first, ...others].map(({ thing }) => thing))];
    }

    /** Intersection over union of two places. */
    static #overlap(first, second) {
        const side = (least, most) => Math.max(Math.min(first[most], second[most]) - Math.max(first[least], second[least]), 0);
        const area = ([left, top, right, bottom]) => (right - left) * (bottom - top);
        const both = side(0, 2) * side(1, 3);
        return both / (area(first) + area(second) - both);
    }

    /** The picture of a moment that the page holds of a frame, where there is no video; null for none. */
    shotOf(index) {
        if (this.#player || this.#photo || !this.#results) return null;
        const here = this.#results.moments.filter((each) => each.picture && (each.best ?? each.index) === index);
        // Of several those of the chosen thing: each shows what is around its own.
        const moment = here.find((each) => each.things?.includes(this.#view.selected)) ?? here[0];
        if (!moment) return null;
        if (!this.#shots.has(moment)) {
            const image = annotatePage.element("img", { src: moment.picture });
            this.#shots.set(moment, image);
            image.decode().then(() => this.redraw(), () => this.#shots.set(moment, null));
        }
        return { image: this.#shots.get(moment), moment };
    }

    get player() { return this.#player; }
    get canPlay() { return this.#player !== null && !this.#player.hasFailed; }
    get isPlaying() { return this.canPlay && this.#player.isPlaying; }
    get video() { return this.#video; }
    /** The frame whose boxes are drawn. */
    get index() { return this.#index; }

    /** Opens a job's video, "source" or "annotated"; null: only its boxes. */
    open(results, way, index) {
        this.close();
        this.#results = results;
        this.#index = index;
        this.#note.textContent = "";
        const source = way && results.job.videos?.[way];
        if (source && results.count > 0 && Picture.isPhoto(source)) {
            this.#photo = annotatePage.element("img", { alt: "The picture of this job", src: source });
            this.#photo.addEventListener("error", () => this.#view.videoFailed(
                way, "This browser can't show the picture: it isn't there any more, or is of a kind that browsers don't show."));
            this.#box.prepend(this.#photo);
        } else if (source && results.count > 0) {
            this.#video = annotatePage.element("video", { muted: true, playsInline: true, tabIndex: -1 });
            this.#video.setAttribute("aria-label", "The video of this job");
            this.#box.prepend(this.#video);
            this.#player = new annotatePage.FramePlayer(this.#video, {
                onFrame: (shown, mediaTime, presentationTime) => this.#shown(shown, presentationTime),
                onPassing: (shown) => {
                    this.#index = shown;
                    this.#draw();
                },
                onState: () => this.#playChanged(),
                onReady: () => this.layout(),
                onError: (sentence) => this.#view.videoFailed(way, sentence),
            });
            this.#player.load(source, results.table(way), index);
        }
        this.layout();
        if (!this.#player) this.#shown(index);
    }

    close() {
        this.#player?.close();
        this.#video?.remove();
        this.#still.hidden = true;
        this.#photo?.remove();
        [this.#player, this.#video, this.#photo, this.#results] = [null, undefined, null, null];
        this.#targets = [];
        this.#shots.clear();
    }

    /** True for the address of a photo, which is one frame. */
    static isPhoto(address) { return /\.(jpe?g|png|webp|gif|bmp|avif)$/i.test(address); }

    /** Says in the picture's place why there is none. */
    tell(sentence) { this.#note.textContent = sentence; }

    show(index) {
        const most = Math.max(this.#results.count - 1, 0);
        const wanted = Math.min(Math.max(index, 0), most);
        if (this.canPlay) this.#player.show(wanted); else this.#shown(wanted);
    }

    step(frames) { if (this.canPlay) this.#player.step(frames); else this.show(this.#index + frames); }

    #shown(index, presentationTime) {
        if (this.isPlaying) this.#play(index, presentationTime); else this.#seen(index);
    }

    #seen(index) {
        this.#index = index;
        this.#view.frameShown(index);
        // In the same turn as the picture, or the boxes come a picture late.
        this.#draw();
    }

    /**
     * While a video plays, the browser goes on to the next picture while it tells of this one. So what is seen then is a copy,
     * which comes to the screen together with its boxes; and whose picture a copy is shows when the next one is told: that
     * came before the copy was made, or after. Until then the copy waits, a picture long.
     */
    #play(index, presentationTime) {
        if (this.#copied) {
            const isOwn = presentationTime > this.#copied.time;
            this.#still.getContext("2d", { alpha: false }).drawImage(this.#copy, 0, 0);
            this.#seen(isOwn ? this.#copied.index : index);
        }
        this.#copied = { index, time: performance.now() };
        this.#copy.getContext("2d", { alpha: false }).drawImage(this.#video, 0, 0);
    }

    /** The video itself is seen while it stands still, and copies while it plays; the first is of the frame that stands. */
    #playChanged() {
        const { isPlaying } = this;
        this.#still.hidden = !isPlaying;
        this.#copied = null;
        if (isPlaying) {
            for (const canvas of [this.#still, this.#copy]) {
                [canvas.width, canvas.height] = [this.#video.videoWidth, this.#video.videoHeight];
            }
            this.#still.getContext("2d", { alpha: false }).drawImage(this.#video, 0, 0);
        } else if (this.canPlay && this.#player.index >= 0) this.#seen(this.#player.index);
        this.#view.playChanged();
    }

    redraw() { this.#redraw(); }

    /** Gives the picture its size: the whole of it in the window, or its pixels by one or two of the screen. */
    layout() {
        if (!this.#results || !this.#port.clientWidth) return;
        const density = window.devicePixelRatio || 1;
        const [width, height] = this.#results.job.size ?? [1280, 720];
        const zoom = this.#view.zoom;
        const scale = zoom === "fit"
            ? Math.min(this.#port.clientWidth / width, Math.max(window.innerHeight * Picture.#SHARE, 200) / height)
            : zoom / density;
        // What is on the screen is the picture as shown, whatever the file's pixels are: the video fills the box.
        const size = [Math.round(width * scale * density) / density, Math.round(height * scale * density) / density];
        this.#box.style.width = `${size[0]}px`;
        this.#box.style.height = `${size[1]}px`;
        const pixels = size.map((side) => Math.round(side * density));
        if (this.#canvas.width !== pixels[0] || this.#canvas.height !== pixels[1]) {
            [this.#canvas.width, this.#canvas.height] = pixels;
        }
        this.#draw();
    }

    #draw() {
        const context = this.#canvas.getContext("2d");
        const [width, height] = [this.#canvas.width, this.#canvas.height];
        context.clearRect(0, 0, width, height);
        this.#targets = [];
        const [results, index] = [this.#results, this.#index];
        if (!results || results.count === 0) return;
        const shot = this.shotOf(index);
        if (shot?.image?.complete && shot.image.naturalWidth) {
            const scale = width / (results.job.size?.[0] ?? 1280);
            const [left, top, wide, tall] = shot.moment.view ?? [0, 0, ...(results.job.size ?? [1280, 720])];
            context.drawImage(shot.image, left * scale, top * scale, wide * scale, tall * scale);
        }
        // What is drawn in the picture already isn't drawn over it.
        if (!this.#view.hasOverlay || shot?.moment.burned) return;
        const observations = results.at(index);
        if (observations === null) {
            results.read(index).then(() => { if (this.#results === results && this.#index === index) this.#draw(); })
                .catch(() => this.tell("The results of this frame can't be read: make the page anew."));
            return;
        }
        const scale = width / (results.job.size?.[0] ?? 1280);
        this.#targets = annotateReview.overlay.draw(context, observations, {
            things: results.things, scale, density: window.devicePixelRatio || 1, hasTexts: this.#view.hasTexts,
            isShown: (thing) => this.#view.isShown(thing), selected: this.#view.selected, size: { width, height },
        });
        annotateReview.overlay.drawLost(context, results.things.filter((thing) => this.#view.isShown(thing)), index, scale);
    }

    /** What is seen as one canvas, for paper: printers get no videos. */
    snapshot() {
        const canvas = annotatePage.element("canvas", { width: this.#canvas.width, height: this.#canvas.height });
        const context = canvas.getContext("2d");
        const shown = this.canPlay ? this.#video : this.#photo;
        if (shown) context.drawImage(shown, 0, 0, canvas.width, canvas.height);
        context.drawImage(this.#canvas, 0, 0);
        return canvas;
    }
};
