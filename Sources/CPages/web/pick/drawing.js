"use strict";
/**
 * What is drawn: the entries of a manifest's lists `regions`, `points`, `lines`, `zones`, `cover` and those of a program's own, and
 * the way back from each change.
 *
 * An entry's `keys` are where it is on which frame, in order; the first is where it begins. A key has its frame, how the file
 * says it (by: "frame" or "time", at), and either kind and points or `absent`. What holds for the whole clip has one, of frame 0.
 */
annotatePick.LISTS = ["regions", "points", "lines", "zones", "cover"];

annotatePick.Drawing = class Drawing {
    #clip;
    #onChange;
    #past = [];
    #future = [];
    items = [];
    /** The entry that is worked on: its number. */
    selectedNumber = null;
    /** Whether somebody has chosen it: what was drawn a moment ago is selected too, and nobody means it by the next shape. */
    isChosen = false;
    #next = 1;

    /** clip: for its frames' times; onChange() after each change. */
    constructor(clip, onChange) {
        this.#clip = clip;
        this.#onChange = onChange;
    }

    get selected() { return this.items.find((item) => item.number === this.selectedNumber) ?? null; }
    get canUndo() { return this.#past.length > 0; }
    get canRedo() { return this.#future.length > 0; }

    select(item) {
        this.selectedNumber = item?.number ?? null;
        this.isChosen = item !== null && item !== undefined;
        this.#onChange();
    }

    // MARK: Changes

    /** Does something that can be taken back. Changes in a row with the same name are taken back as one. */
    change(action, name = null) {
        const before = JSON.stringify(this.items);
        const result = action();
        if (JSON.stringify(this.items) === before) return result;
        const last = this.#past[this.#past.length - 1];
        if (name === null || last?.name !== name) this.#past.push({ items: before, selected: this.selectedNumber, name });
        if (this.#past.length > 200) this.#past.shift();
        this.#future = [];
        this.#onChange();
        return result;
    }

    /** The next change is a step of its own. */
    pause() {
        const last = this.#past[this.#past.length - 1];
        if (last) last.name = null;
    }

    undo() { this.#turn(this.#past, this.#future); }
    redo() { this.#turn(this.#future, this.#past); }

    #turn(from, to) {
        const step = from.pop();
        if (!step) return;
        to.push({ items: JSON.stringify(this.items), selected: this.selectedNumber, name: null });
        this.items = JSON.parse(step.items);
        this.selectedNumber = step.selected;
        this.isChosen = false;
        this.#onChange();
    }

    add(kind, points, frame) {
        return this.change(() => {
            const { list, isStill } = annotatePick.KINDS[kind];
            const start = isStill ? 0 : frame;
            const item = {
                number: this.#next++, list, id: this.#freeName(list), text: "", normalized: false, end: null, isFilled: false, rest: {},
                ...(list === "cover" && annotatePick.Covers.fresh()), keys: [{ frame: start, by: "frame", at: start, kind, points }],
            };
            this.items.push(item);
            this.selectedNumber = item.number;
            this.isChosen = false;
            return item;
        });
    }

    #freeName(list) {
        const noun = list.replace(/s$/, "");
        let number = 1;
        while (this.items.some((item) => item.list === list && item.id === `${noun}-${number}`)) number += 1;
        return `${noun}-${number}`;
    }

    /** Hides a found thing wherever it is, or leaves it visible: one entry for each. */
    follow(track, isException) {
        return this.change(() => {
            let item = this.items.find((one) => one.list === "cover" && one.track === track && !one.isKept);
            if (!item) {
                item = {
                    number: this.#next++, list: "cover", id: this.#freeName("cover"), text: "", normalized: false, end: null, isFilled: false,
                    rest: {}, ...annotatePick.Covers.fresh(track), keys: [{ frame: 0, by: "frame", at: 0, kind: "follow", points: [] }],
                };
                this.items.push(item);
            }
            item.isException = isException;
            this.selectedNumber = item.number;
            this.isChosen = true;
            return item;
        });
    }

    remove(item) {
        this.change(() => {
            this.items = this.items.filter((one) => one !== item);
            if (item.number === this.selectedNumber) this.selectedNumber = null;
        });
    }

    /** Says where an entry is on a frame: where it begins, or a keyframe. Before its beginning it begins there from now on. */
    place(item, frame, kind, points, name = null) {
        this.change(() => {
            const known = annotatePick.KINDS[kind].isStill ? item.keys[0] : item.keys.find((key) => key.frame === frame);
            if (known) {
                delete known.absent;
                Object.assign(known, { kind, points });
            } else if (annotatePick.KINDS[kind].hasKeyframes) {
                item.keys.push({ frame, by: "frame", at: frame, kind, points });
                item.keys.sort((a, b) => a.frame - b.frame);
            } else {
                // What has one place only has it from another frame on.
                item.keys = [{ frame, by: "frame", at: frame, kind, points }];
            }
        }, name);
    }

    /** Says that it isn't there from a frame on. */
    leave(item, frame) {
        this.change(() => {
            item.keys = item.keys.filter((key) => key.frame !== frame);
            item.keys.push({ frame, by: "frame", at: frame, absent: true });
            item.keys.sort((a, b) => a.frame - b.frame);
        });
    }

    /** Takes away what is said of a frame; with the beginning the next place is the beginning. */
    forget(item, frame) {
        const left = item.keys.filter((key) => key.frame !== frame);
        while (left.length > 0 && left[0].absent) left.shift();
        if (left.length === 0) return this.remove(item);
        this.change(() => { item.keys = left; });
    }

    /** Begins on another frame, at the same place. */
    begin(item, frame) {
        this.change(() => {
            const first = item.keys[0];
            item.keys = item.keys.slice(1).filter((key) => key.frame > frame);
            item.keys.unshift({ ...first, frame, by: "frame", at: frame });
        });
    }

    finish(item, frame) {
        this.change(() => { item.end = frame === null ? null : { frame, by: "frame", at: frame }; });
    }

    /** Nothing that was done so far can be taken back. */
    forgetSteps() {
        this.#past = [];
        this.#future = [];
        this.#onChange();
    }

    // MARK: On a frame

    /** What is said last up to a frame; null before the beginning and behind the end. */
    at(item, frame) {
        if (item.end && frame >= item.end.frame) return null;
        let found = null;
        for (const key of item.keys) if (key.frame <= frame) found = key;
        return found;
    }

    /** What a manifest would find wrong with an entry, in a sentence; null where nothing is. */
    complaint(item) {
        if (item.id === "") return "It needs an id.";
        if (this.items.some((one) => one !== item && one.list === item.list && one.id === item.id)) {
            return `Another one has the id “${item.id}”, too.`;
        }
        if (item.isKept) return null;
        if (item.end && item.end.frame <= item.keys[0].frame) return "It ends before it begins.";
        const late = item.end && item.keys.find((key) => key.frame >= item.end.frame);
        if (late) return `Its keyframe ${late.frame} lies behind its end.`;
        if (annotatePick.KINDS[item.keys[0].kind].end && item.keys[0].points[0].join() === item.keys[0].points[1].join()) {
            return "It begins and ends at one point.";
        }
        const form = item.list === "cover" ? annotatePick.Covers.complaint(item) : null;
        if (form) return form;
        const flat = item.keys.find((key) => !key.absent && annotatePick.KINDS[key.kind].isClosed
            && annotatePick.Shapes.area(key.kind, key.points) <= 0);
        return flat ? `On frame ${flat.frame} it has no area.` : null;
    }

    // MARK: The file

    /** Takes over a file's text, in place of everything; what can't be read throws a sentence. */
    read(text) {
        let root;
        try {
            root = JSON.parse(text);
        } catch (error) {
            throw new Error(`This is no JSON file: ${error.message}`);
        }
        const lists = Array.isArray(root) ? { regions: root } : root;
        if (lists === null || typeof lists !== "object" || !annotatePick.LISTS.some((list) => list in lists)) {
            const names = annotatePick.LISTS.map((list) => `“${list}”`);
            throw new Error(`Expected the list of regions, or an object with ${names.slice(0, -1).join(", ")} or ${names.at(-1)}.`);
        }
        const items = [];
        for (const list of annotatePick.LISTS) {
            if (!Array.isArray(lists[list] ?? [])) throw new Error(`Expected a list under “${list}”.`);
            (lists[list] ?? []).forEach((node, index) => items.push(this.#item(list, node, `${list}, entry ${index + 1}`, index)));
        }
        this.change(() => {
            this.items = items;
            this.selectedNumber = null;
        });
    }

    #item(list, node, place, index) {
        if (list === "cover") return this.#cover(node, place, index);
        const kind = node && typeof node === "object" ? annotatePick.Shapes.kindOf(list, node) : undefined;
        if (!kind) throw new Error(`${place}: it has no place.`);
        const { id, units, frame, time, end, fill, keyframes, ...rest } = node;
        const [word] = annotatePick.KINDS[kind].text ?? ["label"];
        const normalized = units === "normalized";
        const first = this.#key(list, node, normalized, place);
        const { key: member, end: second, isStill } = annotatePick.KINDS[kind];
        for (const name of [member, second ?? member, word]) delete rest[name];
        // It is written anew.
        if (isStill) delete rest.of;
        const keys = (keyframes ?? []).map((key, index) => this.#key(list, key, normalized, `${place}, keyframe ${index + 1}`));
        return {
            number: this.#next++, list, id: String(id ?? ""), text: node[word] ?? "", normalized, rest,
            isFilled: fill === "both",
            end: end === undefined ? null : this.#moment(first.by === "frame" ? Math.ceil(end) : end, first.by),
            keys: [first, ...keys].sort((a, b) => a.frame - b.frame),
        };
    }

    #cover(node, place, index) {
        if (node === null || typeof node !== "object") throw new Error(`${place}: it has no place.`);
        const key = (one, kind, where) => this.#key("cover", one, node.units === "normalized", where, kind);
        return { number: this.#next++, ...annotatePick.Covers.read(node, index, this.#clip, place, key) };
    }

    #moment(at, by) { return { frame: by === "frame" ? at : this.#clip.frameAtOrAfter(at), by, at }; }

    #key(list, node, normalized, place, wanted = null) {
        const moment = "frame" in node ? this.#moment(node.frame, "frame") : this.#moment(node.time ?? 0, "time");
        if (!Number.isFinite(moment.at)) throw new Error(`${place}: its frame or time is no number.`);
        if (node.absent) return { ...moment, absent: true };
        const kind = annotatePick.Shapes.kindOf(list, node);
        if (!kind || wanted && kind !== wanted) throw new Error(`${place}: it has no ${wanted ? annotatePick.KINDS[wanted].key : "place"}.`);
        const value = annotatePick.Shapes.valueOf(kind, node);
        const points = Array.isArray(value) ? annotatePick.Shapes.fromManifest(kind, value, this.#scale(normalized)) : [];
        if (!annotatePick.Shapes.isWhole(kind, points) || !points.flat().every(Number.isFinite)) {
            throw new Error(`${place}: its ${annotatePick.KINDS[kind].key} can't be read.`);
        }
        return { ...moment, kind, points };
    }

    #scale(normalized) { return normalized ? [this.#clip.width, this.#clip.height] : [1, 1]; }

    /** What an entry is in the file. All its moments are by frame, unless all of them were by time. */
    node(item) {
        const [first, ...later] = item.keys;
        const isByTime = [...item.keys, item.end ?? first].every((moment) => moment.by === "time");
        const moment = (key) => (isByTime ? { time: key.at } : { frame: key.frame });
        const place = (key) => (key.absent ? { absent: true }
            : annotatePick.Shapes.members(key.kind, key.points, this.#scale(item.normalized)));
        if (item.list === "cover") return annotatePick.Covers.node(item, this.#clip, place);
        const node = { id: item.id };
        const { isStill, members, text } = annotatePick.KINDS[first.kind];
        const may = (name) => !members || members.includes(name);
        if (isStill) {
            // Of pictures of another size it would be another place: they are refused.
            const units = item.normalized ? { units: "normalized" }
                : may("of") ? { of: [this.#clip.width, this.#clip.height] } : {};
            if (text && item.text !== "") node[text[0]] = item.text;
            return Object.assign(node, place(first), units, item.rest);
        }
        if (text && item.text !== "") node[text[0]] = item.text;
        Object.assign(node, moment(first), place(first));
        if (item.end && may("end")) node.end = isByTime ? item.end.at : item.end.frame;
        if (item.normalized) node.units = "normalized";
        Object.assign(node, item.rest);
        if (item.isFilled && this.canFill(item) && may("fill")) node.fill = "both";
        if (later.length > 0) node.keyframes = later.map((key) => ({ ...moment(key), ...place(key) }));
        return node;
    }

    /** Whether it has two places one after the other, between which it can be followed from both sides. */
    canFill(item) { return item.keys.some((key, index) => index > 0 && !key.absent && !item.keys[index - 1].absent); }

    dress(item, style) { this.change(() => { item.style = style; }); }

    fill(item, isFilled) { this.change(() => { item.isFilled = isFilled; }); }

    /** The file's text: an entry a line, and a keyframe. */
    get text() {
        const line = (value) => {
            if (Array.isArray(value)) return `[${value.map(line).join(", ")}]`;
            if (value === null || typeof value !== "object") return JSON.stringify(value);
            return `{ ${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${line(one)}`).join(", ")} }`;
        };
        const entry = (item) => {
            const { keyframes, ...node } = this.node(item);
            if (!keyframes) return `    ${line(node)}`;
            const lines = keyframes.map((key) => `      ${line(key)}`).join(",\n");
            return `    ${line(node).slice(0, -2)}, "keyframes": [\n${lines}\n    ] }`;
        };
        const lists = annotatePick.LISTS.flatMap((list) => {
            const items = this.items.filter((item) => item.list === list);
            return items.length > 0 ? [`  "${list}": [\n${items.map(entry).join(",\n")}\n  ]`] : [];
        });
        return lists.length > 0 ? `{\n${lists.join(",\n")}\n}\n` : '{ "regions": [] }\n';
    }
};
