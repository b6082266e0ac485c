"use strict";
/**
 * What the pointer does on the picture: draws with the tool, moves what is selected, selects, pans and zooms.
 *
 * page: {clip, drawing, view, tool, shapes(): what is seen on the frame with its item, commit(kind, points),
 * edit(item, kind, points), say(sentence), refresh()}
 */
annotatePick.Pointer = class Pointer {
    /** CSS pixels within which something counts as hit. */
    static REACH = 8;
    #page;
    #canvas;
    /** What goes on while a button is held: {move(place, event), end(place)}. */
    #drag = null;
    /** The points of a shape that is drawn point by point. */
    #clicked = [];
    isPanning = false;

    constructor(canvas, page) {
        [this.#canvas, this.#page] = [canvas, page];
        canvas.addEventListener("pointerdown", (event) => this.#down(event));
        canvas.addEventListener("pointermove", (event) => this.#move(event));
        canvas.addEventListener("pointerup", (event) => this.#up(event));
        canvas.addEventListener("pointercancel", () => this.cancel());
        canvas.addEventListener("pointerleave", () => {
            page.view.pointer = null;
            page.refresh();
        });
        canvas.addEventListener("contextmenu", (event) => event.preventDefault());
        canvas.addEventListener("wheel", (event) => {
            event.preventDefault();
            page.view.zoom(page.view.scale * 2 ** (-Math.sign(event.deltaY) / 2), page.view.placeInCanvas(event));
            page.refresh();
        }, { passive: false });
    }

    /** Ends what is being drawn, without a result. */
    cancel() {
        const wasBusy = this.#drag !== null || this.#clicked.length > 0;
        this.#drag?.cancel?.();
        this.#drag = null;
        this.#clicked = [];
        this.#page.view.draft = null;
        this.#page.refresh();
        return wasBusy;
    }

    /** Takes back the last corner. */
    back() {
        if (this.#clicked.length === 0) return false;
        this.#clicked.pop();
        this.#showClicked(this.#page.view.pointer);
        return true;
    }

    get isBusy() { return this.#drag !== null || this.#clicked.length > 0; }

    #down(event) {
        this.#canvas.focus({ preventScroll: true });
        if (event.button > 1 || this.#drag) return;
        event.preventDefault();
        this.#canvas.setPointerCapture(event.pointerId);
        const place = this.#page.view.place(event);
        this.#drag = event.button === 1 || this.isPanning ? this.#pan(event) : this.#begin(place, event);
    }

    #begin(place, event) {
        const { tool, view, drawing } = this.#page;
        const reach = Pointer.REACH / view.scale;
        const shapes = this.#page.shapes();
        const selected = this.#page.placeOf(drawing.selected);
        if (selected && this.#clicked.length === 0) {
            const handle = annotatePick.Shapes.handles(selected.kind, selected.points)
                .find(({ at }) => Math.abs(at[0] - place[0]) <= reach && Math.abs(at[1] - place[1]) <= reach);
            if (handle) return this.#reshape(selected, handle);
        }
        if (tool !== "select" && tool !== "found") return annotatePick.KINDS[tool].isDragged ? this.#stretch(tool, place) : this.#click(tool);
        const hits = shapes.filter((shape) => annotatePick.Shapes.isHit(shape.kind, shape.points, place, reach))
            .sort((a, b) => annotatePick.Shapes.area(a.kind, a.points) - annotatePick.Shapes.area(b.kind, b.points));
        if (tool === "found") {
            const found = hits.find((shape) => shape.thing !== undefined);
            this.#page.choose(found?.thing ?? null);
            return found ? null : this.#pan(event);
        }
        const hit = hits.find((shape) => shape.item);
        if (!hit) {
            if (drawing.selected && !hits.length) drawing.select(null);
            return this.#pan(event);
        }
        if (hit.item !== drawing.selected || !drawing.isChosen) drawing.select(hit.item);
        if (hit.isFixed) return null;
        return this.#carry(hit, place);
    }

    /** A box from where the button went down. */
    #stretch(tool, from) {
        const { view } = this.#page;
        const snap = (place) =>
            annotatePick.Shapes.inside(tool, annotatePick.Shapes.snapped(tool, place), view.size);
        const start = snap(from);
        const points = (place) => {
            const end = snap(place);
            return [[Math.min(start[0], end[0]), Math.min(start[1], end[1])], [Math.max(start[0], end[0]), Math.max(start[1], end[1])]];
        };
        return {
            move: (place) => {
                view.draft = { points: points(place), isBox: true };
                this.#page.say(annotatePick.Shapes.text("box", points(place)));
            },
            end: (place) => {
                view.draft = null;
                const [[left, top], [right, bottom]] = points(place);
                if (right - left < 2 || bottom - top < 2) this.#page.say("A box takes two pixels each way at the least: drag it open.");
                else this.#page.commit(tool, points(place));
            },
            cancel: () => { view.draft = null; },
        };
    }

    #click(tool) {
        return {
            move: (place) => this.#showClicked(place),
            end: (place) => {
                const { view } = this.#page;
                const corner = annotatePick.Shapes.inside(tool, annotatePick.Shapes.snapped(tool, place), view.size);
                const [first] = this.#clicked;
                // The first corner again ends what may have any number.
                if (first && annotatePick.KINDS[tool].least
                    && Math.hypot(first[0] - place[0], first[1] - place[1]) <= Pointer.REACH / view.scale) {
                    return this.finish(tool);
                }
                const last = this.#clicked[this.#clicked.length - 1];
                if (annotatePick.KINDS[tool].end && last?.join() === corner.join()) {
                    return this.#page.say("A line ends elsewhere than it begins: click another place.");
                }
                this.#clicked.push(corner);
                if (this.#clicked.length < annotatePick.KINDS[tool].points) return this.#showClicked(place);
                this.finish(tool);
            },
        };
    }

    /** Ends a shape that is drawn point by point. Returns whether there was one. */
    finish(tool) {
        const points = this.#clicked;
        if (points.length === 0) return false;
        if (!annotatePick.Shapes.isWhole(tool, points)) {
            this.#page.say(`It takes ${annotatePick.KINDS[tool].least ?? annotatePick.KINDS[tool].points} corners at the least.`);
            return true;
        }
        this.#clicked = [];
        this.#page.view.draft = null;
        if (points.length > 2 && annotatePick.Shapes.area(tool, points) <= 0) {
            this.#page.say("Corners on one line have no area between them: click them anew.");
        } else {
            this.#page.commit(tool, points);
        }
        return true;
    }

    #showClicked(place) {
        const { view } = this.#page;
        view.draft = this.#clicked.length === 0 ? null : { points: place ? [...this.#clicked, place] : [...this.#clicked] };
        this.#page.refresh();
    }

    #reshape(shape, handle) {
        const { view, drawing } = this.#page;
        const { item, kind, points } = shape;
        drawing.pause();
        return {
            move: (place) => {
                const to = annotatePick.Shapes.inside(kind, annotatePick.Shapes.snapped(kind, place), view.size);
                this.#page.edit(item, kind, annotatePick.Shapes.withHandle(kind, points, handle, to), "drag");
            },
            end: () => drawing.pause(),
            cancel: () => drawing.pause(),
        };
    }

    #carry(shape, from) {
        const { view, drawing } = this.#page;
        const { item, kind, points } = shape;
        let hasMoved = false;
        drawing.pause();
        return {
            move: (place) => {
                const [dx, dy] = [Math.round(place[0] - from[0]), Math.round(place[1] - from[1])];
                hasMoved ||= dx !== 0 || dy !== 0;
                if (hasMoved) {
                    this.#page.edit(item, kind, annotatePick.Shapes.moved(kind, points, dx, dy, view.size), "drag");
                }
            },
            end: () => drawing.pause(),
            cancel: () => drawing.pause(),
        };
    }

    #pan(event) {
        let last = [event.clientX, event.clientY];
        return {
            move: (_, now) => {
                this.#page.view.pan(now.clientX - last[0], now.clientY - last[1]);
                last = [now.clientX, now.clientY];
            },
            end: () => {},
        };
    }

    #move(event) {
        const { view } = this.#page;
        view.pointer = view.place(event);
        this.#drag?.move(view.pointer, event);
        if (!this.#drag && this.#clicked.length > 0) this.#showClicked(view.pointer);
        this.#page.refresh();
    }

    #up(event) {
        const drag = this.#drag;
        this.#drag = null;
        drag?.end(this.#page.view.place(event));
        this.#page.refresh();
    }
};
