"use strict";
/** Buttons and keys. */
annotatePick.wire = function (page) {
    const get = (id) => document.getElementById(id);
    const { clip, drawing, view } = page;
    const canvas = get("canvas");

    const drawn = Object.entries(annotatePick.KINDS).filter(([, kind]) => !kind.isChosen);
    for (const [tool, word, letter] of [
        ["select", "Select", "v"],
        ...(page.found.size > 0 ? [["found", "Found", "f"]] : []),
        ...drawn.map(([name, kind]) => [name, kind.word[0].toUpperCase() + kind.word.slice(1), kind.letter]),
    ]) {
        const button = document.createElement("button");
        Object.assign(button, { type: "button", value: tool, textContent: word, title: letter ? `${word} (${letter.toUpperCase()})` : word });
        if (letter) button.setAttribute("aria-keyshortcuts", letter.toUpperCase());
        button.addEventListener("click", () => page.setTool(tool));
        get("tools").append(button);
    }

    const toggleLoupe = () => {
        view.hasLoupe = !view.hasLoupe;
        get("loupe").setAttribute("aria-pressed", String(view.hasLoupe));
        page.refresh();
    };
    const zoom = (action) => {
        action();
        page.refresh();
    };
    const toKeyframe = (direction) => {
        const frames = drawing.selected?.keys.map((key) => key.frame) ?? [];
        const target = direction > 0 ? frames.find((frame) => frame > page.frame) : frames.findLast((frame) => frame < page.frame);
        if (target !== undefined) page.go(target);
    };
    /** Moves what is chosen, or with Ctrl its right and lower edges. */
    const nudge = (dx, dy, isEdge) => {
        const shape = page.placeOf(drawing.selected);
        if (!shape) return false;
        const { item, kind, points } = shape;
        let moved = annotatePick.Shapes.moved(kind, points, dx, dy, view.size);
        if (isEdge && annotatePick.Shapes.isBox(kind)) {
            const [from, to] = points;
            const inside = annotatePick.Shapes.inside(kind, [to[0] + dx, to[1] + dy], view.size);
            moved = [from, [Math.max(inside[0], from[0] + 1), Math.max(inside[1], from[1] + 1)]];
        }
        page.edit(item, kind, moved, `nudge ${item.number} ${page.frame}`);
        return true;
    };
    /** A shape in the middle of what is seen, for those who draw by keys. */
    const insert = () => {
        if (page.tool === "select" || page.tool === "found") return;
        const side = Math.max(Math.round(Math.min(clip.width, clip.height) / 5), 2);
        const [x, y] = view.middle.map(Math.round);
        const corners = annotatePick.Shapes.corners("box", [[x - side / 2, y - side / 2], [x + side / 2, y + side / 2]]);
        const kind = annotatePick.KINDS[page.tool];
        const raw = kind.isDragged ? [corners[0], corners[2]] : kind.points === 1 ? [[x, y]]
            : kind.points === 2 ? [[x - side / 2, y], [x + side / 2, y]] : corners;
        page.commit(page.tool, raw.map((point) =>
            annotatePick.Shapes.inside(page.tool, annotatePick.Shapes.snapped(page.tool, point), view.size)));
    };
    const removeHere = () => {
        const item = drawing.selected;
        if (!item) return;
        const key = item.keys.find((one) => one.frame === page.frame);
        if (key && key !== item.keys[0]) drawing.forget(item, page.frame); else drawing.remove(item);
    };

    const buttons = {
        undo: () => drawing.undo(), redo: () => drawing.redo(), loupe: toggleLoupe,
        "zoom-in": () => zoom(() => view.zoomStep(1)), "zoom-out": () => zoom(() => view.zoomStep(-1)),
        "zoom-fit": () => zoom(() => view.fit()), "zoom-one": () => zoom(() => view.zoom(1)),
        first: () => clip.show(0), last: () => clip.show(clip.count - 1), back: () => clip.step(-1), on: () => clip.step(1),
        "back-ten": () => clip.step(-10), "on-ten": () => clip.step(10), play: () => clip.toggle(),
        "open-help": () => get("help").showModal(),
    };
    for (const [id, action] of Object.entries(buttons)) get(id).addEventListener("click", action);
    get("frame").addEventListener("change", (event) => clip.show(Number(event.target.value)));
    get("time").addEventListener("change", (event) => clip.show(clip.frameShownAt(Number(event.target.value))));
    get("scrub").addEventListener("input", (event) => clip.show(Number(event.target.value)));

    /** Keys: what they are called, what they do for people, what they do; `here` ones only with the focus on the picture. */
    const KEYS = [
        [["v"], "V", "Select and change", () => page.setTool("select")],
        ...(page.found.size > 0 ? [
            [["f"], "F", "Choose among what was found", () => page.setTool("found")],
            [["h"], "H", "Hide what is chosen of it", () => page.settle(false)],
            [["n"], "N", "Leave it visible", () => page.settle(true)],
        ] : []),
        ...drawn.filter(([, kind]) => kind.letter).map(([name, kind]) =>
            [[kind.letter], kind.letter.toUpperCase(), `Draw: ${kind.word}`, () => page.setTool(name)]),
        [["Enter"], "Enter", "Put a shape into the middle of the picture; end a zone's corners",
            () => { if (!page.pointer.finish(page.tool)) insert(); }, "here"],
        [["Escape"], "Esc", "Leave off drawing; let go of what is chosen", () => { if (!page.pointer.cancel()) drawing.select(null); }],
        [["Backspace"], "Backspace", "Take back the last corner", () => { if (!page.pointer.back()) removeHere(); }, "here"],
        [["Delete"], "Delete", "Delete the keyframe of this frame, or else the entry", removeHere, "here"],
        [["k"], "K", "Keyframe here, from where it is seen", () => page.keyHere()],
        [["a"], "A", "Away from this frame on", () => page.leaveHere()],
        [["e"], "E", "Ends before this frame", () => page.endHere()],
        [["["], "[", "To the keyframe before", () => toKeyframe(-1)],
        [["]"], "]", "To the next keyframe", () => toKeyframe(1)],
        [[","], ",", "A frame back", () => clip.step(-1)],
        [["."], ".", "A frame on", () => clip.step(1)],
        [["PageUp"], "Page up", "Ten frames back", () => clip.step(-10), "here"],
        [["PageDown"], "Page down", "Ten frames on", () => clip.step(10), "here"],
        [["Home"], "Home", "First frame", () => clip.show(0), "here"],
        [["End"], "End", "Last frame", () => clip.show(clip.count - 1), "here"],
        [[" "], "Space", "Play and pause; held while dragging it moves the picture", () => {}, "here"],
        [["+", "="], "+", "Larger", () => zoom(() => view.zoomStep(1))],
        [["-"], "-", "Smaller", () => zoom(() => view.zoomStep(-1))],
        [["0"], "0", "The whole picture", () => zoom(() => view.fit())],
        [["1"], "1", "One to one", () => zoom(() => view.zoom(1))],
        [["l"], "L", "Loupe", toggleLoupe],
        [["?"], "?", "This help", () => get("help").showModal()],
    ];
    const words = [
        ["Arrows", "Move what is chosen by a pixel, with Shift by ten; with Ctrl a box's right and lower edges; where nothing is chosen go a frame, or ten"],
        ...KEYS.map((row) => [row[1], row[2]]),
        ["Ctrl+Z, Ctrl+Y", "Undo, redo"], ["Ctrl+S", "Save"], ["Wheel", "Zoom at the pointer; the middle button moves the picture"],
    ];
    get("key-list").replaceChildren(...words.flatMap(([key, what]) => {
        const [term, text] = [document.createElement("dt"), document.createElement("dd")];
        [term.textContent, text.textContent] = [key, what];
        return [term, text];
    }));

    const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const arrow = (event) => {
        const [dx, dy] = ARROWS[event.key];
        const by = event.shiftKey ? 10 : 1;
        if (!nudge(dx * by, dy * by, event.ctrlKey) && dx !== 0) clip.step(dx * by);
    };
    let hasPanned = false;
    document.addEventListener("keydown", (event) => {
        if (get("help").open) return;
        const target = event.target;
        const isTyped = target.matches("textarea, input:not([type=range], [type=checkbox])");
        const isHere = target === canvas || target === document.body;
        const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
        if ((event.ctrlKey || event.metaKey) && !event.altKey && !(event.key in ARROWS)) {
            const action = { s: () => page.store.save(), z: () => (event.shiftKey ? drawing.redo() : drawing.undo()), y: () => drawing.redo() }[key];
            // A field has an undo of its own.
            if (!action || isTyped && key !== "s" && !target.readOnly) return;
            event.preventDefault();
            return action();
        }
        if (event.altKey || event.metaKey) return;
        if (isTyped) {
            if (event.key === "Escape") canvas.focus();
            return;
        }
        if (event.key in ARROWS) {
            if (!isHere) return;
            event.preventDefault();
            return arrow(event);
        }
        const row = KEYS.find(([names]) => names.includes(key));
        if (!row || row[4] === "here" && !isHere) return;
        event.preventDefault();
        if (key === " " && !event.repeat) {
            hasPanned = false;
            page.pointer.isPanning = true;
            canvas.classList.add("panning");
        }
        row[3]();
    });
    canvas.addEventListener("pointerdown", () => { hasPanned = true; });
    document.addEventListener("keyup", (event) => {
        if (event.key !== " " || !page.pointer.isPanning) return;
        page.pointer.isPanning = false;
        canvas.classList.remove("panning");
        if (!hasPanned) clip.toggle();
    });
    canvas.addEventListener("blur", () => drawing.pause());
};
