"use strict";
/**
 * The lists and fields beside the picture: what is drawn, the one that is chosen, the file.
 *
 * page: {clip, drawing, found, thing, frame, placeOf(item), choose(thing), settle(isException), colorOf(item), go(frame), edit(item, kind, points), keyHere(), leaveHere(), endHere(),
 * say(sentence)}
 */
annotatePick.Panel = class Panel {
    #page;
    #get = (id) => document.getElementById(id);
    /** The fields of the place, made anew for another number of them. */
    #fields = [];

    constructor(page) {
        this.#page = page;
        const { drawing } = page;
        const on = (id, event, action) => this.#get(id).addEventListener(event, action);
        this.#get("form").addEventListener("submit", (event) => event.preventDefault());
        on("item-id", "input", (event) => this.#write("id", event.target.value.trim()));
        on("item-text", "input", (event) => this.#write("text", event.target.value));
        for (const id of ["item-id", "item-text"]) on(id, "change", () => drawing.pause());
        on("item-start", "change", (event) => {
            const frame = this.#frame(event.target);
            if (frame !== null) drawing.begin(drawing.selected, frame);
            this.refresh();
        });
        on("item-end", "change", (event) => {
            const frame = event.target.value === "" ? null : this.#frame(event.target);
            if (frame !== null || event.target.value === "") drawing.finish(drawing.selected, frame);
            this.refresh();
        });
        on("begin-here", "click", () => drawing.begin(drawing.selected, page.frame));
        on("end-here", "click", () => page.endHere());
        on("remove", "click", () => {
            drawing.remove(drawing.selected);
            this.#get("canvas").focus();
        });
        on("key-here", "click", () => page.keyHere());
        on("absent-here", "click", () => page.leaveHere());
        on("hide", "click", () => page.settle(false));
        on("leave", "click", () => page.settle(true));
        on("item-style", "change", (event) => drawing.dress(drawing.selected, event.target.value));
        on("fill", "change", (event) => drawing.fill(drawing.selected, event.target.checked));
    }

    #write(field, text) {
        const { drawing } = this.#page;
        drawing.change(() => { drawing.selected[field] = text; }, `${field} ${drawing.selectedNumber}`);
    }

    /** A field's frame; null for what is none. */
    #frame(field) {
        const frame = Number(field.value);
        if (field.value !== "" && Number.isInteger(frame) && frame >= 0 && frame <= this.#page.clip.count) return frame;
        this.#page.say(`The clip has the frames 0 to ${this.#page.clip.count - 1}.`);
        return null;
    }

    refresh() {
        const { drawing } = this.#page;
        this.#list();
        this.#found();
        this.#get("json").value = drawing.text;
        this.#form(drawing.selected);
    }

    #list() {
        const { drawing } = this.#page;
        this.#get("empty").hidden = drawing.items.length > 0;
        this.#fill("list", drawing.items.map((item) => {
            const { word } = annotatePick.KINDS[item.keys[0].kind];
            if (annotatePick.KINDS[item.keys[0].kind].isStill) {
                return {
                    isCurrent: item === drawing.selected, color: this.#page.colorOf(item), isFlawed: drawing.complaint(item) !== null,
                    text: `${item.id || "(no id)"}: ${word}`, choose: () => drawing.select(item), buttons: [],
                };
            }
            const later = item.keys.length - 1;
            const what = item.list === "cover" ? annotatePick.Covers.describe(item, this.#page) : `${item.id || "(no id)"}: ${word}`;
            const keys = later === 0 ? "" : later === 1 ? ", 1 keyframe" : `, ${later} keyframes`;
            return {
                isCurrent: item === drawing.selected, color: this.#page.colorOf(item), isFlawed: drawing.complaint(item) !== null,
                text: `${what}, frame ${item.keys[0].frame}${keys}`, choose: () => drawing.select(item),
                buttons: [["Go", `Go to frame ${item.keys[0].frame}, where ${item.id} begins`, () => {
                    drawing.select(item);
                    this.#page.go(item.keys[0].frame);
                }]],
            };
        }));
    }

    /** What was found on this frame. */
    #found() {
        const { found, frame, thing } = this.#page;
        this.#get("found").hidden = found.size === 0;
        if (found.size === 0) return;
        const here = [...found].filter(([, one]) => one.at(frame)?.points);
        this.#get("found-title").textContent = `Found on frame ${frame}: ${here.length || "nothing"}`;
        this.#fill("found-list", here.slice(0, 200).map(([track, { name }]) => ({
            isCurrent: track === thing, text: name, choose: () => this.#page.choose(track), buttons: [],
        })));
        for (const id of ["hide", "leave"]) this.#get(id).disabled = thing === null;
    }

    /** Makes a list's rows anew, the focus staying where it was. */
    #fill(id, rows) {
        const list = this.#get(id);
        const all = [...list.querySelectorAll("button")];
        const focused = all.indexOf(document.activeElement);
        list.replaceChildren(...rows.map((row) => {
            const element = document.createElement("li");
            if (row.color) {
                const swatch = document.createElement("span");
                swatch.className = "swatch";
                swatch.style.background = row.color;
                element.append(swatch);
            }
            if (row.isCurrent) element.setAttribute("aria-current", "true");
            if (row.isFlawed) element.className = "flawed";
            for (const [text, name, action] of [[row.text, null, row.choose], ...row.buttons]) {
                const button = document.createElement("button");
                button.type = "button";
                button.textContent = text;
                if (name) button.setAttribute("aria-label", name);
                if (!name && row.isCurrent !== undefined) button.setAttribute("aria-pressed", String(row.isCurrent));
                button.addEventListener("click", action);
                element.append(button);
            }
            return element;
        }));
        if (focused >= 0) [...list.querySelectorAll("button")][focused]?.focus();
    }

    #form(item) {
        this.#get("form").hidden = item === null;
        if (!item) return;
        const { drawing, frame, clip } = this.#page;
        const { word, text, hasKeyframes, isStill } = annotatePick.KINDS[item.keys[0].kind];
        const isCover = item.list === "cover";
        for (const part of document.querySelectorAll("#form .moment")) part.hidden = (isStill || item.isKept) ?? false;
        for (const part of document.querySelectorAll("#form .named")) part.hidden = isCover;
        for (const part of document.querySelectorAll("#form .text")) part.hidden = !text;
        this.#get("style").hidden = !isCover || item.isKept || item.isException;
        if (isCover) this.#get("item-style").value = item.style;
        this.#get("form-title").textContent = isCover ? annotatePick.Covers.describe(item, this.#page) : `${item.id || "(no id)"} (${word})`;
        const complaint = drawing.complaint(item);
        this.#get("complaint").hidden = complaint === null;
        this.#get("complaint").textContent = complaint ?? "";
        this.#set("item-id", item.id);
        this.#set("item-text", item.text);
        if (text) this.#get("text-name").textContent = text[1];
        this.#set("item-start", item.keys[0].frame);
        this.#set("item-end", item.end?.frame ?? "");
        this.#get("item-start").max = clip.count - 1;
        this.#get("end-here").disabled = frame <= item.keys[0].frame;
        this.#get("keyframes").hidden = !hasKeyframes;
        this.#get("absent-here").disabled = frame <= item.keys[0].frame;
        this.#get("key-here").disabled = item.keys.some((key) => key.frame === frame && !key.absent);
        this.#get("both-sides").hidden = isCover;
        this.#get("fill").checked = item.isFilled;
        this.#get("fill").disabled = !drawing.canFill(item);
        this.#fill("keys", item.keys.map((key, index) => ({
            isCurrent: key.frame === frame,
            text: `${key.frame}: ${key.absent ? "away" : annotatePick.Shapes.text(key.kind, key.points)}`,
            choose: () => this.#page.go(key.frame),
            buttons: index === 0 ? [] : [["Delete", `Delete the keyframe ${key.frame}`, () => drawing.forget(item, key.frame)]],
        })));
        this.#place(item);
    }

    /** Writes a field, unless somebody is typing into it. */
    #set(id, value) {
        const field = typeof id === "string" ? this.#get(id) : id;
        if (field !== document.activeElement || field.value.trim() !== String(value)) {
            if (field === document.activeElement && field.type === "text") return;
            field.value = value;
        }
    }

    /** The numbers of the place on this frame. */
    #place(item) {
        const shape = this.#page.placeOf(item);
        this.#get("place").hidden = !shape;
        if (!shape) return;
        const said = { key: "said of this frame", last: `from frame ${shape.from}`, between: "on the way", tracked: "tracked" }[shape.look];
        this.#get("place-title").textContent = annotatePick.KINDS[shape.kind].isStill ? "Place" : `Place on frame ${this.#page.frame} (${said})`;
        const isBox = annotatePick.KINDS[shape.kind].key === "box";
        const names = isBox ? ["Left", "Top", "Width", "Height"]
            : shape.points.flatMap((_, index) => (shape.points.length === 1 ? ["X", "Y"] : [`X ${index + 1}`, `Y ${index + 1}`]));
        if (names.join() !== this.#fields.map((field) => field.name).join()) {
            this.#fields = names.map((name) => {
                const field = document.createElement("input");
                Object.assign(field, { type: "number", step: "any", name });
                field.addEventListener("change", () => this.#readPlace());
                const label = document.createElement("label");
                label.append(name, field);
                return field;
            });
            this.#get("place-fields").replaceChildren(...this.#fields.map((field) => field.parentElement));
        }
        const numbers = annotatePick.Shapes.toManifest(shape.kind, shape.points, [1, 1]).flat();
        this.#fields.forEach((field, index) => this.#set(field, numbers[index]));
    }

    #readPlace() {
        const item = this.#page.drawing.selected;
        const shape = this.#page.placeOf(item);
        const numbers = this.#fields.map((field) => (field.value === "" ? NaN : Number(field.value)));
        if (!shape) return;
        const isBox = annotatePick.KINDS[shape.kind].key === "box";
        if (!numbers.every(Number.isFinite) || isBox && (numbers[2] <= 0 || numbers[3] <= 0)) {
            this.#page.say(isBox ? "A box takes four numbers, its width and height over 0." : "A place takes two numbers.");
            return this.refresh();
        }
        const pairs = shape.points.map((_, index) => numbers.slice(2 * index, 2 * index + 2));
        const value = isBox ? numbers : annotatePick.KINDS[shape.kind].points === 1 ? pairs[0] : pairs;
        this.#page.edit(item, shape.kind, annotatePick.Shapes.fromManifest(shape.kind, value, [1, 1]));
    }
};
