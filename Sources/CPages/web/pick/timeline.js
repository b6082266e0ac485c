"use strict";
/**
 * A row for each region over the clip's time: where it begins, its keyframes, where it is said to be away, its end, and where
 * a track file has it or has lost it. The lists in the panel say the same in words.
 *
 * page: {clip, drawing, tracked, go(frame), colorOf(item)}
 */
annotatePick.Timeline = class Timeline {
    static ROW = 14;
    #canvas;
    #page;

    constructor(canvas, page) {
        [this.#canvas, this.#page] = [canvas, page];
        const seek = (event) => {
            const bounds = canvas.getBoundingClientRect();
            page.go(Math.floor((event.clientX - bounds.left) / bounds.width * page.clip.count));
            const row = Math.floor((event.clientY - bounds.top) / Timeline.ROW);
            const item = page.drawing.items[row];
            if (item && event.type === "pointerdown") page.drawing.select(item);
        };
        canvas.addEventListener("pointerdown", (event) => {
            canvas.setPointerCapture(event.pointerId);
            seek(event);
        });
        canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) seek(event); });
        new ResizeObserver(() => this.draw()).observe(canvas);
    }

    draw() {
        const { clip, drawing, tracked, found } = this.#page;
        const canvas = this.#canvas;
        const height = Math.max(drawing.items.length, 1) * Timeline.ROW;
        canvas.style.height = `${height}px`;
        const [ratio, width] = [devicePixelRatio, canvas.clientWidth];
        [canvas.width, canvas.height] = [Math.max(Math.round(width * ratio), 1), Math.round(height * ratio)];
        const context = canvas.getContext("2d");
        context.scale(ratio, ratio);
        const [text, faint, raised, bad, accent] = ["text", "edge", "raised", "bad", "accent"].map((name) => this.#color(name));
        const x = (frame) => frame / clip.count * width;
        drawing.items.forEach((item, row) => {
            const top = row * Timeline.ROW;
            const color = this.#page.colorOf(item);
            const [from, to] = [item.keys[0].frame, item.end?.frame ?? clip.count];
            context.fillStyle = item === drawing.selected ? raised : "transparent";
            context.fillRect(0, top, width, Timeline.ROW);
            context.fillStyle = faint;
            context.fillRect(x(from), top + 6, Math.max(x(to) - x(from), 1), 2);
            for (const [first, last, state] of (item.list === "cover" ? found.get(item.track) : tracked.get(item.id))?.runs ?? []) {
                const isLost = state === "lost" || state === "ended";
                context.fillStyle = state === "lost" ? bad : color;
                context.globalAlpha = isLost ? 0.9 : 0.45;
                if (state !== "ended") {
                    context.fillRect(x(first), top + (isLost ? 5 : 3), Math.max(x(last + 1) - x(first), 1), isLost ? 4 : 8);
                }
                context.globalAlpha = 1;
            }
            for (const key of item.keys) this.#mark(context, x(key.frame + 0.5), top + 7, key, key === item.keys[0], color, text);
            if (item.end) {
                context.fillStyle = text;
                context.fillRect(x(item.end.frame) - 1, top + 1, 2, Timeline.ROW - 2);
            }
        });
        context.fillStyle = accent;
        context.fillRect(x(Math.max(clip.index, 0) + 0.5) - 1, 0, 2, height);
        const count = drawing.items.length;
        canvas.setAttribute("aria-label", `Timeline of ${count} ${count === 1 ? "entry" : "entries"}; `
            + "the list of entries and the keyframes of the chosen one say the same.");
    }

    /** A colour of the page's theme, as a canvas takes it: a custom property itself says "light-dark(…)". */
    #color(name) {
        this.#canvas.style.color = `var(--${name})`;
        return getComputedStyle(this.#canvas).color;
    }

    /** A square where it begins, a diamond for a keyframe, a cross where it is away. */
    #mark(context, x, y, key, isFirst, color, text) {
        context.fillStyle = color;
        context.strokeStyle = text;
        context.lineWidth = 1;
        context.beginPath();
        if (key.absent) {
            context.lineWidth = 2;
            for (const [dx, dy] of [[4, 4], [4, -4]]) {
                context.moveTo(x - dx, y - dy);
                context.lineTo(x + dx, y + dy);
            }
        } else if (isFirst) {
            context.rect(x - 4, y - 4, 8, 8);
        } else {
            for (const [dx, dy] of [[0, -5], [5, 0], [0, 5], [-5, 0]]) context.lineTo(x + dx, y + dy);
            context.closePath();
        }
        if (!key.absent) context.fill();
        context.stroke();
    }
};
