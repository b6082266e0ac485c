"use strict";
/**
 * The picture with what is drawn over it, at any scale: from 1 on each of its pixels is a square.
 *
 * scene() gives what is to be drawn on the frame: [{kind, points, color, name, look, isSelected}], look being "key" (said of
 * this frame), "last" (said of an earlier one), "between" two of those, "tracked" or "found"; isFixed: it can't be drawn anew; `draft` is what is being drawn.
 */
annotatePick.View = class View {
    static MOST = 32;
    #canvas;
    #clip;
    #scene;
    /** CSS pixels for one of the picture. */
    #scale = 1;
    /** Where the picture's left top is in the canvas, CSS pixels. */
    #origin = [0, 0];
    #isFitted = true;
    #isWaiting = false;
    /** The pointer's place in the picture; null where it is elsewhere. */
    pointer = null;
    hasLoupe = false;
    draft = null;

    constructor(canvas, clip, scene) {
        [this.#canvas, this.#clip, this.#scene] = [canvas, clip, scene];
        new ResizeObserver(() => {
            if (this.#isFitted) this.fit(); else this.refresh();
        }).observe(canvas);
    }

    get scale() { return this.#scale; }
    get size() { return [this.#clip.width, this.#clip.height]; }
    /** CSS pixels of the canvas. */
    get #room() { return [this.#canvas.clientWidth, this.#canvas.clientHeight]; }

    fit() {
        const [width, height] = this.#room;
        this.#scale = Math.min(width / this.#clip.width, height / this.#clip.height, View.MOST) || 1;
        this.#origin = [(width - this.#clip.width * this.#scale) / 2, (height - this.#clip.height * this.#scale) / 2];
        this.#isFitted = true;
        this.refresh();
    }

    /** Sets the scale; what is at a place of the canvas stays there: its middle, or the pointer. */
    zoom(scale, [x, y] = this.#room.map((length) => length / 2)) {
        const [width, height] = this.#room;
        const fitted = Math.min(width / this.#clip.width, height / this.#clip.height);
        const wanted = Math.min(Math.max(scale, Math.min(fitted, 1)), View.MOST);
        const ratio = wanted / this.#scale;
        this.#origin = [x - (x - this.#origin[0]) * ratio, y - (y - this.#origin[1]) * ratio];
        this.#scale = wanted;
        this.#isFitted = false;
        this.pan(0, 0);
    }

    /** One step of the scales 1, 2, 4, 8, …, or of halves. */
    zoomStep(direction, at) {
        const power = Math.log2(this.#scale) + direction * 0.01;
        this.zoom(2 ** (direction > 0 ? Math.floor(power) + 1 : Math.ceil(power) - 1), at);
    }

    pan(dx, dy) {
        const place = [this.#origin[0] + dx, this.#origin[1] + dy];
        // Some of the picture stays to be seen; whole pixels are sharp.
        this.#origin = place.map((at, axis) => {
            const length = this.size[axis] * this.#scale;
            const room = this.#room[axis];
            return Math.round(length <= room ? (room - length) / 2 : Math.min(Math.max(at, room - length - room / 4), room / 4));
        });
        this.refresh();
    }

    /** Where an event is in the picture. */
    place(event) {
        return this.placeInCanvas(event).map((at, axis) => (at - this.#origin[axis]) / this.#scale);
    }

    /** Where an event is in the canvas, CSS pixels: browsers paint it from a whole pixel of the screen on. */
    placeInCanvas(event) {
        const { left, top } = this.#canvas.getBoundingClientRect();
        const snapped = (at) => Math.round(at * devicePixelRatio) / devicePixelRatio;
        return [event.clientX - snapped(left), event.clientY - snapped(top)];
    }

    /** Where a place of the picture is in the canvas. */
    at([x, y]) { return [x * this.#scale + this.#origin[0], y * this.#scale + this.#origin[1]]; }

    /** The middle of what is seen, in the picture. */
    get middle() {
        return this.#room.map((length, axis) =>
            Math.min(Math.max((length / 2 - this.#origin[axis]) / this.#scale, 0), this.size[axis]));
    }

    /** Draws anew, once for all changes until the screen does. */
    refresh() {
        if (this.#isWaiting) return;
        this.#isWaiting = true;
        requestAnimationFrame(() => {
            this.#isWaiting = false;
            this.#draw();
        });
    }

    #draw() {
        const canvas = this.#canvas;
        const ratio = devicePixelRatio;
        const [width, height] = this.#room.map((length) => Math.max(Math.round(length * ratio), 1));
        if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
        const context = canvas.getContext("2d");
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, width, height);
        context.scale(ratio, ratio);
        if (this.#clip.picture) {
            context.imageSmoothingEnabled = this.#scale * ratio < 1;
            const [x, y] = this.#origin;
            context.drawImage(this.#clip.picture, x, y, this.#clip.width * this.#scale, this.#clip.height * this.#scale);
        }
        for (const shape of this.#scene()) this.#shape(context, shape);
        if (this.draft) this.#draft(context, this.draft);
        if (this.hasLoupe && this.pointer) this.#loupe(context);
    }

    #path(context, points, isClosed) {
        context.beginPath();
        points.map((point) => this.at(point)).forEach(([x, y]) => context.lineTo(x, y));
        if (isClosed) context.closePath();
    }

    #shape(context, { kind, points, color, name, look, isSelected, isFixed }) {
        const corners = annotatePick.Shapes.corners(kind, points);
        context.setLineDash({ key: [], last: [2, 4], between: [2, 4], tracked: [7, 4], found: [7, 4] }[look]);
        if (corners.length === 1) {
            const [x, y] = this.at(corners[0]);
            context.beginPath();
            context.arc(x, y, 6, 0, 7);
        } else {
            this.#path(context, corners, annotatePick.KINDS[kind].isClosed ?? false);
            if (annotatePick.KINDS[kind].end) this.#arrow(context, corners);
        }
        // Dark below, to be seen on any ground.
        for (const [style, extra] of [["rgb(0 0 0 / 60%)", 2], [color, 0]]) {
            context.strokeStyle = style;
            context.lineWidth = (isSelected ? 2.5 : look === "tracked" ? 2 : 1.5) + extra;
            context.stroke();
        }
        context.setLineDash([]);
        const [x, y] = this.at(corners.reduce((best, corner) => (corner[1] < best[1] ? corner : best)));
        this.#label(context, look === "tracked" ? `${name} (tracked)` : look === "last" ? `${name} (from before)` : name, x, y, color);
        if (!isSelected || isFixed) return;
        for (const { at } of annotatePick.Shapes.handles(kind, points)) {
            const [hx, hy] = this.at(at);
            context.fillStyle = "#fff";
            context.fillRect(hx - 4, hy - 4, 8, 8);
            context.strokeStyle = "#000";
            context.lineWidth = 1;
            context.strokeRect(hx - 4.5, hy - 4.5, 9, 9);
        }
    }

    /** Makes the path of a line that of an arrow. */
    #arrow(context, ends) {
        for (const [from, to] of annotatePick.Shapes.arrow(ends.map((point) => this.at(point)), 14)) {
            context.moveTo(...from);
            context.lineTo(...to);
        }
    }

    #label(context, text, x, y, color) {
        context.font = "12px system-ui, sans-serif";
        const width = context.measureText(text).width + 8;
        const [room] = this.#room;
        const left = Math.min(Math.max(x, 0), Math.max(room - width, 0));
        const top = Math.max(y - 24, 0);
        context.fillStyle = "rgb(0 0 0 / 72%)";
        context.fillRect(left, top, width, 17);
        context.fillStyle = color;
        context.fillRect(left, top, 3, 17);
        context.fillStyle = "#fff";
        context.fillText(text, left + 6, top + 13);
    }

    #draft(context, { points, isBox }) {
        this.#path(context, isBox ? annotatePick.Shapes.corners("box", points) : points, isBox);
        for (const [style, width] of [["rgb(0 0 0 / 60%)", 4], ["#fff", 1.5]]) {
            context.strokeStyle = style;
            context.lineWidth = width;
            context.stroke();
        }
        for (const point of points) {
            const [x, y] = this.at(point);
            context.fillStyle = "#fff";
            context.fillRect(x - 3, y - 3, 6, 6);
        }
    }

    /** The pixels about the pointer, eight times as large, in the corner farthest from it. */
    #loupe(context) {
        const [side, factor] = [152, 8];
        const [px, py] = this.at(this.pointer);
        const [width, height] = this.#room;
        const left = px > width / 2 ? 8 : width - side - 8;
        const top = py > height / 2 ? 8 : height - side - 8;
        const [x, y] = [Math.floor(this.pointer[0]) + 0.5, Math.floor(this.pointer[1]) + 0.5];
        const span = side / factor;
        context.save();
        context.beginPath();
        context.rect(left, top, side, side);
        context.clip();
        context.fillStyle = "#000";
        context.fillRect(left, top, side, side);
        context.imageSmoothingEnabled = false;
        if (this.#clip.picture) {
            context.drawImage(
                this.#clip.picture, left - (x - span / 2) * factor, top - (y - span / 2) * factor,
                this.#clip.width * factor, this.#clip.height * factor);
        }
        context.strokeStyle = "#fff";
        context.lineWidth = 1;
        context.strokeRect(left + side / 2 - 4.5, top + side / 2 - 4.5, 9, 9);
        context.restore();
        context.strokeStyle = "#000";
        context.strokeRect(left - 0.5, top - 0.5, side + 1, side + 1);
    }
};
